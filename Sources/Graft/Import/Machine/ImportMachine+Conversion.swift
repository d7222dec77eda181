import Foundation

extension ImportMachine {
  /// Converts a scalar to what a column holds, where nothing is lost by it.
  ///
  /// - Returns: nil where that cannot be done; a null for an empty text where a number or a date
  ///   belongs. Bytes are borrowed from the scalar, or from the state's `converted` until the next
  ///   conversion.
  @inline(__always)
  func convert(_ scalar: ScalarEvent, _ conversion: Conversion, _ property: Int32) -> RawValue? {
    let text = scalar.text
    switch conversion {
    case .string:
      return .bytes(text.baseAddress.unsafelyUnwrapped, count: text.count)
    case .integer64:
      if scalar.kind == .number, let value = IntegerText.parse(text) { return .integer(value) }
      return convertInteger(scalar, Int64.min...Int64.max)
    case .integer32: return convertInteger(scalar, Int64(Int32.min)...Int64(Int32.max))
    case .integer16: return convertInteger(scalar, Int64(Int16.min)...Int64(Int16.max))
    case .boolean: return convertBoolean(scalar)
    default: return convertRare(scalar, conversion, property)
    }
  }

  private func convertInteger(_ scalar: ScalarEvent, _ range: ClosedRange<Int64>) -> RawValue? {
    guard scalar.kind != .boolean else { return nil }
    if scalar.text.isEmpty { return .null }
    guard let value = IntegerText.parse(scalar.text), range.contains(value) else { return nil }
    return .integer(value)
  }

  private func convertBoolean(_ scalar: ScalarEvent) -> RawValue? {
    switch scalar.kind {
    case .number:
      guard let value = IntegerText.parse(scalar.text), value == 0 || value == 1 else { return nil }
      return .boolean(value == 1)
    default:
      if scalar.text.isEmpty { return .null }
      return BooleanText.parse(scalar.text).map { .boolean($0) }
    }
  }

  @inline(never)
  private func convertRare(
    _ scalar: ScalarEvent, _ conversion: Conversion, _ property: Int32
  ) -> RawValue? {
    let text = scalar.text
    switch conversion {
    case .automaticDate, .isoDate, .unixDate, .unixMillisecondsDate, .patternDate:
      guard scalar.kind != .boolean else { return nil }
      if text.isEmpty { return .null }
      return convertDate(scalar, conversion, property).map { .double($0) }
    case .double:
      guard scalar.kind != .boolean else { return nil }
      return text.isEmpty ? .null : FloatText.parse(text).map { .double($0) }
    case .float:
      guard scalar.kind != .boolean else { return nil }
      return text.isEmpty ? .null : FloatText.parseSingle(text).map { .double(Double($0)) }
    case .decimal:
      guard scalar.kind != .boolean else { return nil }
      if text.isEmpty { return .null }
      guard let canonical = DecimalText(text)?.canonicalText else { return nil }
      return keep(canonical)
    case .uuid:
      guard scalar.kind == .string else { return nil }
      var bytes = [UInt8](repeating: 0, count: 16)
      let isValid = bytes.withUnsafeMutableBufferPointer {
        UUIDText.parse(text, into: $0.baseAddress.unsafelyUnwrapped)
      }
      return isValid ? keep(bytes) : nil
    case .binary:
      guard scalar.kind == .string, let data = Data(base64Encoded: Data(text)) else { return nil }
      return keep(Array(data))
    case .uri:
      guard scalar.kind == .string, URL(string: String(decoding: text, as: UTF8.self)) != nil else {
        return nil
      }
      return .bytes(text.baseAddress.unsafelyUnwrapped, count: text.count)
    case .json:
      var json: [UInt8] = []
      JSONLiteral.append(scalar, to: &json)
      return keep(json)
    case .custom: return convertCustom(scalar, property)
    case .string, .integer16, .integer32, .integer64, .boolean:
      return convert(scalar, conversion, property)
    }
  }

  private func convertDate(
    _ scalar: ScalarEvent, _ conversion: Conversion, _ property: Int32
  ) -> Double? {
    switch conversion {
    case .unixDate: DateText.parseSeconds(scalar.text)
    case .unixMillisecondsDate: DateText.parseMilliseconds(scalar.text)
    case .automaticDate:
      scalar.kind == .number
        ? DateText.parseSeconds(scalar.text) : DateText.parseAutomatic(scalar.text)
    case .isoDate: scalar.kind == .string ? DateText.parseISO8601(scalar.text) : nil
    default:
      scalar.kind == .string ? plan.patterns[Int(property)]?.parse(scalar.text) : nil
    }
  }

  /// Holds on to bytes until the next conversion.
  func keep(_ bytes: [UInt8]) -> RawValue {
    state.pointee.converted.truncate(to: 0)
    for byte in bytes { state.pointee.converted.push(byte) }
    return .bytes(UnsafePointer(state.pointee.converted.base), count: bytes.count)
  }
}
