// A Transformable attribute without transformer keeps its value as JSON. While such a value is
// read, its events are written again, without white space. The JSON of an inner value is a part of
// the outer value's JSON, so one writer serves all open captures.

/// Writes the objects and arrays that attributes keep as JSON.
struct JSONCapture: ~Copyable {
  /// An attribute whose value is being written.
  struct Capture {
    var action: PropertyAction
    /// The index of the parser whose object has the attribute.
    var parser: Int32
    var start: Int
    /// The number of containers that were open in the JSON before the value began.
    var level: Int
  }

  private(set) var json = JSONWriter()
  private(set) var captures: [Capture] = []

  /// Whether a value is being captured.
  var isActive: Bool { !captures.isEmpty }

  /// Begins to capture a container that has just started.
  mutating func begin(isArray: Bool, _ action: PropertyAction, parser: Int32) {
    let isFirst = captures.isEmpty
    // An open capture has already written the container's bracket.
    if isFirst { write(.start(isArray: isArray)) }
    captures.append(
      Capture(
        action: action, parser: parser, start: json.buffer.count - 1, level: json.level - 1))
  }

  /// Returns the captures whose values have ended.
  mutating func takeFinished() -> [Capture] {
    let finished = captures.filter { $0.level == json.level }
    captures.removeAll { $0.level == json.level }
    return finished
  }

  /// Drops the JSON when nothing is captured any more.
  mutating func reset() { json.reset() }

  /// Writes an event of the value.
  mutating func write(_ event: DocumentEvent) {
    switch event {
    case .key(let key): key.withSpan { json.key($0) }
    case .scalar(let scalar): json.scalar(scalar)
    case .start(let isArray): if isArray { json.beginArray() } else { json.beginObject() }
    case .end(let isArray): if isArray { json.endArray() } else { json.endObject() }
    }
  }
}

extension JSONWriter {
  /// Writes a scalar as the document has it.
  mutating func scalar(_ scalar: ScalarEvent) {
    switch scalar.kind {
    case .null: null()
    case .boolean, .number: scalar.text.withSpan { literal($0) }
    case .string: scalar.text.withSpan { string($0) }
    }
  }
}
