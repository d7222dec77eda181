// Each object of a transaction with a source has a state, which describes its row there:
//
// - new        nothing; the object was inserted by the transaction
// - stored     there is a row
// - unread     stored, but only the key was read, because a link leads there
// - written    stored, and a value or link was changed
//
// Links of a stored object to one object are in its row. A list is read before it is changed; until
// then it holds only the links that the transaction has made. `FetchedLists` has the members of each
// list that was read, as the source has them.

/// Tracks which objects of a transaction have rows in its source, and what was read of them.
package final class FetchedObjects {
  /// The flags that describe an object's row.
  package struct State: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// There is a row.
    package static let stored = State(rawValue: 1)
    /// Only the key of the row was read.
    package static let unread = State(rawValue: 2)
    /// A value or link was written.
    package static let written = State(rawValue: 4)
  }

  package let source: any RowSource
  let layouts: [RowLayout]
  /// The topmost entity of each table.
  let topEntities: [Int]
  // Unchecked, here and below: no function changes a property while its caller changes the same one.
  /// By entity and row.
  @safe @exclusivity(unchecked) package private(set) var states: [[State]]
  /// The keys of objects of tables that are keyed by a number, by entity and row.
  @safe @exclusivity(unchecked) private var numbers: [[Int64]]
  /// The objects of each table that are held, by these keys.
  private var objectsByNumber: [[Int64: ObjectID]]
  /// The lists that were read.
  @safe @exclusivity(unchecked) package internal(set) var lists: FetchedLists
  /// The rows of objects that were removed.
  package private(set) var removed: Set<RowKey> = []
  package private(set) var promotions = [ObjectID: ObjectID]()
  /// The keys that the rows have of objects that got another identity, and the objects by these keys.
  package private(set) var formerKeys = [ObjectID: RowKey]()
  private var movedObjects = [RowKey: ObjectID]()
  /// Whether an object got another identity.
  ///
  /// Its row may then be found by an identity that the object no longer has.
  private(set) var hasIdentityChanges = false
  /// The row that was read last.
  @safe @exclusivity(unchecked) var row = RowBuffer()
  /// Whether the source keeps rows as they were read: others may write before the batch is saved.
  package var keepsRows = false
  /// The error for a link to a row that does not exist, unless another writer has deleted the row since.
  package private(set) var missingRow: StoreError?
  private var failure: StoreError?
  /// Whether the source has failed, so that the import ends at its next check.
  var hasFailed: Bool { failure != nil }

  /// - Parameter source: Returns the rows that the transaction asks for.
  package init(_ source: any RowSource) {
    self.source = source
    layouts = source.layouts
    var topEntities = Array(repeating: 0, count: (layouts.lazy.map(\.table).max() ?? -1) + 1)
    for layout in layouts { topEntities[layout.table] = layout.topEntity }
    self.topEntities = topEntities
    states = layouts.map { _ in [] }
    numbers = layouts.map { _ in [] }
    lists = FetchedLists(entityCount: layouts.count)
    objectsByNumber = topEntities.map { _ in [Int64: ObjectID]() }
  }

  /// Copies the states, keys and lists.
  ///
  /// A batch can be written by the copy while the next one begins.
  package func copy() -> FetchedObjects {
    let copy = FetchedObjects(source)
    copy.states = states
    copy.numbers = numbers
    copy.objectsByNumber = objectsByNumber
    copy.lists = lists
    copy.removed = removed
    copy.promotions = promotions
    copy.formerKeys = formerKeys
    copy.movedObjects = movedObjects
    copy.hasIdentityChanges = hasIdentityChanges
    return copy
  }

  /// Forgets all objects.
  package func removeAll() {
    for entity in states.indices {
      states[entity].removeAll(keepingCapacity: true)
      numbers[entity].removeAll(keepingCapacity: true)
    }
    for table in objectsByNumber.indices where !objectsByNumber[table].isEmpty {
      objectsByNumber[table].removeAll(keepingCapacity: true)
    }
    lists.removeAll()
    missingRow = nil
    removed.removeAll(keepingCapacity: true)
    promotions.removeAll()
    formerKeys.removeAll()
    movedObjects.removeAll()
    hasIdentityChanges = false
  }

  // MARK: Failures

  /// Runs a closure that may fail, for a function that does not throw; a failure ends the import at its next check.
  package func attempt<R>(_ fallback: R, _ body: () throws(StoreError) -> R) -> R {
    guard failure == nil else { return fallback }
    do throws(StoreError) {
      return try body()
    } catch {
      failure = error
      return fallback
    }
  }

  /// - Throws: ``StoreError`` if the source has failed since the transaction began.
  package func check() throws(StoreError) {
    if let failure { throw failure }
  }

  // MARK: States

  package func state(of id: ObjectID) -> State {
    id.row < states[id.entity].count ? states[id.entity][id.row] : []
  }

  @inline(never)
  func setState(_ state: State, of id: ObjectID) {
    while states[id.entity].count <= id.row { states[id.entity].append([]) }
    states[id.entity][id.row] = state
  }

  /// Returns whether an object is as the source has it.
  func isUnchanged(_ id: ObjectID) -> Bool {
    let state = state(of: id)
    return state.contains(.stored) && !state.contains(.written)
  }

  /// Returns the members of a list, as they were read.
  package func storedMembers(of id: ObjectID, _ relationship: Int) -> ArraySlice<ObjectID> {
    let stored = lists.members(relationship, of: id)
    return promotions.isEmpty ? stored : stored.map(current)[...]
  }

  /// Returns the object in the place of a stub that was promoted, or the object itself.
  private func current(_ id: ObjectID) -> ObjectID { promotions.end(of: id) }

  // MARK: Keys

  /// Returns the number that is an object's key; nil where it has none yet.
  package func number(of id: ObjectID) -> Int64? {
    guard id.row < numbers[id.entity].count, numbers[id.entity][id.row] != 0 else { return nil }
    return numbers[id.entity][id.row]
  }

  package func setNumber(_ number: Int64, of id: ObjectID) {
    while numbers[id.entity].count <= id.row { numbers[id.entity].append(0) }
    numbers[id.entity][id.row] = number
    objectsByNumber[layouts[id.entity].table][number] = id
  }

  /// Returns the object that is held for a number of a table.
  package func object(_ number: Int64, of table: Int) -> ObjectID? {
    objectsByNumber[table][number]
  }

  /// Whether a row may belong to another object than its key names, or to none.
  var hasMovedRows: Bool { !removed.isEmpty || !movedObjects.isEmpty }

  /// Whether the source may find rows by keys and identities that their objects no longer have.
  package var hasMovedObjects: Bool { hasMovedRows || hasIdentityChanges }

  /// Returns the object of a row that has another identity now.
  func movedObject(_ key: RowKey) -> ObjectID? { movedObjects[key] }

  // MARK: Notes

  /// Notes the row that was read last as the row of an object.
  func noteValues(of id: ObjectID) {
    setState([.stored], of: id)
    if keepsRows { source.keep(row, of: id) }
  }

  /// Notes that the row of an object does not exist.
  func noteMissingRow(of id: ObjectID) throws(StoreError) {
    let error = source.missingRow(of: id.entity)
    guard keepsRows else { throw error }
    // Another writer may have deleted the row since the link was read.
    missingRow = missingRow ?? error
    setState([.stored], of: id)
  }

  /// Notes that a to-one link of an object has changed, or that a write has set one of its values.
  func noteChange(of id: ObjectID) {
    let state = state(of: id)
    if state.contains(.stored), !state.contains(.written) {
      setState(state.union(.written), of: id)
    }
  }

  /// Notes that an object will get another identity; its row is found by the former key.
  func noteIdentityChange(of id: ObjectID, from key: @autoclosure () -> RowKey) {
    guard state(of: id).contains(.stored) else { return }
    noteChange(of: id)
    hasIdentityChanges = true
    guard !layouts[id.entity].isKeyedByNumber, formerKeys[id] == nil else { return }
    let key = key()
    formerKeys[id] = key
    movedObjects[key] = id
  }

  /// Notes that an object takes the place of a stub.
  func notePromotion(of stub: ObjectID, to object: ObjectID) {
    promotions[stub] = object
    let state = state(of: stub)
    guard state.contains(.stored) else { return }
    setState(state.union(.written), of: object)
    setState([], of: stub)
    if let number = number(of: stub) { setNumber(number, of: object) }
    for number in layouts[stub.entity].isList.indices {
      lists.move(number, from: stub, to: object)
    }
  }

  /// Notes that an object will be removed.
  func noteRemoval(of id: ObjectID, key: @autoclosure () -> RowKey) {
    guard state(of: id).contains(.stored) else { return }
    let key = key()
    formerKeys[id] = nil
    movedObjects[key] = nil
    removed.insert(key)
    setState([], of: id)
    if let number = number(of: id) { objectsByNumber[key.table][number] = nil }
  }
}

// MARK: - Lists

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
