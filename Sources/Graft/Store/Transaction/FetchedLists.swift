/// Remembers which lists of a transaction's objects were read from its source, and their members there.
///
/// A save compares each list with these members, and writes only the difference.
package struct FetchedLists: Sendable {
  /// The lists that were read, by entity and row: a bit for each of the first 64 relationships.
  private var read: [[UInt64]]
  /// The part of `objects` for each list that was read and is not empty, or is of a later relationship.
  private var ranges = [LinkEnd: Range<Int>]()
  /// The members of all lists, one list after the other.
  private var objects: [ObjectID] = []

  init(entityCount: Int) { read = Array(repeating: [], count: entityCount) }

  /// Forgets all lists, and keeps the memory.
  mutating func removeAll() {
    for entity in read.indices { read[entity].removeAll(keepingCapacity: true) }
    ranges.removeAll(keepingCapacity: true)
    objects.removeAll(keepingCapacity: true)
  }

  /// Returns whether a list was read.
  package func hasRead(_ relationship: Int, of id: ObjectID) -> Bool {
    guard relationship < 64 else {
      return ranges[LinkEnd(owner: id, relationship: relationship)] != nil
    }
    return id.row < read[id.entity].count
      && read[id.entity][id.row] >> UInt64(relationship) & 1 != 0
  }

  /// Notes that a list was read; it is empty so far.
  mutating func noteRead(_ relationship: Int, of id: ObjectID) {
    guard relationship < 64 else {
      ranges[LinkEnd(owner: id, relationship: relationship)] = 0..<0
      return
    }
    while read[id.entity].count <= id.row { read[id.entity].append(0) }
    read[id.entity][id.row] |= 1 << UInt64(relationship)
  }

  /// Notes the members that the source has of a list that was read.
  mutating func setMembers(_ members: [ObjectID], _ relationship: Int, of id: ObjectID) {
    let start = objects.count
    objects.append(contentsOf: members)
    ranges[LinkEnd(owner: id, relationship: relationship)] = start..<objects.count
  }

  /// A copy without the members.
  package var withoutMembers: FetchedLists {
    var result = self
    result.objects = []
    // A list of a later relationship was read where it has a range.
    result.ranges = ranges.filter { $0.key.relationship >= 64 }
    return result
  }

  /// Returns the members of a list in the source; none if the list was not read.
  func members(_ relationship: Int, of id: ObjectID) -> ArraySlice<ObjectID> {
    guard hasRead(relationship, of: id),
      let range = ranges[LinkEnd(owner: id, relationship: relationship)]
    else { return [] }
    return objects[range]
  }

  /// The lists that were read and have members.
  package var all: [(owner: ObjectID, relationship: Int, members: ArraySlice<ObjectID>)] {
    ranges.inOrder { $0.key < $1.key }.compactMap { list, range in
      let members = objects[range]
      return members.isEmpty ? nil : (list.owner, list.relationship, members)
    }
  }

  /// Moves a list that was read to the object that takes its owner's place.
  mutating func move(_ relationship: Int, from stub: ObjectID, to object: ObjectID) {
    guard hasRead(relationship, of: stub) else { return }
    noteRead(relationship, of: object)
    let range = ranges.removeValue(forKey: LinkEnd(owner: stub, relationship: relationship))
    ranges[LinkEnd(owner: object, relationship: relationship)] = range
  }
}
