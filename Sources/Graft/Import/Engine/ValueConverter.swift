import Foundation

// Raw memory: `bytes` is a stack that this object owns. A value that `convert` returns borrows its
// bytes from the event or from `bytes`, so it is valid until the event ends or the next conversion,
// whichever is first.

/// Converts JSON scalars to the values of columns, where nothing is lost: `"12"` becomes 12 for an
/// integer, while `12.5` and `"twelve"` are refused.
final class ValueConverter: ImportPart {
  /// The reason why a transformer or a rule of the model refuses a value.
  private struct Violation {
    var message: String
    /// The error thrown by the transformer.
    var underlyingError: (any Error)?
  }

  @safe @exclusivity(unchecked) private var bytes = RawStack<UInt8>(capacity: 64)
  private var violation: Violation?
  /// The notice about the last value, which is reported if the value's path counts.
  private var waitingNotice: ImportError?

  /// Refuses the value whose conversion has just failed.
  ///
  /// - Throws: If the error policy ends the import.
  func reject(
    _ action: PropertyAction, found: String, expected: String? = nil
  ) throws(ImportStop) {
    // Without a reason, the value merely has the wrong type.
    let reason = violation
    violation = nil
    try diagnostics.reject(
      reason == nil ? .wrongType : .invalidValue, action, found: found, expected: expected,
      message: reason?.message, underlyingError: reason?.underlyingError)
  }

  /// Returns and clears the notice about the last value, which is reported if the value's path
  /// counts.
  func takeNotice() -> ImportError? {
    defer { waitingNotice = nil }
    return waitingNotice
  }

  /// Converts a scalar that is not null.
  ///
  /// - Parameters:
  ///   - scalar: The scalar.
  ///   - conversion: The conversion to the attribute's value.
  ///   - property: The property's number in the plan.
  /// - Returns: The value; a null for an empty string that is no value of the type; nil if the
  ///   scalar cannot be converted.
  @inline(__always)
  func convert(_ scalar: ScalarEvent, _ conversion: Conversion, _ property: Int32) -> RawValue? {
    switch conversion {
    case .string:
      return .bytes(scalar.text)
    case .integer64: return convertInteger(scalar, Int64.min...Int64.max)
    case .integer32: return convertInteger(scalar, Int64(Int32.min)...Int64(Int32.max))
    case .integer16: return convertInteger(scalar, Int64(Int16.min)...Int64(Int16.max))
    case .boolean: return convertBoolean(scalar)
    default: return convertLessFrequent(scalar, conversion, property)
    }
  }

  private func convertInteger(_ scalar: ScalarEvent, _ range: ClosedRange<Int64>) -> RawValue? {
    guard scalar.kind != .boolean else { return nil }
    if scalar.text.isEmpty { return .null }
    guard let value = scalar.text.withSpan(IntegerText.parse), range.contains(value) else {
      return nil
    }
    return .integer(value)
  }

  private func convertBoolean(_ scalar: ScalarEvent) -> RawValue? {
    switch scalar.kind {
    case .number:
      guard let value = scalar.text.withSpan(IntegerText.parse), value == 0 || value == 1 else {
        return nil
      }
      return .boolean(value == 1)
    default:
      if scalar.text.isEmpty { return .null }
      return scalar.text.withSpan(BooleanText.parse).map { .boolean($0) }
    }
  }

  @inline(never)
  private func convertLessFrequent(
    _ scalar: ScalarEvent, _ conversion: Conversion, _ property: Int32
  ) -> RawValue? {
    let text = scalar.text
    switch conversion {
    case .automaticDate, .isoDate, .unixDate, .unixMillisecondsDate, .patternDate:
      guard scalar.kind != .boolean else { return nil }
      if text.isEmpty { return .null }
      return convertDate(scalar, conversion, property).map(date)
    case .double:
      guard scalar.kind != .boolean else { return nil }
      return text.isEmpty ? .null : text.withSpan(FloatText.parse).map { .double($0) }
    case .float:
      guard scalar.kind != .boolean else { return nil }
      return text.isEmpty ? .null : text.withSpan(FloatText.parseSingle).map { .double(Double($0)) }
    case .decimal:
      guard scalar.kind != .boolean else { return nil }
      if text.isEmpty { return .null }
      return text.withSpan { DecimalText($0)?.canonicalText }.map { keep($0) }
    case .uuid:
      guard scalar.kind == .string else { return nil }
      if text.isEmpty { return .null }
      var uuid = [UInt8](repeating: 0, count: 16)
      let isValid = text.withSpan { text in
        var room = uuid.mutableSpan
        return UUIDText.parse(text, into: &room)
      }
      return isValid ? keep(uuid) : nil
    case .binary:
      guard scalar.kind == .string, let data = Data(base64Encoded: Data(text)) else { return nil }
      return keep(Array(data))
    case .uri:
      if scalar.isEmptyString { return .null }
      guard scalar.kind == .string, URL(string: String(decoding: text, as: UTF8.self)) != nil else {
        return nil
      }
      return .bytes(text)
    case .json:
      var json = JSONWriter()
      json.scalar(scalar)
      return keep(json.buffer.array())
    case .custom: return convertCustom(scalar, property, isWritten: true)
    case .customUnwritten: return convertCustom(scalar, property, isWritten: false)
    case .string, .integer16, .integer32, .integer64, .boolean:
      return convert(scalar, conversion, property)
    }
  }

