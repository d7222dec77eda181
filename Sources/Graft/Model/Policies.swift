/// What an explicit `null` does to a property.
public enum NullPolicy: String, Sendable, Hashable, CaseIterable {
  /// The value is removed; a required attribute takes its default.
  case clear
  /// The object keeps what it has.
  case keep
  /// The attribute takes its default value.
  case `default`
  /// The object cannot be imported.
  case error
}

/// What the absence of a property's key does.
public enum AbsentPolicy: String, Sendable, Hashable, CaseIterable {
  /// An existing object keeps what it has; a new one has its default.
  case keep
  /// The value is removed.
  case clear
  /// The attribute takes its default value, in existing objects too.
  case `default`
  /// The object cannot be imported.
  case error
}

/// What an array does to a to-many relationship that already has members.
public enum CollectionPolicy: String, Sendable, Hashable, CaseIterable {
  /// The array's objects become the members.
  case replace
  /// The array's objects join the members.
  case union
}

/// What happens to a member that a replacing array no longer names.
public enum RemovedPolicy: String, Sendable, Hashable, CaseIterable {
  /// It is no longer linked, and stays in the store.
  case unlink
  /// It is deleted if nothing owns it any more.
  case delete
}

/// What a bare identifier does that names no object yet.
public enum ReferencePolicy: String, Sendable, Hashable, CaseIterable {
  /// It makes an object that has only its identity, for a later payload to fill.
  case stub
  /// It is passed over and counted.
  case ignore
  /// It is looked up again when the document has ended.
  case `defer`
  /// The object cannot be imported.
  case error
}

/// What happens to an object that lacks its identity.
public enum MissingIdentityPolicy: String, Sendable, Hashable, CaseIterable {
  /// The object cannot be imported.
  case error
  /// A new object is inserted.
  case insert
  /// The object is passed over and listed.
  case skip
}

/// How a property is written by an export.
public enum ExportStyle: String, Sendable, Hashable, CaseIterable {
  /// Related objects stand in full inside their owner; attributes stand as their value.
  case nested
  /// Related objects stand as their identities.
  case identifier
  /// The property is left out.
  case omit
}
