// Counts the objects to which one import gives two values of an attribute, as in
//
//   [{"id": 1, "name": "Ann"}, {"id": 1, "name": "Bob"}]
//
// The later value wins. But two objects that differ may well be two, and the identity wrong, so the report
// counts them.
//
// The check "did this import give the current value?" is needed only if the document mentions an
// object again, and only for a value that differs from its cell. For an object that the import has
// inserted, the cell itself answers: a value that is not null was given, unless the entity has
// defaults. For all other objects, `AttributeMarks` has a bit for each attribute. A database gets
// its objects batch by batch; the values given by earlier batches are kept by identity, up to a
// limit (`EarlierBatches`).

/// Finds the objects to which one import gives two different values of an attribute.
final class ConflictTracker: ImportPart {
  /// A value that differs from an earlier one of the same import.
  private struct Conflict {
    var location: SourceLocation
    var path: String
    var property: String
    /// The object as messages name it.
    var object: String
    var before: String
    var now: String
    /// Whether the later value counts.
    var isReplaced: Bool
  }

  private let hasDefaults: [Bool]
  private let marks: FixedArray<AttributeMarks>
  /// The first row of each entity that certainly no other writer has changed.
  private var firstRows: [Int]
  /// The values given to objects of earlier batches; nil for an import into memory.
  private var earlier: EarlierBatches?
  private var counts: [Int]
  /// The numbers of the attributes concerned.
  private var attributes: [Set<Int>]
  /// The first conflicts of two objects of each entity.
  private var conflicts: [[Conflict]]

  // Creates a tracker; `isInBatches` says whether objects leave the transaction at each save.
  init(_ shared: ImportPart, isInBatches: Bool) {
    let entities = shared.schema.entities
    let layout = shared.transaction.layout
    hasDefaults = entities.map { layout.defaults[$0.number].count > 0 }
    marks = FixedArray(count: entities.count) {
      AttributeMarks(attributeCount: entities[$0].attributes.count)
    }
    firstRows = entities.map { _ in 0 }
    earlier = isInBatches ? EarlierBatches() : nil
    counts = entities.map { _ in 0 }
    attributes = entities.map { _ in [] }
    conflicts = entities.map { _ in [] }
    super.init(shared)
  }

  // MARK: While objects are merged

  /// Returns whether the values of an inserted object must be marked, because its cells also have
  /// defaults.
  @inline(__always)
  func marksInserted(_ entity: Int) -> Bool { hasDefaults[entity] }

  /// Compares the values of an object that has ended with the values that the import has given it
  /// before.
  ///
  /// Versions with different times are not compared, unless the import only inserts: the newer one counts.
  ///
  /// - Parameters:
  ///   - values: The values, which have not been written yet.
  ///   - object: The object, which is no stub.
  ///   - isReplaced: Whether these values will replace the object's.
  func compare(_ values: PendingValues, with object: ObjectID, isReplaced: Bool) {
    guard mayBeMentioned(object) else { return }
    let row = transaction.row(object)
    if options.mode != .insertOnly,
      let attribute = plan.entities[object.entity].modifiedAttribute,
      let time = values.last(forAttribute: attribute).map({ parsers.rawValue(of: $0) }),
      !time.isNull, !row.holds(attribute, time)
    {
      return
    }
    for value in values where !value.pointee.isSuperseded && !value.pointee.isIdentity {
      guard value.pointee.kind == .word || value.pointee.kind == .bytes else { continue }
      let number = Int(value.pointee.number)
      let new = parsers.rawValue(of: value.pointee)
      // If a key occurs twice in an object, the later value counts.
      guard !row.holds(number, new), isGiven(number, of: object), values.isLast(value) else {
        continue
      }
      note(number, of: object, new, isReplaced: isReplaced)
    }
  }

  /// Returns whether this import gave the value that an attribute has.
  private func isGiven(_ attribute: Int, of object: ObjectID) -> Bool {
    guard !transaction.isNull(object, attribute: attribute) else { return false }
    if isOwn(object) { return true }
    recall(object)
    return marks[object.entity][attribute, row: object.row]
  }

  /// Marks the values of an object as given by this import.
  func mark(_ values: PendingValues, of object: ObjectID) {
    guard !isOwn(object) else { return }
    let start = marks[object.entity].makeStart(of: object.row)
    for value in values where !value.pointee.isSuperseded && !value.pointee.isIdentity {
      switch value.pointee.kind {
      case .word, .bytes: marks[object.entity].set(Int(value.pointee.number), from: start)
      // A default in place of `null` was not given.
      case .default: marks[object.entity].clear(Int(value.pointee.number), from: start)
      default: break
      }
    }
  }

  /// Returns whether all that an object has comes from this import.
  private func isOwn(_ object: ObjectID) -> Bool {
    !hasDefaults[object.entity] && outcomes[object] == .inserted
      && object.row >= firstRows[object.entity]
  }