  /// Returns a date as the destination keeps it.
  private func date(_ interval: Double) -> RawValue {
    .double(options.roundsDates ? EpochSeconds.roundedToMicroseconds(interval) : interval)
  }

  private func convertDate(
    _ scalar: ScalarEvent, _ conversion: Conversion, _ property: Int32
  ) -> Double? {
    switch conversion {
    case .unixDate: scalar.text.withSpan(DateText.parseSeconds)
    case .unixMillisecondsDate: scalar.text.withSpan(DateText.parseMilliseconds)
    case .automaticDate:
      scalar.kind == .number
        ? scalar.text.withSpan(DateText.parseSeconds)
        : scalar.text.withSpan(DateText.parseAutomatic)
    case .isoDate: scalar.kind == .string ? scalar.text.withSpan(DateText.parseISO8601) : nil
    default:
      scalar.kind == .string
        ? scalar.text.withSpan { plan.patterns[Int(property)]?.parse($0) } : nil
    }
  }

  /// Keeps bytes until the next conversion.
  private func keep(_ value: [UInt8]) -> RawValue {
    bytes.truncate(to: 0)
    value.withBorrowed { _ = bytes.push($0) }
    return .bytes(bytes.elements(from: 0, count: value.count))
  }

  /// Keeps a borrowed value until the next conversion.
  private func keep(_ value: RawValue) -> RawValue {
    value.hasBytes ? keep(Array(value.bytes)) : value
  }

  /// Returns an array index as a scalar, so that `@index` is converted like any other number.
  func scalar(ofIndex index: Int) -> ScalarEvent {
    ScalarEvent(kind: .number, text: keep(Array(String(index).utf8)).bytes)
  }

  /// Returns a constant of the model as a scalar.
  func scalar(ofConstant text: [UInt8]) -> ScalarEvent {
    ScalarEvent(kind: .string, text: keep(text).bytes)
  }

  // MARK: Transformers and rules

  /// Converts a scalar through its attribute's transformer, and checks it against the model's rules.
  @inline(never)
  private func convertCustom(
    _ scalar: ScalarEvent, _ property: Int32, isWritten: Bool
  ) -> RawValue? {
    guard let custom = plan.customs[Int(property)],
      custom.admits(scalar, isWritten: isWritten)
    else { return nil }
    guard let value = transform(scalar, custom, property) else { return nil }
    if custom.emptyIsNoValue, value.bytes.isEmpty { return .null }
    return check(value, custom, property)
  }

  /// Converts an object or array that an attribute keeps as JSON.
  ///
  /// - Parameters:
  ///   - json: The text of the object or array.
  ///   - property: The property's number in the plan.
  /// - Returns: The value; nil if a transformer or rule refuses it.
  func convertContainer(_ json: RawValue, _ property: Int32) -> RawValue? {
    guard let custom = plan.customs[Int(property)] else { return json }
    guard case .custom(let transformer) = custom.transformer else {
      return check(json, custom, property)
    }
    return call(transformer, with: .json(json.text), custom, property).flatMap {
      check($0, custom, property)
    }
  }

