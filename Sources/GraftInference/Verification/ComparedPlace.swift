import Graft

/// Counts the values at one place of a document, and at the same place of an export of its import.
///
/// The places are those of ``Shape``: all elements of an array are one, and all members of a dictionary.
final class ComparedPlace {
  /// The number of values of each kind, and the sums of their fingerprints.
  struct Counts: Equatable {
    var nulls = 0
    var booleans = 0
    var numbers = 0
    var strings = 0
    /// Objects, the empty ones included.
    var objects = 0
    var emptyObjects = 0
    /// Arrays, the empty ones included.
    var arrays = 0
    var emptyArrays = 0
    /// The sum of the strings, numbers and booleans.
    var scalars: UInt64 = 0
    /// The sum of the fingerprints of all values with their contents; nulls count for nothing.
    var content: UInt64 = 0
    /// The same fingerprints, or a sample of them.
    var contents = ValueTally()

    var count: Int { nulls + booleans + numbers + strings + objects + arrays }
    var scalarCount: Int { booleans + numbers + strings }

    /// Whether there are no objects and arrays.
    var hasOnlyScalars: Bool { objects + arrays == 0 }

    /// Returns whether values with their contents are missing, or are fewer, that others have.
    func hasLost(_ others: Counts) -> Bool { !contents.holds(others.contents) }

    /// Notes the content of a value.
    @inline(__always)
    mutating func note(_ value: UInt64) {
      content &+= value
      contents.insert(value)
    }
  }

  /// The text that is read.
  enum Side {
    case document
    case export
  }

  /// A member of the objects at a place.
  struct Member {
    let hash: UInt64
    let key: String
    let place: ComparedPlace
  }

  /// The shape of the place; nil if the first look has none.
  let shape: Shape?
  @safe @exclusivity(unchecked) private(set) var document = Counts()
  @safe @exclusivity(unchecked) private(set) var export = Counts()
  @safe @exclusivity(unchecked) private(set) var members: ContiguousArray<Member> = []
  /// The number of values that follow another one under the same key of the same object of the document.
  @safe @exclusivity(unchecked) private(set) var repeatedCount = 0
  /// The number of the last object of the document with a value here.
  @safe @exclusivity(unchecked) private var holder = 0
  private var numbers: [UInt64: Int] = [:]
  /// Whether some members are left out, as there are too many places.
  @safe @exclusivity(unchecked) var isIncomplete = false
  /// The place of all members of dictionaries.
  private(set) var eachMember: ComparedPlace?
  /// The place of the elements of arrays.
  private(set) var element: ComparedPlace?

  init(_ shape: Shape?) {
    self.shape = shape
    eachMember = shape?.eachMember.map { ComparedPlace($0) }
  }

  @inline(__always)
  func count(_ side: Side, _ body: (inout Counts) -> Void) {
    switch side {
    case .document: body(&document)
    case .export: body(&export)
    }
  }

  /// Notes that an object of the document has a value here.
  @inline(__always)
  func note(holder number: Int) {
    if holder == number { repeatedCount += 1 }
    holder = number
  }

  @inline(__always)
  func number(of hash: UInt64) -> Int? { numbers[hash] }

  /// Returns whether a key belongs to a dictionary, and not to its object's fixed keys.
  @inline(__always)
  func isData(_ hash: UInt64) -> Bool {
    eachMember != nil && shape?.number(of: hash) == nil
  }

  /// Adds a new member.
  func append(_ key: BorrowedBuffer<UInt8>, _ hash: UInt64) -> Int {
    numbers[hash] = members.count
    members.append(
      Member(
        hash: hash, key: String(decoding: key, as: UTF8.self),
        place: ComparedPlace(shape?.member(hash))))
    return members.count - 1
  }

  func makeElement() -> ComparedPlace {
    if let element { return element }
    let place = ComparedPlace(shape?.element)
    element = place
    return place
  }
}
