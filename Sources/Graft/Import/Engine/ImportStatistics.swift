/// The counts of an import for its report; `ObjectOutcomes` has the outcome of each object.
struct ImportStatistics {
  /// The findings about one root.
  struct Root {
    var wasFound = false
    /// Whether an array or object was found, and not only `null`.
    var hasContainer = false
    var objectCount = 0
    /// The objects that were passed over: skipped, refused by a hook, or not wanted by the import's mode.
    var passedOverCount = 0
    /// The objects in the order in which they ended, where the options ask for them.
    var objects: [ObjectID] = []
    /// Whether the root led to one object that is not in an array.
    var isSingleObject = false
  }

  var roots: [Root]
  /// The number of root objects since the last save.
  var objectsSinceSave = 0
  /// The number of deleted objects, by the number of the entity.
  var deleted = [Int: Int]()
  /// The number of objects read, by the number of the entity.
  var readCounts: [Int]
  /// The report so far, with the counts of skipped values and objects.
  var report = ImportReport()
  /// Whether a line of NDJSON was skipped; a resumed import counts those before the last save too.
  var hasBrokenLines = false
  /// Objects made of a bare identifier, in the order in which they were made.
  var stubs: [ObjectID] = []

  /// The values at the paths where the options ask for scalars, the last one of each.
  var captured: [CapturedValue]

  init(rootCount: Int, entityCount: Int, capturedCount: Int) {
    captured = Array(repeating: .nothing, count: capturedCount)
    readCounts = Array(repeating: 0, count: entityCount)
    roots = Array(repeating: Root(), count: rootCount)
  }

  /// Counts an object of a root.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - number: The number of the root.
  ///   - isListed: Whether the report lists the objects of roots.
  ///   - isSingle: Whether the object is not in an array and not below a wildcard.
  mutating func countRootObject(
    _ object: ObjectID, of number: Int, isListed: Bool, isSingle: @autoclosure () -> Bool
  ) {
    roots[number].objectCount += 1
    guard isListed else { return }
    roots[number].objects.append(object)
    roots[number].isSingleObject = isSingle()
  }

  /// Forgets the counts of objects that an earlier import has saved.
  mutating func startAfterResuming() {
    objectsSinceSave = 0
    report = ImportReport()
  }

  /// Forgets the objects, and keeps the counts.
  mutating func startBatch() {
    objectsSinceSave = 0
    stubs = []
    for index in roots.indices { roots[index].objects = [] }
  }

  /// Replaces the identifiers that a rebase or a promotion has changed.
  mutating func remap(_ current: (ObjectID) -> ObjectID) {
    stubs = stubs.map(current)
    for index in roots.indices { roots[index].objects = roots[index].objects.map(current) }
  }
}
