/// What an import did.
public struct ImportReport: Sendable, Hashable {
  /// What an import did to the objects of one entity.
  public struct EntityCount: Sendable, Hashable {
    /// The entity's name.
    public var entity: String
    /// Objects that were not there before.
    public var inserted = 0
    /// Objects of which a value or link differed.
    public var updated = 0
    /// Objects that the document mentioned and that were so already.
    public var unchanged = 0
    /// Objects that were deleted.
    public var deleted = 0
  }

  /// How many objects stood at one root.
  public struct RootCount: Sendable, Hashable {
    /// The root.
    public var root: ImportRoot
    /// The objects, counted each time they stood there.
    public var objects = 0
    /// The objects in the order in which they ended, where ``ImportOptions/listsRootObjects`` asks
    /// for them; valid in the graph that the import publishes.
    public var ids: [ObjectID] = []
    /// Whether the root led to an object that stood alone, and not to a collection; told where the
    /// objects are listed.
    public var isSingleObject = false
  }

  /// The bytes of JSON that were read.
  public var byteCount = 0
  /// The time from the first byte to the commit.
  public var duration = Duration.zero
  /// What was done, for each entity that was touched, in the order of the model.
  public var entities: [EntityCount] = []
  /// What was found, for each root.
  public var roots: [RootCount] = []
  /// The objects made of a bare identifier that nothing has filled, up to the limit of issues.
  public var unfilledStubs: [ObjectID] = []
  /// How many objects were made of a bare identifier and have not been filled.
  public var unfilledStubCount = 0
  /// Values and objects that were passed over, up to the limit of issues.
  public var issues: [ImportIssue] = []
  /// How many values and objects were passed over.
  public var issueCount = 0
  /// What was noticed besides, up to the limit of issues: unknown keys, identifiers of objects that
  /// are not there.
  public var notices: [ImportIssue] = []
  /// How much was noticed besides.
  public var noticeCount = 0
  /// `null`s in arrays that were passed over.
  public var skippedNullCount = 0
  /// Unknown identifiers that were passed over.
  public var ignoredReferenceCount = 0

  /// Objects that were not there before, of all entities.
  public var insertedCount: Int { entities.reduce(0) { $0 + $1.inserted } }
  /// Objects of which a value or link differed, of all entities.
  public var updatedCount: Int { entities.reduce(0) { $0 + $1.updated } }
  /// Objects that were mentioned and were so already, of all entities.
  public var unchangedCount: Int { entities.reduce(0) { $0 + $1.unchanged } }

  /// What was done to the objects of an entity.
  ///
  /// - Parameter entity: The entity's name.
  /// - Returns: The counts, which are zero for an entity that was not touched.
  public func count(of entity: String) -> EntityCount {
    entities.first { $0.entity == entity } ?? EntityCount(entity: entity)
  }
}
