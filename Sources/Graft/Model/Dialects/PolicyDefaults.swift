/// What holds where neither an annotation nor an option of the import says otherwise.
///
/// The initial values are Graft's own; a dialect changes those in which its importer differs.
struct PolicyDefaults: Sendable, Equatable {
  /// An attribute's `null`: removed, or the default value where the attribute is required.
  var onNullAttribute = NullPolicy.clear
  /// An attribute's key is absent: an existing object keeps its value, a new one has its default.
  var onAbsentAttribute = AbsentPolicy.keep
  /// A relationship's `null`: a to-one is cleared, a to-many is emptied.
  var onNullRelationship = NullPolicy.clear
  /// A relationship's key is absent: the links are kept.
  var onAbsentRelationship = AbsentPolicy.keep
  /// A to-many array replaces the members.
  var collection = CollectionPolicy.replace
  /// A member that a replacing array of objects no longer names, where each member has one owner at
  /// most: the inverse is to one.
  var removedOwned = RemovedPolicy.unlink
  /// The same where members may have several owners, or no inverse tells.
  var removedShared = RemovedPolicy.unlink
  /// The same where the array names its members by identifiers alone.
  var removedByIdentifiers = RemovedPolicy.unlink
  /// A bare identifier that names no object yet makes one that has only its identity.
  var reference = ReferencePolicy.stub
  /// An object that lacks its identity cannot be imported.
  var missingIdentity = MissingIdentityPolicy.error
  /// Whether one object stands for an array of one where a to-many relationship expects an array.
  var wrapsSingleObjects = false
  /// Whether abstract entities have objects.
  var instantiatesAbstract = false
  /// Whether a to-one object of an entity without identity is written into the object that is
  /// linked already.
  var fillsPresentTarget = false

  /// What happens to a member that a replacing array no longer names, by the relationship's
  /// inverse.
  func removed(inverseIsToMany: Bool?) -> RemovedPolicy {
    inverseIsToMany == false ? removedOwned : removedShared
  }
}