  /// Returns whether the import may have given an object values before, in this batch or in an earlier one.
  private func mayBeMentioned(_ object: ObjectID) -> Bool {
    outcomes[object] != .unmentioned || earlier?.isEmpty == false
  }

  private func note(
    _ attribute: Int, of object: ObjectID, _ value: RawValue, isReplaced: Bool
  ) {
    let entity = schema.entities[object.entity]
    attributes[entity.number].insert(attribute)
    guard !marks[entity.number][entity.attributes.count, row: object.row] else { return }
    marks[entity.number].set(entity.attributes.count, row: object.row)
    counts[entity.number] += 1
    guard conflicts[entity.number].count < 2 else { return }
    let (location, path) = diagnostics.place(of: parsers.top)
    let type = entity.attributes[attribute].type
    let before = transaction.value(object, attribute: attribute)
    conflicts[entity.number].append(
      Conflict(
        location: location, path: path, property: entity.attributes[attribute].name,
        object: transaction.describe(object),
        before: AttributeValue(before, type: type)?.shortText ?? "nil",
        now: AttributeValue(value, type: type)?.shortText ?? "nil", isReplaced: isReplaced))
  }

  // MARK: At saves

  /// Forgets the values given so far, because other writers may have changed them since.
  ///
  /// - Parameter remapping: The identifiers that have changed.
  func startAfterRebase(_ remapping: [ObjectID: ObjectID]) {
    // An object may have moved to another entity.
    let counted = schema.entities.flatMap { entity in
      marks[entity.number].rows(with: entity.attributes.count).map { row in
        transaction.layout.objectID(entity: entity.number, row: row)
      }
    }
    for entity in schema.entities { marks[entity.number].removeAll() }
    for object in counted {
      let current = remapping[object] ?? object
      marks[current.entity].set(
        schema.entities[current.entity].attributes.count, row: current.row)
    }
    firstRows = schema.entities.map { transaction.rowCount($0.number) }
  }

  /// Keeps the values that the objects of a batch were given, before the batch leaves the
  /// transaction.
  func finishBatch() {
    guard earlier != nil else { return }
    for entity in schema.entities {
      if !entity.identity.isEmpty {
        for row in outcomes.mentionedRows(of: entity.number, inFirst: .max) {
          let object = transaction.layout.objectID(entity: entity.number, row: row)
          guard transaction.contains(object), !transaction.isStub(object) else { continue }
          keep(object, entity)
        }
      }
      marks[entity.number].removeAll()
    }
  }

  private func keep(_ object: ObjectID, _ entity: EntitySchema) {
    if isOwn(object) {
      for number in entity.attributes.indices
      where !transaction.isNull(object, attribute: number) && !entity.identity.contains(number) {
        marks[entity.number].set(number, row: object.row)
      }
    }
    guard marks[entity.number].hasAny(row: object.row) else { return }
    earlier?.keep(marks[entity.number].words(row: object.row), of: digest(of: object))
  }

  /// Marks the values that earlier batches of the import have given an object.
  ///
  /// It is called for the first value of the object that differs from its cell: most objects come again unchanged.
  private func recall(_ object: ObjectID) {
    let bit = schema.entities[object.entity].attributes.count + 1
    guard let earlier, !marks[object.entity][bit, row: object.row] else { return }
    marks[object.entity].set(bit, row: object.row)
    guard let words = earlier.words(of: digest(of: object)) else { return }
    marks[object.entity].formUnion(words, row: object.row)
  }

  private func digest(of object: ObjectID) -> Int {
    var hasher = Hasher()
    hasher.combine(object.entity)
    transaction.withIdentity(of: object) { values in
      for value in values { hasher.combine(OwnedValue(value)) }
    }
    return hasher.finalize()
  }

  // MARK: Report

  /// Returns the number of an entity's objects that were given two different values.
  func count(entity: Int) -> Int { counts[entity] }

  /// Returns the names of the attributes of an entity that were given two different values.
  func attributes(entity: Int) -> [String] {
    attributes[entity].sorted().map { schema.entities[entity].attributes[$0].name }
  }

  /// Returns a notice for each entity with objects that were given two different values.
  func notices() -> [ImportError] {
    schema.entities.compactMap { entity in
      guard let first = conflicts[entity.number].first else { return nil }
      let count = counts[entity.number]
      let limit = earlier?.isFull == true ? "at least " : ""
      let kept = first.isReplaced ? "later" : "first"
      var message =
        count == 1
        ? "\(first.object) is given a second value of \(first.property), \(first.now) after"
          + " \(first.before), and the \(kept) one counts"
        : "\(limit)\(count) objects of \(entity.name) are given a second value of an attribute, and the"
          + " \(kept) one counts: here \(first.property) of \(first.object), \(first.now) after"
          + " \(first.before)"
      if let second = conflicts[entity.number].dropFirst().first {
        message +=
          ", and at \(second.location.line):\(second.location.column)"
          + " (\(second.path.shortenedPath)) \(second.property) of \(second.object), \(second.now)"
          + " after \(second.before)"
        if second.isReplaced != first.isReplaced {
          message += ", where the \(second.isReplaced ? "later" : "first") one counts"
        }
      }
      let names = entity.declaredIdentity.map { entity.attributes[$0].name }.joined(separator: ", ")
      if !names.isEmpty {
        message +=
          "; if these are different objects, the identity (\(names)) does not tell them apart"
      }
      return ImportError(
        kind: .conflict, location: first.location, path: first.path, entity: entity.name,
        property: first.property, expected: first.before, found: first.now, message: message)
    }
  }
}

