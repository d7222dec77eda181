/// What an import counts besides objects.
struct ImportTally {
  var rootWasFound: [Bool]
  var rootObjects: [Int]
  var skippedNulls = 0
  var ignoredReferences = 0
  /// Objects made of a bare identifier, in the order in which they were made.
  var stubs: [ObjectID] = []
  var issues: [ImportError] = []
  var issueCount = 0
  /// The names met on the way to the roots, for saying why one was not found.
  var trail = RootTrail()

  init(rootCount: Int) {
    rootWasFound = Array(repeating: false, count: rootCount)
    rootObjects = Array(repeating: 0, count: rootCount)
  }
}
