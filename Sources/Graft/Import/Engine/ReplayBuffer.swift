// Events are buffered only if information comes late. In `{"wheels": 4, "type": "Car"}` nothing says which
// entity's attribute "wheels" is before "type" does, so the events of the object wait here and are replayed when
// its entity is known. Each event keeps its place in the document, so that errors say the same as if it had been
// read at once. The result of a dictionary transformer is a buffer of its own, in which all events are at the
// object's place.
//
// Invariants: `end` of an event that starts a container is the index of the event that ends it,
// once that is recorded. A buffer that is replayed has whole containers only. The exception is its
// own object, whose brackets are not in the buffer. The memory is plain and belongs to the buffer.

/// The events of one object whose entity is not known yet.
final class ReplayBuffer {
  enum Kind: UInt8 {
    case null
    case boolean
    case number
    case string
    case key
    case startObject
    case startArray
    case endObject
    case endArray
  }

  struct Event: BitwiseCopyable {
    var kind: Kind
    /// The position of the text in the buffer's bytes.
    var start: Int
    /// The bytes of the text; of a container, the number of its values so far; of a boolean, 0 or 1.
    var count: Int
    /// For an event that starts a container, the index of the event that ends it; -1 while the
    /// container is open.
    var end = -1
    /// The index of the event that starts the enclosing container; -1 for the object itself.
    ///
    /// For an event that ends a container, the index of the event that starts it.
    var parent: Int
    /// The index among the values of the container around it.
    var position: Int
    var offset: Int
    var line: Int
    var column: Int
  }

  /// The number of the object's container if its entity is the one that the model names.
  let container: Int32
  /// Whether the object is an array in JSON.
  private let isArray: Bool
  /// The treatment of events before the object began.
  let mode: DocumentPosition.Mode
  /// The object's depth among the open containers.
  let baseDepth: Int
  /// Sends the events around the object.
  let outside: any EventSource
  /// The number of transformers in a row that have replaced the object.
  let generation: Int
  /// The bytes of the object's key, which come before all other text; -1 in an array.
  private let keyCount: Int
  /// The path of the container around the buffer's values, if `outside` no longer knows it when they are
  /// replayed.
  private let containerPath: String?
  /// The index at which the object is in its array.
  private let position: Int
  /// The reported place of all events; nil for the places where they were recorded.
  private let origin: SourceLocation?
  private let limit: Int
  private(set) var events = RawStack<Event>(capacity: 4)
  private var bytes = RawStack<UInt8>(capacity: 128)
  private var open = RawStack<Int>()
  /// The event of the last key of the object itself.
  private var memberKey: Int?
  /// The awaited keys that have been found.
  private var seenKeys: Set<[UInt8]> = []
  /// Counts the times that the discriminator was known, and the identity was still missing.
  ///
  /// If this occurs too often, because keys are repeated, the object is buffered as a whole.
  var undecidedCount = 0
  private var valueCount = 0
  /// The event that is being replayed; -1 before the first, which is the start of the object.
  private(set) var cursor = -1
  /// The event that is replayed next.
  private var next = 0

  private init(
    container: Int32 = -1, isArray: Bool = false, mode: DocumentPosition.Mode = .reading,
    baseDepth: Int, outside: any EventSource, limit: Int, generation: Int = 0,
    containerPath: String? = nil, position: Int = 0, origin: SourceLocation? = nil,
    key: BorrowedBuffer<UInt8>? = nil
  ) {
    self.container = container
    self.isArray = isArray
    self.mode = mode
    self.baseDepth = baseDepth
    self.outside = outside
    self.limit = limit
    self.generation = generation
    self.containerPath = containerPath
    self.position = position
    self.origin = origin
    keyCount = key?.count ?? -1
    if let key { _ = bytes.push(key) }
  }

  /// Creates the buffer of an object that has just started.
  convenience init(
    container: Int32, isArray: Bool, mode: DocumentPosition.Mode, baseDepth: Int,
    outside: any EventSource, limit: Int
  ) {
    self.init(
      container: container, isArray: isArray, mode: mode, baseDepth: baseDepth, outside: outside,
      limit: limit, position: outside.currentIndex, key: outside.currentKey)
  }

  /// Creates the buffer for the replacement of an object in another buffer.
  ///
  /// - Parameters:
  ///   - original: The other buffer.
  ///   - object: The event that starts the object; -1 for the object that the buffer is of.
  ///   - depth: The object's depth among the open containers.
  convenience init(replacing original: ReplayBuffer, object: Int, depth: Int) {
    original.move(to: object)
    self.init(
      container: original.container, mode: original.mode, baseDepth: depth,
      outside: object < 0 ? original.outside : original, limit: original.limit,
      generation: original.generation + 1, position: original.currentIndex,
      origin: original.tokenLocation, key: original.currentKey)
  }