  private func check(
    _ value: RawValue, _ custom: CustomConversion, _ property: Int32
  ) -> RawValue? {
    if value.isNull { return value }
    // The rules hold for what is kept, so that an import takes what an export of it writes.
    let value =
      custom.domain?.normalize?(value)?.withRawValue(for: custom.type) { keep($0) } ?? value
    guard let message = custom.violation(of: value) else { return value }
    guard let unknown = custom.unknown else {
      violation = Violation(message: message)
      return nil
    }
    let property = plan.properties[Int(property)]
    let found = AttributeValue(value, type: custom.type)?.shortText ?? "the value"
    let notice = diagnostics.unknown(
      found, taken: unknown.text, entity: property.entityName, property: property.name, message)
    if property.hasAlternatives { waitingNotice = notice } else { diagnostics.noteUnknown(notice) }
    return unknown.value.withRawValue { keep($0) }
  }

  private func transform(
    _ scalar: ScalarEvent, _ custom: CustomConversion, _ property: Int32
  ) -> RawValue? {
    switch custom.transformer {
    case .none, .stringInteger: return convert(scalar, custom.base, property)
    case .trim:
      return convert(
        ScalarEvent(kind: scalar.kind, text: Self.trimmed(scalar.text)), custom.base, property)
    case .hexColor:
      guard scalar.kind == .string, custom.holdsText,
        let color = scalar.text.withSpan(ColorText.parse)
      else { return nil }
      return color.withBorrowed {
        // A JSON attribute keeps a string with its quotes; other conversions borrow their input.
        custom.base == .json
          ? convert(ScalarEvent(kind: .string, text: $0), .json, property) : keep(Array($0))
      }
    case .custom(let transformer):
      return call(transformer, with: AttributeValue(scalar, of: custom.type), custom, property)
    }
  }

  private func call(
    _ transformer: CustomTransformer, with value: AttributeValue?, _ custom: CustomConversion,
    _ property: Int32
  ) -> RawValue? {
    let name = custom.transformerName ?? ""
    do {
      guard let result = try transformer.forward(value) else { return .null }
      let made = custom.type == .transformable ? .json(result.json) : result
      let kept = made.withRawValue(for: custom.type) { value in
        custom.type == .date ? date(value.double) : keep(value)
      }
      if let kept, !made.isDecimalNaN { return kept }
      if let (kind, text) = scalar(result, custom.type) {
        let scalar = ScalarEvent(kind: kind, text: keep(Array(text.utf8)).bytes)
        if custom.admits(scalar, isWritten: false),
          let value = convert(scalar, custom.base, property)
        {
          return value
        }
      }
      violation = Violation(
        message:
          "the transformer \"\(name)\" returned \(made.shortText), which is not a value of type"
          + " \(custom.type.rawValue)")
    } catch {
      violation = Violation(
        message: "the transformer \"\(name)\" threw an error: \(error)", underlyingError: error)
    }
    return nil
  }

  /// Returns a transformer's result that is converted as one of the document would be: a string, or the number of a
  /// date.
  private func scalar(
    _ result: AttributeValue, _ type: AttributeType
  ) -> (kind: ScalarEvent.Kind, text: String)? {
    switch result {
    case .string(let text): (.string, text)
    case .integer, .double: type == .date ? (.number, result.json) : nil
    default: nil
    }
  }

  private static func trimmed(_ text: BorrowedBuffer<UInt8>) -> BorrowedBuffer<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 9...13 ~= byte }
    let end = text.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0
    let start = text[..<end].firstIndex { !isSpace($0) } ?? end
    return text[start..<end]
  }
}

extension AttributeValue {
  /// Creates the value of a document's scalar for a transformer of an attribute; nil for `null`.
  fileprivate init?(_ scalar: ScalarEvent, of type: AttributeType) {
    switch scalar.kind {
    case .null: return nil
    case .boolean: self = .boolean(scalar.isTrue)
    case .string: self = .string(String(decoding: scalar.text, as: UTF8.self))
    case .number:
      if let integer = scalar.text.withSpan(IntegerText.parse) {
        self = .integer(integer)
      } else if type == .decimal {
        let text = scalar.text.withSpan { DecimalText($0)?.canonicalText }.map {
          String(decoding: $0, as: UTF8.self)
        }
        self =
          text.flatMap { Decimal(string: $0, locale: nil) }.map { .decimal($0) }
          ?? .json(String(decoding: scalar.text, as: UTF8.self))
      } else if let double = scalar.text.withSpan(FloatText.parse) {
        self = .double(double)
      } else {
        self = .json(String(decoding: scalar.text, as: UTF8.self))
      }
    }
  }
}
