// Late information is buffered, and only then: while an object's entity is not known, its events
// wait here, with the place of each, so that what is said of them later is said as if they had been
// read at once. An object that the program has rewritten is a tape of its own, all of whose events
// stand where the object does.
//
// Invariants: `end` of an event that begins a container is the index of the event that ends it,
// once that is recorded; a tape that is played holds only whole containers, except the object that
// it was begun for, whose own brackets are not on it.

/// The events of one object whose entity is not known yet.
final class EventTape {
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
    var start: Int
    /// The bytes of the text; of a container the number of its values so far.
    var count: Int
    var end = -1
    /// The event that begins the container around; -1 for the object itself.
    ///
    /// Of an event that ends a container it is the one that begins it.
    var parent: Int
    /// The position among the values of the container around.
    var position: Int
    var offset: Int
    var line: Int
    var column: Int
  }

  /// The container that the object is if its entity is the one that the model names.
  let container: Int32
  /// What the machine did before it began to record.
  let mode: MachineState.Mode
  /// The object's depth among the open containers.
  let baseDepth: Int
  let outside: any EventSource
  /// How many tapes around this one have replaced an object of another.
  let generation: Int
  /// The bytes of the name under which the object stands, which come before all other text; -1 in
  /// an array.
  private let nameCount: Int
  /// The position at which the object stands.
  let position: Int
  /// Where all events are said to stand, if not where they are recorded.
  private let origin: SourceLocation?
  private let limit: Int
  private(set) var events = RawStack<Event>(capacity: 64)
  private var bytes = RawStack<UInt8>(capacity: 1024)
  private var open = RawStack<Int>()
  private var valueCount = 0
  /// The event that is being played; -1 before the first, which is the beginning of the object.
  private(set) var cursor = -1
  /// The event that is played next.
  private var next = 0

  /// Begins the tape of an object that the events' sender has just begun.
  init(
    container: Int32, mode: MachineState.Mode, baseDepth: Int, outside: any EventSource, limit: Int
  ) {
    self.container = container
    self.mode = mode
    self.baseDepth = baseDepth
    self.outside = outside
    self.limit = limit
    generation = 0
    position = outside.currentIndex
    origin = nil
    let name = outside.currentKey
    nameCount = name.baseAddress == nil ? -1 : name.count
    keep(name)
  }

  /// Begins the tape of what replaces an object of another tape.
  ///
  /// - Parameters:
  ///   - original: The other tape.
  ///   - object: The event that begins the object; -1 for the object that the tape was begun for.
  ///   - depth: The object's depth among the open containers.
  init(replacing original: EventTape, object: Int, depth: Int) {
    original.move(to: object)
    container = original.container
    mode = original.mode
    baseDepth = depth
    outside = object < 0 ? original.outside : original
    limit = original.limit
    generation = original.generation + 1
    position = original.currentIndex
    origin = original.tokenLocation
    let name = original.currentKey
    nameCount = name.baseAddress == nil ? -1 : name.count
    keep(name)
  }

  private func keep(_ name: UnsafeRawBufferPointer) {
    guard let start = name.baseAddress else { return }
    _ = bytes.push(start.assumingMemoryBound(to: UInt8.self), name.count)
  }

  /// The name under which the object stands; nil in an array.
  var name: UnsafeRawBufferPointer? {
    nameCount < 0 ? nil : UnsafeRawBufferPointer(start: bytes.base, count: nameCount)
  }

  deinit {
    events.deallocate()
    bytes.deallocate()
    open.deallocate()
  }

  /// The containers that are open within the object.
  var depth: Int { open.count }

  /// The text of an event.
  func text(_ event: Event) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes.base + event.start, count: event.count)
  }

  /// Adds an event; false where the object has grown beyond the limit.
  func record(_ kind: Kind, _ text: UnsafePointer<UInt8>? = nil, _ count: Int = 0) -> Bool {
    let place = origin ?? outside.tokenLocation
    let parent = open.count > 0 ? open.top.pointee : -1
    var event = Event(
      kind: kind, start: bytes.count, count: count, parent: parent,
      position: parent < 0 ? valueCount : events[parent].count, offset: place.offset,
      line: place.line, column: place.column)
    if let text { event.start = bytes.push(text, count) }
    // A key may be loaded with what lies behind it.
    for _ in 0..<EventSink.keyPadding { bytes.push(0) }
    switch kind {
    case .key: break
    case .endObject, .endArray: (events.base + open.pop()).pointee.end = events.count
    default:
      if parent < 0 { valueCount += 1 } else { (events.base + parent).pointee.count += 1 }
      if kind == .startObject || kind == .startArray { open.push(events.count) }
    }
    events.push(event)
    return events.count * MemoryLayout<Event>.stride + bytes.count <= limit
  }

  /// Takes an event for the one at hand, so that places are told from there.
  func move(to index: Int) {
    cursor = index
  }

  /// Takes an object for played, up to its end.
  func pass(over object: Int) {
    next = object < 0 ? events.count : events[object].end
  }

  /// Sends the events to a machine.
  func play(to machine: ImportMachine) -> Bool {
    while next < events.count {
      cursor = next
      let event = events[next]
      next += 1
      let text = bytes.base + event.start
      let goesOn =
        switch event.kind {
        case .null: machine.null()
        case .boolean: machine.boolean(event.count != 0)
        case .number: machine.number(text, event.count)
        case .string: machine.string(text, event.count)
        case .key: machine.key(text, event.count)
        case .startObject: machine.startObject()
        case .startArray: machine.startArray()
        case .endObject: machine.endObject()
        case .endArray: machine.endArray()
        }
      guard goesOn else { return false }
    }
    return true
  }

  /// Finds the value at a path below an object.
  ///
  /// - Parameters:
  ///   - path: Names and positions.
  ///   - object: The event that begins the object; -1 for the object that the tape was begun for.
  /// - Returns: The last such event, as later members count for more.
  func value(at path: JSONPath, of object: Int) -> Int? {
    var containers = [object]
    for (number, step) in path.steps.enumerated() {
      let isLast = number == path.steps.count - 1
      guard let container = containers.popLast(), let child = child(step, of: container) else {
        return nil
      }
      if isLast { return child }
      guard events[child].kind == .startObject || events[child].kind == .startArray else {
        return nil
      }
      containers = [child]
    }
    return nil
  }

  /// The event that ends a container, or the next where it is still open.
  func end(of container: Int) -> Int {
    container < 0 || events[container].end < 0 ? events.count : events[container].end
  }

  private func child(_ step: JSONPath.Step, of container: Int) -> Int? {
    let limit = end(of: container)
    let isArray = container >= 0 && events[container].kind == .startArray
    var index = container + 1
    var position = 0
    var found: Int?
    while index < limit {
      if isArray {
        if step == .element(position) { return index }
        position += 1
      } else {
        guard index + 1 < limit else { break }
        if case .member(let name) = step, text(events[index]).elementsEqual(name.utf8) {
          found = index + 1
        }
        index += 1
      }
      index = max(events[index].end, index) + 1
    }
    return found
  }
}