  /// Creates the buffer of a single value, which is not replayed before the container around it ends.
  ///
  /// - Parameters:
  ///   - depth: The depth of the container at whose end the value is replayed.
  ///   - containerDepth: The depth of the value's own container, where that has ended then.
  ///   - outside: The sender of the events.
  ///   - limit: The most bytes that it may hold.
  convenience init(valueIn depth: Int, containerDepth: Int?, outside: any EventSource, limit: Int) {
    self.init(
      baseDepth: depth, outside: outside, limit: limit,
      containerPath: containerDepth.map { outside.path(ofContainerAt: $0) })
    valueCount = outside.currentIndex
    guard let key = outside.currentKey else { return }
    _ = record(.key(key))
    next = 1
  }

  // MARK: Recording

  /// Whether the object is a member of another one.
  var hasKey: Bool { keyCount >= 0 }

  /// Whether the next end of a container ends the object itself.
  var isAtObject: Bool { open.count == 0 }

  /// The number of open containers within the object.
  var depth: Int { open.count }

  /// Adds an event.
  ///
  /// - Returns: Whether the buffer is within its limit.
  func record(_ kind: Kind, _ text: BorrowedBuffer<UInt8>? = nil) -> Bool {
    record(kind, text, count: text?.count ?? 0)
  }

  private func record(_ kind: Kind, _ text: BorrowedBuffer<UInt8>?, count: Int) -> Bool {
    let location = origin ?? outside.tokenLocation
    let parent = open.count > 0 ? open.top : -1
    var event = Event(
      kind: kind, start: bytes.count, count: count, parent: parent,
      position: parent < 0 ? valueCount : events[parent].count, offset: location.offset,
      line: location.line, column: location.column)
    if let text { event.start = bytes.push(text) }
    // A reader of a key may load a few bytes after it.
    for _ in 0..<InputSlice.keyPadding { bytes.push(0) }
    switch kind {
    case .key: if parent < 0 { memberKey = events.count }
    case .endObject, .endArray: events[open.pop()].end = events.count
    default:
      if parent < 0 { valueCount += 1 } else { events[parent].count += 1 }
      if kind == .startObject || kind == .startArray { open.push(events.count) }
    }
    events.push(event)
    return byteCount <= limit
  }

  /// The bytes that the events take.
  var byteCount: Int { events.count * MemoryLayout<Event>.stride + bytes.count }

  /// Adds a boolean.
  ///
  /// - Returns: Whether the buffer is within its limit.
  func record(_ value: Bool) -> Bool { record(.boolean, nil, count: value ? 1 : 0) }

  /// Adds an event of the document.
  ///
  /// - Returns: Whether the buffer is within its limit.
  func record(_ event: DocumentEvent) -> Bool {
    switch event {
    case .key(let text): record(.key, text)
    case .scalar(let scalar):
      switch scalar.kind {
      case .null: record(.null)
      case .boolean: record(scalar.isTrue)
      case .number: record(.number, scalar.text)
      case .string: record(.string, scalar.text)
      }
    case .start(let isArray): record(isArray ? .startArray : .startObject)
    case .end(let isArray): record(isArray ? .endArray : .endObject)
    }
  }

  /// Returns whether the object has had a value under each of these keys, the last of them just now.
  func hasSeen(_ keys: [PlanDecision.AwaitedKey]) -> Bool {
    guard isAtObject, !isArray, let key = memberKey else { return false }
    for awaited in keys where text(events[key]).elementsEqual(awaited.key) {
      if !awaited.needsScalar || isScalar(key + 1) { seenKeys.insert(awaited.key) }
    }
    return seenKeys.count == keys.count
  }

  /// Returns whether the last key of the object itself is one of some.
  func isLastKey(among keys: [[UInt8]]) -> Bool {
    guard let key = memberKey else { return false }
    return keys.contains { text(events[key]).elementsEqual($0) }
  }

  /// Returns whether a value is a scalar other than `null`.
  private func isScalar(_ index: Int) -> Bool {
    switch events[index].kind {
    case .boolean, .number, .string: true
    case .null, .key, .startObject, .startArray, .endObject, .endArray: false
    }
  }

  // MARK: Replaying

  /// Makes an event the current one, from which locations and paths are computed.
  func move(to index: Int) {
    cursor = index
  }

  /// Continues after an object, without replaying it.
  func skip(_ object: Int) {
    next = object < 0 ? events.count : events[object].end
  }

  /// Sends the events to an engine.
  func replay(to engine: ImportEngine) throws(ImportStop) {
    while next < events.count {
      cursor = next
      let event = events[next]
      next += 1
      switch event.kind {
      case .null, .boolean, .number, .string:
        if let scalar = scalar(cursor) { try engine.receive(scalar) }
      case .key: try engine.receiveKey(text(event))
      case .startObject: try engine.receiveStart(isArray: false)
      case .startArray: try engine.receiveStart(isArray: true)
      case .endObject: try engine.receiveEnd(isArray: false)
      case .endArray: try engine.receiveEnd(isArray: true)
      }
    }
  }

