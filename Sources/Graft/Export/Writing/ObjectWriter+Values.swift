import Foundation

extension ObjectWriter {
  /// Writes an attribute with its key.
  @inline(__always)
  mutating func writeAttribute(_ step: UnsafePointer<ExportStep>, _ row: Row) throws {
    let value = row.value(step.pointee.number)
    if value.isNull { return try writeNull(step) }
    if step.pointee.kind == .transformed {
      guard let made = try transformed(step, value, row.id) else { return try writeNull(step) }
      try json.begin(step)
      return try write(made, step, row.id)
    }
    try json.begin(step)
    try write(value, step, row.id)
  }

  /// Writes an attribute's value without a key.
  ///
  /// - Returns: Whether there is one.
  mutating func writeScalar(_ step: UnsafePointer<ExportStep>, _ id: ObjectID) throws -> Bool {
    let value = Row(id, in: graph).value(step.pointee.number)
    if value.isNull { return false }
    guard step.pointee.kind == .transformed else {
      try write(value, step, id)
      return true
    }
    guard let made = try transformed(step, value, id) else { return false }
    try write(made, step, id)
    return true
  }

  /// Writes a value in the form that its step says.
  @inline(__always)
  private mutating func write(
    _ value: RawValue, _ step: UnsafePointer<ExportStep>, _ id: ObjectID
  ) throws {
    switch step.pointee.kind {
    case .string: try json.buffer.appendString(value.bytes)
    case .integer: try json.buffer.appendInteger(value.integer)
    case .boolean: try json.buffer.append(value.boolean ? "true" : "false")
    case .patternDate:
      let interval = try date(value, step, id)
      let number = Int(step.pointee.detail)
      let maximum = plan.patterns[number].maximumByteCount
      try json.buffer.reserve(1)
      json.buffer.put(0x22)
      try json.buffer.append(atMost: maximum + 1) { start in
        let count = plan.patterns[number].write(interval, to: start)
        start[count] = 0x22
        return count + 1
      }
    default: try writeRarely(value, step, id)
    }
  }

  @inline(never)
  private mutating func writeRarely(
    _ value: RawValue, _ step: UnsafePointer<ExportStep>, _ id: ObjectID
  ) throws {
    switch step.pointee.kind {
    case .quotedInteger:
      try json.buffer.append("\"")
      try json.buffer.appendInteger(value.integer)
      try json.buffer.append("\"")
    case .unquotedInteger:
      if let integer = IntegerText.parse(value.bytes), "\(integer)" == value.text {
        try json.buffer.appendInteger(integer)
      } else {
        try json.buffer.appendString(value.bytes)
      }
    case .double: try write(number: value.double, step, id)
    case .float: try write(number: Float(value.double), step, id)
    case .decimal:
      guard NumberScan(value.bytes) != nil else { throw noNumber(value.text, step, id) }
      try json.buffer.append(value.bytes)
    case .json: try write(json: value.bytes, step, id)
    case .binary: try quote { Base64Text.append(value.bytes, to: &$0) }
    case .uuid: try quote { UUIDText.append(value.bytes, to: &$0) }
    case .isoDate:
      let interval = try date(value, step, id)
      try quote { DateText.appendISO8601(interval, to: &$0) }
    case .foundationDate:
      let date = Date(timeIntervalSinceReferenceDate: try date(value, step, id))
      let pattern = plan.patterns[Int(step.pointee.detail)].text
      try write(.string(DatePattern.formatter(pattern).string(from: date)), step, id)
    case .unixDate:
      let milliseconds = try milliseconds(value, step, id)
      try writeSeconds(milliseconds)
    case .unixMillisecondsDate:
      try json.buffer.appendInteger(try milliseconds(value, step, id))
    default: preconditionFailure("a step without a value")
    }
  }

