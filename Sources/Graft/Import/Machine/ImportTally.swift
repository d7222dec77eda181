/// What an import counts besides objects.
struct ImportTally {
  var rootWasFound: [Bool]
  var rootObjects: [Int]
  /// The objects of roots that have not been published.
  var objectsSinceSave = 0
  /// How many objects were deleted, by entity.
  var deleted: [Int: Int] = [:]
  var skippedNulls = 0
  var ignoredReferences = 0
  /// Objects made of a bare identifier, in the order in which they were made.
  var stubs: [ObjectID] = []
  /// Identifiers that are looked up again when the document has ended.
  var deferred: [DeferredReference] = []
  var deferredLinks: [DeferredLink] = []
  /// Objects that a replacing array no longer names, where that deletes them.
  var removed: [RemovedMembers] = []
  var issues = ImportIssue.Log()
  var notices = ImportIssue.Log()
  /// The names met on the way to the roots, for saying why one was not found.
  var trail = RootTrail()

  init(rootCount: Int) {
    rootWasFound = Array(repeating: false, count: rootCount)
    rootObjects = Array(repeating: 0, count: rootCount)
  }
}
