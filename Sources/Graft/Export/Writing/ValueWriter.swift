import Foundation

/// Why a value cannot be written; the caller adds which object and property it belongs to.
struct UnwritableValue: Error {
  var kind: ExportError.Kind
  var message: String
  var underlyingError: (any Error)?

  init(
    _ message: String, kind: ExportError.Kind = .invalidValue, underlyingError: (any Error)? = nil
  ) {
    self.kind = kind
    self.message = message
    self.underlyingError = underlyingError
  }

  /// A number that JSON does not have.
  static func notANumber(_ text: String) -> UnwritableValue {
    UnwritableValue("JSON has no number for \(text); leave the property out")
  }
}

/// Writes the values of attributes, in the forms that a plan's steps say.
struct ValueWriter {
  private let patterns: [DatePattern]
  private let transformers: [CustomTransformer]

  init(_ plan: ExportPlan) {
    patterns = plan.patterns
    transformers = plan.transformers
  }

  /// Writes a value.
  ///
  /// - Parameters:
  ///   - value: What the attribute's column holds, which is not null.
  ///   - form: The form of the value, which is not a transformed one.
  ///   - json: Where the value is written.
  /// - Throws: ``UnwritableValue`` where JSON has no form for the value.
  @inline(__always)
  func write(
    _ value: RawValue, _ form: AttributeStep.Form, to json: inout JSONWriter
  ) throws(UnwritableValue) {
    switch form {
    case .plain(.string), .plain(.uri): json.string(value.bytes.span)
    case .plain(.integer64), .plain(.integer32), .plain(.integer16): json.integer(value.integer)
    case .plain(.boolean): json.boolean(value.boolean)
    case .pattern(let number):
      let interval = try date(value.double)
      json.string { patterns[Int(number)].append(interval, to: &$0) }
    default: try writeRareForm(value, form, to: &json)
    }
  }

  @inline(never)
  private func writeRareForm(
    _ value: RawValue, _ form: AttributeStep.Form, to json: inout JSONWriter
  ) throws(UnwritableValue) {
    switch form {
    case .plain(let type):
      switch type {
      case .double, .float:
        guard value.double.isFinite else { throw .notANumber(value.double.description) }
      case .decimal:
        guard NumberScan(value.bytes) != nil else { throw .notANumber(value.text) }
      case .date: _ = try date(value.double)
      case .transformable: return try write(keptJSON: value.bytes.span, to: &json)
      default: break
      }
      json.value(value, of: type)
    case .integerAsString: json.string { $0.append(integer: value.integer) }
    case .stringAsInteger:
      if let integer = IntegerText.parse(value.bytes), "\(integer)" == value.text {
        json.integer(integer)
      } else {
        json.string(value.bytes.span)
      }
    case .pattern(let number):
      let interval = try date(value.double)
      json.string { patterns[Int(number)].append(interval, to: &$0) }
    case .foundationPattern(let number):
      let date = Date(timeIntervalSinceReferenceDate: try date(value.double))
      json.string(DatePattern.formatter(patterns[Int(number)].text).string(from: date))
    case .secondsSince1970: writeSeconds(try milliseconds(value.double), to: &json)
    case .millisecondsSince1970: json.integer(try milliseconds(value.double))
    case .transformed: fatalError("a transformed value is written by its transformer")
    }
  }

  /// Writes what an attribute's transformer makes of a value.
  ///
  /// - Parameters:
  ///   - value: What the attribute's column holds, which is not null.
  ///   - number: The number of the transformer in the plan.
  ///   - attribute: The attribute.
  ///   - json: Where the value is written.
  /// - Returns: Whether the transformer made anything.
  /// - Throws: ``UnwritableValue`` where it threw, or JSON has no form for what it made.
  func writeTransformed(
    _ value: RawValue, by number: Int32, of attribute: AttributeSchema, to json: inout JSONWriter
  ) throws(UnwritableValue) -> Bool {
    let made: AttributeValue?
    do {
      made = try transformers[Int(number)].reverse?(AttributeValue(value, type: attribute.type))
    } catch {
      let name = attribute.transformerName ?? ""
      throw UnwritableValue(
        "the transformer \"\(name)\" threw an error: \(error)", kind: .transformer,
        underlyingError: error)
    }
    guard let made else { return false }
    switch made {
    case .double(let value):
      guard value.isFinite else { throw .notANumber(value.description) }
    case .float(let value):
      guard value.isFinite else { throw .notANumber(value.description) }
    case .decimal(let value):
      guard !value.isNaN else { throw .notANumber(value.description) }
    case .date(let value): _ = try date(value.timeIntervalSinceReferenceDate)
    case .json(let text):
      let bytes = Array(text.utf8)
      try write(keptJSON: bytes.span, to: &json)
      return true
    default: break
    }
    json.value(made)
    return true
  }

  /// Writes seconds as a number with as many decimals as there are milliseconds.
  private func writeSeconds(_ milliseconds: Int64, to json: inout JSONWriter) {
    let (seconds, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
    var number = ByteBuffer()
    if milliseconds < 0 { number.append(0x2D) }
    number.append(integer: Int64(seconds))
    if rest > 0 {
      number.append(0x2E)
      let decimals = rest % 100 == 0 ? 1 : rest % 10 == 0 ? 2 : 3
      let unit: UInt64 = decimals == 1 ? 100 : decimals == 2 ? 10 : 1
      number.append(Int(rest / unit), digits: decimals)
    }
    number.withBytes { json.literal($0.span) }
  }

  /// A date that can be written, in seconds since 2001.
  private func date(_ interval: Double) throws(UnwritableValue) -> Double {
    guard DateText.writableRange.contains(interval) else {
      throw UnwritableValue("no form of date holds \(interval) seconds since 2001")
    }
    return interval
  }

  /// The milliseconds of a date since 1970.
  private func milliseconds(_ interval: Double) throws(UnwritableValue) -> Int64 {
    let milliseconds = (try date(interval) * 1000).rounded()
    return Int64(milliseconds) + Int64(EpochSeconds.referenceDate) * 1000
  }
}

// MARK: - Kept JSON

extension ValueWriter {
  /// Makes sure that what an attribute keeps is one JSON value, and writes it without its white space.
  ///
  /// No limits are set, since those of the import that it is for are not known; the value, which is
  /// in memory already, bounds what its parser takes.
  ///
  /// - Complexity: O(*n*) in its length.
  private func write(
    keptJSON text: Span<UInt8>, to json: inout JSONWriter
  ) throws(UnwritableValue) {
    do {
      let parser = EventParser(sink: EventSink(), options: ParserOptions(limits: Self.unlimited))
      try parser.parse(text.bytes)
      try parser.finish()
    } catch {
      throw UnwritableValue("the value is no JSON: \(error)")
    }
    var compact = ByteBuffer(capacity: text.count)
    var isInString = false
    var isEscaped = false
    for index in text.indices {
      let byte = text[index]
      if isInString {
        isInString = isEscaped || byte != 0x22
        isEscaped = !isEscaped && byte == 0x5C
      } else if byte == 0x22 {
        isInString = true
      } else if byte == 0x20 || 0x09...0x0D ~= byte {
        continue
      }
      compact.append(byte)
    }
    compact.withBytes { json.literal($0.span) }
  }

  private static let unlimited = ParserLimits(
    depth: .max, tokenBytes: .max, keyBytes: .max, numberBytes: .max)
}