  /// Writes what an attribute's transformer made.
  mutating func write(
    _ value: AttributeValue, _ step: UnsafePointer<ExportStep>, _ id: ObjectID
  ) throws {
    switch value {
    case .integer(let value): try json.buffer.appendInteger(value)
    case .boolean(let value): try json.buffer.append(value ? "true" : "false")
    case .double(let value): try write(number: value, step, id)
    case .float(let value): try write(number: value, step, id)
    case .decimal(let value):
      let text = value.description
      guard !value.isNaN else { throw noNumber(text, step, id) }
      try json.buffer.append(Array(text.utf8))
    case .json(var text): try text.withUTF8 { try write(json: $0, step, id) }
    case .string(var text): try text.withUTF8 { try json.buffer.appendString($0) }
    case .uri(let url):
      var text = url.absoluteString
      try text.withUTF8 { try json.buffer.appendString($0) }
    case .uuid(let value): try json.buffer.append(Array("\"\(value.uuidString)\"".utf8))
    case .binary(let data):
      try json.buffer.append(Array("\"\(data.base64EncodedString())\"".utf8))
    case .date(let value):
      let raw = RawValue.double(value.timeIntervalSinceReferenceDate)
      let interval = try date(raw, step, id)
      try quote { DateText.appendISO8601(interval, to: &$0) }
    }
  }

  private func transformed(
    _ step: UnsafePointer<ExportStep>, _ value: RawValue, _ id: ObjectID
  ) throws -> AttributeValue? {
    let attribute = plan.schema.entities[id.entity].attributes[Int(step.pointee.number)]
    guard let reverse = plan.transformers[Int(step.pointee.detail)].reverse else { return nil }
    do {
      return try reverse(AttributeValue(value, type: attribute.type))
    } catch {
      let name = attribute.transformerName ?? ""
      throw failure(
        .transformer, step, id, "the transformer \"\(name)\" refused the value: \(error)",
        underlyingError: error)
    }
  }

  private mutating func write(
    number: some BinaryFloatingPoint & CustomStringConvertible,
    _ step: UnsafePointer<ExportStep>, _ id: ObjectID
  ) throws {
    guard number.isFinite else { throw noNumber(number.description, step, id) }
    scratch.removeAll(keepingCapacity: true)
    JSONLiteral.appendNumber(number, to: &scratch)
    try json.buffer.append(scratch)
  }

  /// Writes seconds as a number with as many decimals as there are milliseconds.
  private mutating func writeSeconds(_ milliseconds: Int64) throws {
    if milliseconds < 0 { try json.buffer.append("-") }
    let (seconds, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
    try json.buffer.appendInteger(Int64(seconds))
    guard rest > 0 else { return }
    scratch.removeAll(keepingCapacity: true)
    scratch.append(0x2E)
    JSONLiteral.appendDigits(Int(rest), count: 3, to: &scratch)
    while scratch.last == 0x30 { scratch.removeLast() }
    try json.buffer.append(scratch)
  }

  private mutating func quote(_ append: (inout [UInt8]) -> Void) throws {
    scratch.removeAll(keepingCapacity: true)
    scratch.append(0x22)
    append(&scratch)
    scratch.append(0x22)
    try json.buffer.append(scratch)
  }

  /// Writes JSON that is kept as text, without its white space.
  private mutating func write(
    json text: UnsafeBufferPointer<UInt8>, _ step: UnsafePointer<ExportStep>, _ id: ObjectID
  ) throws {
    do {
      try json.buffer.append(try KeptJSON.compact(text))
    } catch let error as ParsingError {
      throw failure(
        .invalidValue, step, id, "the value is no JSON: \(error)", underlyingError: error)
    }
  }

  /// A date that can be written, in seconds since 2001.
  private func date(
    _ value: RawValue, _ step: UnsafePointer<ExportStep>, _ id: ObjectID
  ) throws -> Double {
    guard DateText.writableRange.contains(value.double) else {
      throw failure(
        .invalidValue, step, id,
        "no form of date holds \(value.double) seconds since 2001")
    }
    return value.double
  }

  /// The milliseconds of a date since 1970.
  private func milliseconds(
    _ value: RawValue, _ step: UnsafePointer<ExportStep>, _ id: ObjectID
  ) throws -> Int64 {
    let interval = try date(value, step, id)
    return Int64((interval * 1000).rounded()) + Int64(EpochSeconds.referenceDate) * 1000
  }
}
