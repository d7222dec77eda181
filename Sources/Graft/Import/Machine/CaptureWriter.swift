// Attributes that keep JSON hold the text of the value that stands at their path. While any of them
// is being read, the events are written out once more without white space; since the text of an
// inner value is a part of the outer's, one text serves all captures that are open at a time.

/// Writes out the values that are kept as JSON.
struct CaptureWriter {
  /// An attribute whose value is being written.
  struct Capture {
    var number: Int32
    var property: Int32
    var rank: UInt8
    var requiredBit: UInt64
    var frame: Int32
    var start: Int
    /// The containers open in the text before the value began.
    var depth: Int
  }

  private(set) var text: [UInt8] = []
  private(set) var captures: [Capture] = []
  private var depth = 0

  /// Starts to keep a container that has just begun.
  mutating func begin(isArray: Bool, action: StartAction, frame: Int32) {
    let isFirst = captures.isEmpty
    // A capture that is open already has written the container's bracket.
    if isFirst { start(isArray: isArray) }
    captures.append(
      Capture(
        number: action.number, property: action.property, rank: action.rank,
        requiredBit: action.requiredBit, frame: frame,
        start: text.count - 1, depth: depth - 1))
  }

  /// The captures whose values have ended.
  mutating func takeFinished() -> [Capture] {
    let finished = captures.filter { $0.depth == depth }
    captures.removeAll { $0.depth == depth }
    return finished
  }

  /// Forgets the text when nothing is being kept any more.
  mutating func reset() {
    text.removeAll(keepingCapacity: text.capacity <= 1 << 16)
    depth = 0
  }

  mutating func key(_ key: UnsafePointer<UInt8>, _ count: Int) {
    separate()
    JSONLiteral.appendString(UnsafeBufferPointer(start: key, count: count), to: &text)
    text.append(0x3A)
  }

  mutating func scalar(_ scalar: ScalarEvent) {
    separate()
    JSONLiteral.append(scalar, to: &text)
  }

  mutating func start(isArray: Bool) {
    separate()
    text.append(isArray ? 0x5B : 0x7B)
    depth += 1
  }

  mutating func end(isArray: Bool) {
    text.append(isArray ? 0x5D : 0x7D)
    depth -= 1
  }

  private mutating func separate() {
    guard let last = text.last, last != 0x5B, last != 0x7B, last != 0x3A else { return }
    text.append(0x2C)
  }
}

extension JSONLiteral {
  /// Appends a scalar as it stands in JSON.
  static func append(_ scalar: ScalarEvent, to output: inout [UInt8]) {
    switch scalar.kind {
    case .null: output += Array("null".utf8)
    case .boolean, .number: output += scalar.text
    case .string: appendString(scalar.text, to: &output)
    }
  }
}

extension ImportMachine {
  /// Hands over the values that have ended with the present container.
  func finishCaptures() -> Bool {
    for capture in captures.takeFinished() {
      guard push(capture) else { return false }
    }
    guard captures.captures.isEmpty else { return true }
    captures.reset()
    state.pointee.mode = .reading
    return true
  }

  /// Notes a value that was kept as JSON, or what a transformer makes of it.
  private func push(_ capture: CaptureWriter.Capture) -> Bool {
    let up = frameIndex(up: 0) - capture.frame
    (state.pointee.frames.base + Int(capture.frame)).pointee.seen |= capture.requiredBit
    let text = captures.text[capture.start...]
    return text.withUnsafeBufferPointer { text in
      let json = RawValue.bytes(text.baseAddress, count: text.count)
      guard let value = captured(json, capture.property) else {
        let message = complaint
        complaint = nil
        return reject(
          .invalidValue, plan.properties[Int(capture.property)], found: "a JSON value",
          message: message, up: up)
      }
      guard let start = value.start else {
        push(
          value.isNull ? .null : .word, number: capture.number, rank: capture.rank,
          bits: value.bits, up: up)
        return true
      }
      let position = state.pointee.bytes.push(start, value.count)
      push(
        .bytes, number: capture.number, rank: capture.rank, bits: UInt64(position),
        count: value.count, up: up)
      return true
    }
  }

  /// What an attribute makes of a JSON value; nil if it refuses the value.
  private func captured(_ json: RawValue, _ property: Int32) -> RawValue? {
    guard let custom = plan.customs[Int(property)] else { return json }
    var value = json
    if case .custom(let transformer) = custom.transformer {
      guard let made = apply(transformer, to: .json(json.text), custom) else { return nil }
      value = made
    }
    guard !value.isNull, let complaint = custom.complaint(about: value) else { return value }
    self.complaint = complaint
    return nil
  }
}