  // MARK: Looking into the object

  /// Returns the text of an event.
  func text(_ event: Event) -> BorrowedBuffer<UInt8> {
    bytes.elements(from: event.start, count: event.count)
  }

  /// Returns a recorded scalar as it was sent; nil for other events.
  func scalar(_ index: Int) -> ScalarEvent? {
    let event = events[index]
    return switch event.kind {
    case .null: ScalarEvent.null
    case .boolean: .boolean(event.count != 0)
    case .number: ScalarEvent(kind: .number, text: text(event))
    case .string: ScalarEvent(kind: .string, text: text(event))
    default: nil
    }
  }

  /// Returns whether an object is an array in JSON; -1 for the object that the buffer is of.
  func isArray(_ object: Int) -> Bool { object < 0 ? isArray : events[object].kind == .startArray }

  /// Finds the value at a path below an object.
  ///
  /// - Parameters:
  ///   - path: Keys and indexes.
  ///   - object: The event that starts the object; -1 for the object that the buffer is of.
  /// - Returns: The last such event, since of a key that occurs twice the later value counts.
  func value(at path: JSONPath, of object: Int) -> Int? {
    var container = object
    for (number, step) in path.steps.enumerated() {
      guard let child = child(step, of: container) else { return nil }
      if number == path.steps.count - 1 { return child }
      guard events[child].kind == .startObject || events[child].kind == .startArray else {
        return nil
      }
      container = child
    }
    return nil
  }

  /// Returns the event that ends a container, or the next where it is still open.
  func end(of container: Int) -> Int {
    container < 0 || events[container].end < 0 ? events.count : events[container].end
  }

  private func child(_ step: JSONPath.Step, of container: Int) -> Int? {
    let limit = end(of: container)
    let isArray = isArray(container)
    var index = container + 1
    var position = 0
    var found: Int?
    while index < limit {
      if isArray {
        if step == .element(position) { return index }
        position += 1
      } else {
        guard index + 1 < limit else { break }
        if case .member(let key) = step, text(events[index]).elementsEqual(key.utf8) {
          found = index + 1
        }
        index += 1
      }
      index = max(events[index].end, index) + 1
    }
    return found
  }
}

// MARK: - Places

// Places within the object are found from the events, places around it from `outside`.

extension ReplayBuffer: EventSource {
  var tokenLocation: SourceLocation {
    cursor < 0 ? outside.location(ofContainerAt: baseDepth) : location(of: cursor)
  }

  func path() -> String {
    guard cursor >= 0, events[cursor].kind == .key else {
      return path(through: containersAndValue())
    }
    var writer = PathWriter(text: path(through: containersAndValue()))
    writer.append(name: text(events[cursor]))
    return writer.text
  }

  var currentKey: BorrowedBuffer<UInt8>? {
    if cursor < 0, keyCount >= 0 { return bytes.elements(from: 0, count: keyCount) }
    guard cursor > 0, events[cursor - 1].kind == .key else { return nil }
    return text(events[cursor - 1])
  }

  var currentIndex: Int { cursor < 0 ? position : events[cursor].position }

  func location(ofContainerAt depth: Int) -> SourceLocation {
    guard depth > baseDepth else { return outside.location(ofContainerAt: depth) }
    let chain = containersAndValue()
    let index = depth - baseDepth - 1
    return index < chain.count ? location(of: chain[index]) : tokenLocation
  }

  func path(ofContainerAt depth: Int) -> String {
    guard depth > baseDepth else { return outside.path(ofContainerAt: depth) }
    return path(through: containersAndValue().prefix(depth - baseDepth))
  }

  private func location(of index: Int) -> SourceLocation {
    let event = events[index]
    return SourceLocation(offset: event.offset, line: event.line, column: event.column)
  }

  /// Returns the events that start the containers around the current value, outermost first,
  /// followed by the value's own event.
  private func containersAndValue() -> [Int] {
    guard cursor >= 0 else { return [] }
    var chain: [Int] = []
    var index = cursor
    switch events[index].kind {
    case .key, .endObject, .endArray: index = events[index].parent
    default: break
    }
    while index >= 0 {
      chain.append(index)
      index = events[index].parent
    }
    return chain.reversed()
  }

  private func path(through chain: some Sequence<Int>) -> String {
    var writer = PathWriter(text: containerPath ?? outside.path(ofContainerAt: baseDepth))
    for index in chain {
      if index > 0, events[index - 1].kind == .key {
        writer.append(name: text(events[index - 1]))
      } else {
        writer.append(index: events[index].position)
      }
    }
    return writer.text
  }
}
