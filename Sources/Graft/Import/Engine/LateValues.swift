// A relationship may have several paths, and the first one that is present counts. With
// `author | legacy_author`, the object of
//
//   {"legacy_author": {"id": 9}, "author": {"id": 3}, "id": 1}
//
// has author 3, and user 9 is not made: if there is a value at an earlier path, a value at a later
// path is not read and cannot fail. Since the earlier one may come last, a value at a later path
// waits here, as events, until the object that has the relationship ends. Attributes need
// none of this, because all their values wait anyway.

/// The values at later paths of relationships whose objects are still open.
struct LateValues {
  /// A value that waits.
  struct Value {
    /// The index of the parser whose object has the relationship.
    var owner: Int32
    /// The number of the relationship.
    var number: Int32
    /// The index of the path among the relationship's paths.
    var pathIndex: UInt8
    /// The `ValueNode` at which the value is read.
    var node: Int32
    var buffer: ReplayBuffer
  }

  /// A path of a relationship.
  private struct Path: Hashable {
    var number: Int32
    var index: UInt8
  }

  /// The values that wait for the end of an object.
  private struct Waiting {
    /// The values that are complete, in the order of their ends.
    var values: [Value] = []
    /// Whether the values at a path are kept.
    var isKept = [Path: Bool]()
  }

  /// The values whose ends have not been seen yet, outermost first.
  private var recording: [Value] = []
  /// The waiting values, by owner.
  private var waiting = [Int32: Waiting]()
  private(set) var byteCount = 0

  /// Whether events are to be recorded.
  var isRecording: Bool { !recording.isEmpty }

  /// Records a scalar.
  mutating func add(_ scalar: ScalarEvent, _ value: Value) {
    _ = value.buffer.record(.scalar(scalar))
    keep(value)
  }

  /// Begins to record a container that has just started.
  mutating func begin(isArray: Bool, _ value: Value) {
    _ = value.buffer.record(.start(isArray: isArray))
    recording.append(value)
  }

  /// Records an event in all values that have not ended.
  ///
  /// - Returns: Whether each is within its limit.
  func record(_ event: DocumentEvent) -> Bool {
    var isWithinLimit = true
    for value in recording where !value.buffer.record(event) { isWithinLimit = false }
    return isWithinLimit
  }

  /// Stops recording until ``resumeRecording(_:)``.
  ///
  /// - Returns: The values whose ends have not been seen yet.
  mutating func pauseRecording() -> [Value] {
    defer { recording = [] }
    return recording
  }

  /// Continues to record values.
  mutating func resumeRecording(_ values: [Value]) { recording = values }

  /// Moves the values that have ended with the last event to the waiting ones.
  mutating func keepEnded() {
    let ended = recording.filter(\.buffer.isAtObject)
    recording.removeAll(where: \.buffer.isAtObject)
    for value in ended { keep(value) }
  }

  private mutating func keep(_ value: Value) {
    byteCount += value.buffer.byteCount
    waiting[value.owner, default: Waiting()].values.append(value)
  }

  /// Returns whether the values at a path of a relationship are kept, which the first of them decides.
  ///
  /// If there is a value at an earlier path by then, none of them counts. Otherwise they wait, and whether they count is
  /// decided at the end of the object.
  mutating func areKept(
    _ number: Int32, _ pathIndex: UInt8, of owner: Int32, hasEarlier: () -> Bool
  ) -> Bool {
    let path = Path(number: number, index: pathIndex)
    if let isKept = waiting[owner]?.isKept[path] { return isKept }
    let isKept = !hasEarlier()
    waiting[owner, default: Waiting()].isKept[path] = isKept
    return isKept
  }

  /// Takes the values that wait for the end of a parser, those at one path together, in the order of the paths.
  mutating func take(_ owner: Int32) -> [[Value]] {
    let values = waiting.removeValue(forKey: owner)?.values ?? []
    for value in values { byteCount -= value.buffer.byteCount }
    // A value that ended later counts for more, so the order of ends is kept within a path.
    let paths = Dictionary(grouping: values) { Path(number: $0.number, index: $0.pathIndex) }
    return paths.inOrder { ($0.key.number, $0.key.index) < ($1.key.number, $1.key.index) }
      .map(\.value)
  }
}
