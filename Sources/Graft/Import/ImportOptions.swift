/// How an import goes about its work.
///
/// Policies that are nil are the dialect's; an annotation of a property or entity comes before
/// both.
public struct ImportOptions: Sendable {
  /// How the text is read, and what it may ask of memory.
  public var parser = ParserOptions()
  /// The bytes that are read from a file at a time, at least 1.
  public var chunkSize = 65_536
  /// What happens to objects that are there already, and to those that are not.
  public var mode = ImportMode.upsert
  /// What happens to a value or object that cannot be imported.
  public var errorPolicy = ErrorPolicy.fail
  /// What happens to a key that no property reads.
  public var unknownKeys = UnknownKeyPolicy.skip
  /// Whether a key that stands twice in an object is an error; otherwise the later value counts.
  public var refusesDuplicateKeys = false
  /// Whether a scalar must be of the attribute's own type; otherwise it is converted where nothing
  /// is lost.
  public var isStrict = false
  /// Whether an empty text where a number or a date belongs is an error; otherwise it is no value.
  public var refusesEmptyText = false
  /// Whether values are held to the bounds and patterns of the model, and values and objects to the
  /// validators of the hooks.
  ///
  /// Required properties hold after every commit, whatever is said here.
  public var validates = true
  /// Whether objects of the roots' entities that the document does not mention are deleted when it
  /// has ended well.
  public var deletesMissing = false
  /// Which of the objects that the document no longer names may be deleted, by the names of their
  /// entities; of an entity that is not named here, and has no such entity above it, all.
  ///
  /// The scope holds for what ``deletesMissing`` deletes and for the members that
  /// ``RemovedPolicy/delete`` takes out of relationships. The closure sees an object as it was before
  /// the import, or when it was last published in steps, and is asked after the document has ended
  /// well:
  ///
  /// ```swift
  /// options.deletesMissing = true
  /// options.deletionScopes["Concert"] = { $0["year"] == .integer(2026) }
  /// ```
  public var deletionScopes: [String: @Sendable (GraphObject) -> Bool] = [:]
  /// After how many objects of the roots what has been read is published; nil publishes all of it
  /// at the end.
  public var saveInterval: Int?
  /// Whether the report names the objects of each root, in 8 bytes each.
  public var listsRootObjects = false
  /// How many issues and unfilled stubs a report lists; beyond it they are counted.
  public var issueLimit = 100
  /// The bytes of one object that may wait for information that comes late, such as the name of its
  /// entity; and those of all references that wait for the end of the document
  /// (``ReferencePolicy/defer``), about 150 for each.
  public var bufferLimit = 64 << 20

  /// Where properties stand, for those that do not stand where the model says; ``ModelError`` where
  /// it does not fit the model.
  public var mapping: JSONMapping?

  /// The policies of attributes for which the model says nothing: what `null` and the absence of the
  /// key do.
  public var attributes = Policies()
  /// The policies of relationships for which the model says nothing, and of bare identifiers at the
  /// roots.
  public var relationships = Policies()
  /// The policies of entities for which the model says nothing: what happens to an object that lacks
  /// its identity.
  public var entities = Policies()

  /// The attributes that must have grown for an update to apply, by the names of their entities: an
  /// object of the document that is not newer than the present one is passed over.
  ///
  /// An attribute holds for sub-entities that name none; the model's annotation comes first. It is a
  /// date, a number or a text; ``ImportError`` where the model has no such attribute.
  public var modifiedAttributes: [String: String] = [:]

  /// What the program does about objects while they are imported, by the names of their entities;
  /// hooks of an entity hold for its sub-entities that have none.
  public var hooks: [String: ImportHooks] = [:]

  /// Creates the options that hold where nothing else is asked for.
  public init() {}
}

/// What an import does with objects that are there already, and with those that are not.
public enum ImportMode: String, Sendable, Hashable, CaseIterable {
  /// Objects that are there are updated, others inserted.
  case upsert
  /// Objects that are there stay as they are, others are inserted.
  case insertOnly = "insert-only"
  /// Objects that are there are updated, others passed over.
  case updateOnly = "update-only"
}

/// What an import does about a value or object that cannot be imported.
public enum ErrorPolicy: String, Sendable, Hashable, CaseIterable {
  /// The import stops.
  case fail
  /// The value is passed over, and listed in the report.
  case skipValue = "skip-value"
  /// The object that has the value is passed over, and listed in the report.
  case skipObject = "skip-object"
}

/// What an import does about a key that no property reads.
public enum UnknownKeyPolicy: String, Sendable, Hashable, CaseIterable {
  /// It is passed over with its value.
  case skip
  /// It is passed over, and listed in the report.
  case report
  /// The import stops, or the error policy decides.
  case error
}