extension PendingValues {
  /// Returns whether no later value of the same attribute follows.
  fileprivate func isLast(_ value: PendingValuePlace) -> Bool {
    !following(value).contains { other in
      other.pointee.number == value.pointee.number && !other.pointee.isSuperseded
        && other.pointee.kind.isAttribute && !other.pointee.kind.isOnlyPresence
    }
  }
}

/// Marks the attributes that the import has given to each row of an entity, a bit for each.
///
/// Two more bits say that the row was counted, and that the values of earlier batches were marked.
///
/// Rows are kept in pages, so that a mark in the last of many rows needs no memory for the rows
/// before.
private struct AttributeMarks: ~Copyable {
  private static let pageShift = 8

  private let wordCount: Int
  /// The number of each page's memory; -1 for a page without marks.
  private var pages = RawStack<Int32>()
  private var words = RawStack<UInt64>()

  init(attributeCount: Int) {
    wordCount = (attributeCount + 1) / 64 + 1
  }

  subscript(bit: Int, row row: Int) -> Bool {
    guard let start = start(of: row) else { return false }
    return words[start + bit / 64] & 1 << UInt64(bit % 64) != 0
  }

  mutating func set(_ bit: Int, row: Int) { set(bit, from: makeStart(of: row)) }

  /// Sets a bit of the row that starts at a word.
  @inline(__always)
  mutating func set(_ bit: Int, from start: Int) {
    words[start + bit / 64] |= 1 << UInt64(bit % 64)
  }

  mutating func clear(_ bit: Int, from start: Int) {
    words[start + bit / 64] &= ~(1 << UInt64(bit % 64))
  }

  func hasAny(row: Int) -> Bool {
    guard let start = start(of: row) else { return false }
    return (start..<start + wordCount).contains { words[$0] != 0 }
  }

  func words(row: Int) -> [UInt64] {
    guard let start = start(of: row) else { return [] }
    return (start..<start + wordCount).map { words[$0] }
  }

  mutating func formUnion(_ other: [UInt64], row: Int) {
    let start = makeStart(of: row)
    for (index, word) in other.prefix(wordCount).enumerated() { words[start + index] |= word }
  }

  /// Returns the rows that have a bit.
  func rows(with bit: Int) -> [Int] {
    (0..<pages.count).flatMap { page -> [Int] in
      guard pages[page] >= 0 else { return [] }
      return (0..<1 << Self.pageShift).map { page << Self.pageShift | $0 }
        .filter { self[bit, row: $0] }
    }
  }

  mutating func removeAll() {
    pages.truncate(to: 0)
    words.truncate(to: 0)
  }

  private func start(of row: Int) -> Int? {
    let page = row >> Self.pageShift
    guard page < pages.count, pages[page] >= 0 else { return nil }
    return (Int(pages[page]) << Self.pageShift | row & (1 << Self.pageShift - 1)) * wordCount
  }

  /// Returns the first word of a row; makes the row's page if it is missing.
  mutating func makeStart(of row: Int) -> Int {
    if let start = start(of: row) { return start }
    let page = row >> Self.pageShift
    while pages.count <= page { pages.push(-1) }
    let size = wordCount << Self.pageShift
    pages[page] = Int32(words.count / size)
    for _ in 0..<size { words.push(0) }
    return start(of: row) ?? 0
  }
}

/// The values given to objects of earlier batches in a database, by identity.
///
/// The number of kept objects is bounded: a further object that comes in two batches is not
/// compared.
struct EarlierBatches {
  /// The most objects that are kept, in about 6 MB.
  var limit = 150_000
  private struct Entry {
    var start: Int32
    var count: Int32
  }

  private var entries = [Int: Entry]()
  private var words: ContiguousArray<UInt64> = []
  var isEmpty: Bool { entries.isEmpty }
  /// Whether there were more objects than are kept.
  private(set) var isFull = false

  func words(of digest: Int) -> [UInt64]? {
    guard let entry = entries[digest] else { return nil }
    return Array(words[Int(entry.start)..<Int(entry.start + entry.count)])
  }

  mutating func keep(_ new: [UInt64], of digest: Int) {
    if let entry = entries[digest] {
      for (index, word) in new.prefix(Int(entry.count)).enumerated() {
        words[Int(entry.start) + index] |= word
      }
    } else if entries.count < limit {
      entries[digest] = Entry(start: Int32(words.count), count: Int32(new.count))
      words += new
    } else {
      isFull = true
    }
  }
}
