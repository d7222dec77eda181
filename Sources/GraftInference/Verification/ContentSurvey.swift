// Two texts are compared without keeping either: both are counted at the same tree of places. If
// the counts and the sums of the fingerprints are equal everywhere, each place has the same values.
// The content of an object is the sum of its members with everything inside them, so the values are
// also combined into the same objects.
//
// Raw memory: open containers refer to their places without counting references; see `BorrowedPlace`.
// The tree of places only grows while a text is read.

import Graft

/// Counts the values of a text at each of its places.
///
/// - Complexity: O(1) for each event. Memory is O(*n*) in the number of places, at most
///   `placeLimit`.
final class ContentSurvey: EventReceiver {
  /// An open container.
  private struct OpenContainer {
    /// The place; nil if the limit of places is reached.
    let place: BorrowedPlace<ComparedPlace>?
    let isArray: Bool
    /// The number of the object among those of the text, from 1.
    var number = 0
    var content: UInt64 = 0
    var count = 0
    var key: UInt64 = 0
    /// The number of the last member.
    var member = -1
    /// The place of the next value.
    var next: BorrowedPlace<ComparedPlace>?
  }

  private let side: ComparedPlace.Side
  private let start: ComparedPlace
  /// Whether the outermost container is left out of the comparison.
  private let isList: Bool
  private var freePlaces: Int
  private var objectCount = 0
  @safe @exclusivity(unchecked) private var open: ContiguousArray<OpenContainer> = []

  /// Creates a survey of a document.
  ///
  /// - Parameters:
  ///   - document: The place of the document itself.
  ///   - placeLimit: The most places that are distinguished.
  init(document: ComparedPlace, placeLimit: Int) {
    side = .document
    start = document
    isList = false
    freePlaces = placeLimit
  }

  /// Creates a survey of exported objects, in an array or under their keys.
  ///
  /// - Parameters:
  ///   - place: Where the document has the objects.
  ///   - placeLimit: The most places that are added to those of the document: an export also writes the keys that an
  ///     object lacks.
  init(exportAt place: ComparedPlace, placeLimit: Int) {
    side = .export
    start = place
    isList = true
    freePlaces = placeLimit
  }

  // MARK: Scalars

  func null() {
    count { $0.nulls &+= 1 }
    deliver(0)
  }

  func boolean(_ value: Bool) {
    let content: UInt64 = value ? 0x7275_7274 : 0x736c_6166
    count { counts in
      counts.booleans &+= 1
      counts.scalars &+= content
      counts.note(content)
    }
    deliver(content)
  }

  func number(_ bytes: BorrowedBuffer<UInt8>) {
    let content = Fingerprint.mix(Self.fingerprint(ofNumber: bytes), 0x6e)
    count { counts in
      counts.numbers &+= 1
      counts.scalars &+= content
      counts.note(content)
    }
    deliver(content)
  }

  func string(_ bytes: BorrowedBuffer<UInt8>) {
    let content = Fingerprint.mix(Fingerprint.of(bytes), 0x73)
    count { counts in
      counts.strings &+= 1
      counts.scalars &+= content
      counts.note(content)
    }
    deliver(content)
  }

  /// Returns the fingerprint of a number, however it is spelled: `1`, `1.0` and `1e0` are one.
  private static func fingerprint(ofNumber text: BorrowedBuffer<UInt8>) -> UInt64 {
    if let integer = text.withSpan(IntegerText.parse) {
      return Fingerprint.mix(UInt64(bitPattern: integer), 0x69)
    }
    // 17 digits distinguish every `Double`; a longer number is compared by its digits.
    if let scan = text.withSpan({ NumberScan($0) }), scan.digitCount <= 18,
      let value = scan.double
    {
      return Fingerprint.mix(value.bitPattern, 0x66)
    }
    guard let decimal = text.withSpan({ DecimalText($0)?.canonicalText }) else {
      return Fingerprint.of(text)
    }
    return decimal.withBorrowed { Fingerprint.of($0) }
  }

  // MARK: Containers

  func key(_ bytes: BorrowedBuffer<UInt8>) {
    let top = open.count - 1
    // Objects that are identified by their keys are exported under them.
    if isList, top == 0 { return }
    let hash = Fingerprint.of(bytes)
    open[top].key = hash
    guard let place = open[top].place else {
      open[top].next = nil
      return
    }
    place { self.enter(hash, bytes, of: $0) }
  }

  /// Makes the member with a key the place of the next value.
  @inline(__always)
  private func enter(_ hash: UInt64, _ bytes: BorrowedBuffer<UInt8>, of place: ComparedPlace) {
    let top = open.count - 1
    if place.isData(hash) {
      open[top].next = place.eachMember.map(BorrowedPlace.init)
      return
    }
    // Texts repeat their order: the next member is usually the one after the last.
    let expected = open[top].member &+ 1
    if expected < place.members.count, place.members[expected].hash == hash {
      open[top].member = expected
    } else if let number = place.number(of: hash) {
      open[top].member = number
    } else if freePlaces > 0 {
      freePlaces -= 1
      open[top].member = place.append(bytes, hash)
    } else {
      place.isIncomplete = true
      open[top].next = nil
      return
    }
    let member = place.members[open[top].member].place
    if side == .document { member.note(holder: open[top].number) }
    open[top].next = BorrowedPlace(member)
  }

  func startObject() {
    guard !isList || !open.isEmpty else { return startList() }
    let place = place()
    place? { $0.count(side) { $0.objects &+= 1 } }
    objectCount += 1
    open.append(OpenContainer(place: place, isArray: false, number: objectCount))
  }

  func startArray() {
    guard !isList || !open.isEmpty else { return startList() }
    let place = place()
    var element: BorrowedPlace<ComparedPlace>?
    place? { place in
      place.count(side) { $0.arrays &+= 1 }
      if place.element == nil, freePlaces > 0 {
        freePlaces -= 1
        _ = place.makeElement()
      }
      element = place.element.map(BorrowedPlace.init)
    }
    open.append(OpenContainer(place: place, isArray: true, next: element))
  }

  /// Begins the list of the exported objects, which is left out of the comparison.
  private func startList() {
    open.append(OpenContainer(place: nil, isArray: true, next: BorrowedPlace(start)))
  }

  func endObject() { end(0x6f) { $0.emptyObjects &+= 1 } }

  func endArray() { end(0x61) { $0.emptyArrays &+= 1 } }

  private func end(_ kind: UInt64, noteEmpty: (inout ComparedPlace.Counts) -> Void) {
    let container = open.removeLast()
    let content = Fingerprint.mix(container.content, kind) | 1
    container.place? { place in
      place.count(side) { counts in
        if container.count == 0 { noteEmpty(&counts) }
        counts.note(content)
      }
    }
    deliver(content)
  }

  /// Counts the value that begins at its place.
  @inline(__always)
  private func count(_ body: (inout ComparedPlace.Counts) -> Void) {
    place()? { $0.count(side, body) }
  }

  /// Returns the place of the value that begins.
  @inline(__always)
  private func place() -> BorrowedPlace<ComparedPlace>? {
    open.isEmpty ? BorrowedPlace(start) : open[open.count - 1].next
  }

  /// Passes a value to the container around it.
  @inline(__always)
  private func deliver(_ content: UInt64) {
    guard !open.isEmpty else { return }
    let top = open.count - 1
    open[top].count &+= 1
    if open[top].isArray {
      open[top].content = Fingerprint.mix(open[top].content ^ content, 0x65)
    } else if content != 0 {
      open[top].content &+= Fingerprint.mix(open[top].key, content)
    }
  }
}
