/// What an import counts besides objects.
struct ImportTally {
  var rootWasFound: [Bool]
  var rootObjects: [Int]
  /// The objects themselves, by root, where they are asked for.
  var rootIDs: [[ObjectID]]
  /// Whether a root led to an object that stood alone.
  var rootStoodAlone: [Bool]
  /// The objects of roots that have not been published.
  var objectsSinceSave = 0
  /// How many objects were deleted, by entity.
  var deleted: [Int: Int] = [:]
  var skippedNulls = 0
  var ignoredReferences = 0
  /// Objects made of a bare identifier, in the order in which they were made.
  var stubs: [ObjectID] = []
  /// Identifiers that are looked up again when the document has ended.
  private(set) var deferred: [DeferredReference] = []
  private(set) var deferredLinks: [DeferredLink] = []
  /// The bytes that wait for the end of the document.
  private(set) var deferredByteCount = 0
  private var deferredPositions: [LinkKey: Int] = [:]
  /// Objects that a replacing array no longer names, where that deletes them.
  var removed: [RemovedMembers] = []
  var issues = ImportIssue.Log()
  var notices = ImportIssue.Log()
  /// The names met on the way to the roots, for saying why one was not found.
  var trail = RootTrail()

  init(rootCount: Int) {
    rootWasFound = Array(repeating: false, count: rootCount)
    rootObjects = Array(repeating: 0, count: rootCount)
    rootIDs = Array(repeating: [], count: rootCount)
    rootStoodAlone = Array(repeating: false, count: rootCount)
  }
}

extension ImportTally {
  /// A relationship of an object.
  fileprivate struct LinkKey: Hashable {
    var owner: ObjectID
    var relationship: Int
  }

  /// Keeps an identifier for the end.
  ///
  /// - Returns: Its number.
  mutating func deferReference(_ reference: DeferredReference) -> Int {
    deferredByteCount += reference.byteCount
    deferred.append(reference)
    return deferred.count - 1
  }

  /// Keeps a link for the end; what was kept of it before no longer counts, unless the two are
  /// joined.
  mutating func deferLink(_ link: DeferredLink, joins: Bool) {
    deferredByteCount += link.byteCount
    let key = LinkKey(owner: link.owner, relationship: link.relationship)
    guard let position = deferredPositions[key] else {
      deferredPositions[key] = deferredLinks.count
      deferredByteCount += MemoryLayout<DeferredLink>.stride
      deferredLinks.append(link)
      return
    }
    if !joins { dropMembers(ofLink: position) }
    deferredLinks[position].members += link.members
    deferredLinks[position].isCancelled = false
  }

  /// Takes up the identifiers that objects have got.
  mutating func followDeferred(_ current: (ObjectID) -> ObjectID) {
    deferredPositions = [:]
    for index in deferredLinks.indices {
      let link = deferredLinks[index]
      deferredLinks[index].owner = current(link.owner)
      deferredLinks[index].members = link.members.map { member in
        if case .object(let object) = member { .object(current(object)) } else { member }
      }
      deferredPositions[LinkKey(owner: current(link.owner), relationship: link.relationship)] =
        index
    }
  }

  /// Forgets what was kept of a link for the end, because something later counts.
  mutating func cancelDeferred(_ owner: ObjectID, _ relationship: Int) {
    guard !deferredLinks.isEmpty,
      let position = deferredPositions[LinkKey(owner: owner, relationship: relationship)]
    else { return }
    deferredLinks[position].isCancelled = true
    dropMembers(ofLink: position)
  }

  private mutating func dropMembers(ofLink position: Int) {
    deferredByteCount -= deferredLinks[position].byteCount
    deferredLinks[position].members = []
  }
}
