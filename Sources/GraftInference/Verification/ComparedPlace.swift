import Graft

/// What is found at one place of a document, and at the same place of an export of what was imported from it.
///
/// The places are those of ``Shape``: all elements of an array are one, and all members of a dictionary.
final class ComparedPlace {
  /// How often each kind of value is found, and the sums of their fingerprints.
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
    /// The sum of all values with what is in them; nulls count for nothing.
    var content: UInt64 = 0

    var count: Int { nulls + booleans + numbers + strings + objects + arrays }
    var scalarCount: Int { booleans + numbers + strings }
  }

  /// Which of the two texts is read.
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

  /// What is known of the place; nil where the first look has told nothing apart.
  let shape: Shape?
  @safe @exclusivity(unchecked) private(set) var document = Counts()
  @safe @exclusivity(unchecked) private(set) var export = Counts()
  @safe @exclusivity(unchecked) private(set) var members: ContiguousArray<Member> = []
  private var numbers: [UInt64: Int] = [:]
  /// What is at each member of dictionaries.
  private(set) var eachMember: ComparedPlace?
  /// What the elements of arrays are.
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

  @inline(__always)
  func number(of hash: UInt64) -> Int? { numbers[hash] }

  /// Whether a key is one of a dictionary's, and not one that its object has beside them.
  @inline(__always)
  func isData(_ hash: UInt64) -> Bool {
    eachMember != nil && shape?.number(of: hash) == nil
  }

  /// Adds a member that there is not yet.
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
