import Foundation
import Graft

/// The reason why a value cannot be written; the caller adds the object and the property.
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

  /// Returns a number that JSON does not have.
  static func notANumber(_ text: String) -> UnwritableValue {
    UnwritableValue("JSON has no number for \(text); leave the property out")
  }
}

/// Writes the values of attributes, in the forms of a plan's steps.
struct ValueWriter {
  private let patterns: [WrittenPattern]
  private let transformers: [ReversedTransformer]

  init(_ plan: ExportPlan) {
    patterns = plan.patterns
    transformers = plan.transformers
  }

  /// Writes a value.
  ///
  /// - Parameters:
  ///   - value: The cell of the attribute; not null.
  ///   - form: The form of the value, which is not a transformed one.
  ///   - json: The writer of the value.
  /// - Throws: ``UnwritableValue`` if JSON has no form for the value.
  @inline(__always)
  func write(
    _ value: RawValue, _ form: AttributeStep.Form, to json: inout JSONWriter
  ) throws(UnwritableValue) {
    switch form {
    case .plain(.string), .plain(.uri): value.bytes.withSpan { json.string($0) }
    case .plain(.integer64), .plain(.integer32), .plain(.integer16): json.integer(value.integer)
    case .plain(.boolean): json.boolean(value.boolean)
    case .quoted(.integer64): json.string { $0.append(integer: value.integer) }
    case .pattern(let number):
      let interval = try date(value.double, within: DateText.fourDigitYears)
      json.string { patterns[Int(number)].pattern.append(interval, to: &$0) }
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
        guard value.bytes.withSpan({ NumberScan($0) != nil }) else { throw .notANumber(value.text) }
      case .date: _ = try date(value.double)
      case .transformable:
        return try write(keptJSON: value.bytes, to: &json)
      default: break
      }
      json.value(value, of: type)
    case .quoted(let type):
      var scalar = JSONWriter()
      try writeRareForm(value, .plain(type), to: &scalar)
      json.string { text in scalar.buffer.withSpan { text.append($0) } }
    case .stringAsInteger:
      if let integer = value.bytes.withSpan(IntegerText.parse), "\(integer)" == value.text {
        json.integer(integer)
      } else {
        value.bytes.withSpan { json.string($0) }
      }
    case .pattern(let number), .escapedPattern(let number):
      let pattern = patterns[Int(number)].pattern
      let interval = try date(value.double)
      if pattern.fields != nil { _ = try date(interval, within: DateText.fourDigitYears) }
      json.string(pattern.string(from: interval))
    case .secondsSince1970(let isQuoted):
      let milliseconds = try milliseconds(value.double)
      if isQuoted {
        json.string { Self.append(seconds: milliseconds, to: &$0) }
      } else {
        var number = ByteBuffer()
        Self.append(seconds: milliseconds, to: &number)
        number.withSpan { json.literal($0) }
      }
    case .millisecondsSince1970(let isQuoted):
      let milliseconds = try milliseconds(value.double)
      if isQuoted {
        json.string { $0.append(integer: milliseconds) }
      } else {
        json.integer(milliseconds)
      }
    case .transformed: fatalError("a transformed value is written by its transformer")
    }
  }

  /// Returns whether a date is the same when it is read again in an attribute's pattern.
  @inline(never)
  func holds(_ date: Double, in form: AttributeStep.Form) -> Bool {
    switch form {
    case .pattern(let number), .escapedPattern(let number): patterns[Int(number)].holds(date)
    default: true
    }
  }

  /// Calls an attribute's transformer.
  ///
  /// - Parameters:
  ///   - value: The cell of the attribute; not null.
  ///   - number: The number of the transformer in the plan.
  ///   - attribute: The attribute.
  /// - Returns: What the transformer makes of the value; nil if it makes nothing.
  /// - Throws: ``UnwritableValue`` if it threw.
  func reversed(
    _ value: RawValue, by number: Int32, of attribute: AttributeSchema
  ) throws(UnwritableValue) -> AttributeValue? {
    do {
      return try transformers[Int(number)].code
        .reverse?(AttributeValue(value, type: attribute.type))
    } catch {
      let name = attribute.transformerName ?? ""
      throw UnwritableValue(
        "the transformer \"\(name)\" threw an error: \(error)", kind: .transformer,
        underlyingError: error)
    }
  }

  /// Writes what a transformer has made: a date in the format of the attribute, a number as its written form says.
  ///
  /// - Parameters:
  ///   - made: The value.
  ///   - number: The number of the transformer in the plan.
  ///   - json: The writer of the value.
  /// - Returns: The date and the form in which it is written; nil for other values.
  /// - Throws: ``UnwritableValue`` if JSON has no form for it.
  func write(
    _ made: AttributeValue, by number: Int32, to json: inout JSONWriter
  ) throws(UnwritableValue) -> (date: Double, form: AttributeStep.Form)? {
    let transformer = transformers[Int(number)]
    let type = made.type
    var form = AttributeStep.Form.plain(type)
    if type == .date, transformer.form.isDate {
      form = transformer.form
    } else if type.isNumberOrBoolean, transformer.isQuoted {
      form = .quoted(type)
    }
    guard let owned = made.withRawValue(for: type, { OwnedValue($0) }) else { return nil }
    return try owned.withRawValue { value throws(UnwritableValue) in
      try write(value, form, to: &json)
      return type == .date ? (value.double, form) : nil
    }
  }

  /// Appends seconds with as many decimals as there are milliseconds.
  private static func append(seconds milliseconds: Int64, to number: inout ByteBuffer) {
    let (seconds, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
    if milliseconds < 0 { number.append(0x2D) }
    number.append(integer: Int64(seconds))
    if rest > 0 {
      number.append(0x2E)
      let decimals = rest % 100 == 0 ? 1 : rest % 10 == 0 ? 2 : 3
      let unit: UInt64 = decimals == 1 ? 100 : decimals == 2 ? 10 : 1
      number.append(Int(rest / unit), digits: decimals)
    }
  }

  /// Returns a date that can be written, in seconds since 2001.
  private func date(_ interval: Double) throws(UnwritableValue) -> Double {
    guard DateText.writableRange.contains(interval) else {
      throw UnwritableValue("no form of date holds \(interval) seconds since 2001")
    }
    return interval
  }

  /// Returns a date that can be written in a form in which an import reads no other years.
  @inline(__always)
  private func date(
    _ interval: Double, within range: Range<Double>
  ) throws(UnwritableValue) -> Double {
    guard range.contains(interval) else { throw yearIsTooFar(interval) }
    return interval
  }

  private func yearIsTooFar(_ interval: Double) -> UnwritableValue {
    var text = ByteBuffer()
    DateText.appendISO8601(interval, to: &text)
    return UnwritableValue(
      "the attribute's format has no year for \(text.string); dates of ISO 8601 (iso8601, auto) have"
    )
  }

  /// Returns the milliseconds of a date since 1970.
  private func milliseconds(_ interval: Double) throws(UnwritableValue) -> Int64 {
    let date = try date(interval, within: DateText.numericDates)
    // A date rounded up to the year 10000 could not be read again.
    let milliseconds = min((date * 1000).rounded(), DateText.numericDates.upperBound * 1000 - 1)
    return Int64(milliseconds) + Int64(EpochSeconds.referenceDate) * 1000
  }
}

// MARK: - Kept JSON

extension ValueWriter {
  /// Checks that an attribute's kept text is one JSON value, and writes it without its white space.
  ///
  /// No limits are set, because the limits of the future import are not known.
  ///
  /// - Complexity: O(*n*) in its length.
  private func write(
    keptJSON text: BorrowedBuffer<UInt8>, to json: inout JSONWriter
  ) throws(UnwritableValue) {
    do {
      try JSONSyntax.check(text)
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
    compact.withSpan { json.literal($0) }
  }
}
