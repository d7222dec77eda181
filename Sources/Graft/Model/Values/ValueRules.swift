import Foundation

/// What the model demands of an attribute's values: bounds of numbers, dates and lengths, and the
/// pattern of a text.
struct ValueRules {
  private enum Bounds {
    case none
    case integers(ClosedRange<Int64>)
    case doubles(ClosedRange<Double>)
    case decimals(least: [UInt8]?, most: [UInt8]?)
    case lengths(ClosedRange<Int>)
  }

  private let bounds: Bounds
  private let pattern: NSRegularExpression?
  private let attribute: AttributeSchema

  /// Gathers the rules of an attribute; nil where the model has none.
  init?(_ attribute: AttributeSchema) {
    self.attribute = attribute
    let (least, most) = (attribute.minimum, attribute.maximum)
    pattern = attribute.pattern.flatMap { try? NSRegularExpression(pattern: $0) }
    bounds = least == nil && most == nil ? .none : Self.bounds(attribute.type, least, most)
    if case .none = bounds, pattern == nil { return nil }
  }

  private static func bounds(_ type: AttributeType, _ least: String?, _ most: String?) -> Bounds {
    switch type {
    case .integer16, .integer32, .integer64:
      let range = (number(least) ?? -.infinity, number(most) ?? .infinity)
      let low = range.0 <= -0x1p63 ? Int64.min : Int64(range.0.rounded(.up))
      let high = range.1 >= 0x1p63 ? Int64.max : Int64(range.1.rounded(.down))
      return low <= high ? .integers(low...high) : .none
    case .double, .float:
      let (low, high) = (number(least) ?? -.infinity, number(most) ?? .infinity)
      return low <= high ? .doubles(low...high) : .none
    case .date:
      let (low, high) = (date(least) ?? -.infinity, date(most) ?? .infinity)
      return low <= high ? .doubles(low...high) : .none
    case .decimal:
      return .decimals(least: least.map { Array($0.utf8) }, most: most.map { Array($0.utf8) })
    case .string:
      let (low, high) = (least.flatMap { Int($0) } ?? 0, most.flatMap { Int($0) } ?? .max)
      return low <= high ? .lengths(low...high) : .none
    case .boolean, .binary, .uuid, .uri, .transformable: return .none
    }
  }

  private static func number(_ text: String?) -> Double? { text.flatMap { Double($0) } }

  private static func date(_ text: String?) -> Double? {
    guard let text else { return nil }
    return Array(text.utf8).withUnsafeBufferPointer { DateText.parseAutomatic($0) }
  }

  /// What a value breaks, in words; nil where it keeps all rules.
  func complaint(about value: RawValue) -> String? {
    switch bounds {
    case .none: break
    case .integers(let range):
      if !range.contains(value.integer) { return "\(expectation), found \(value.integer)" }
    case .doubles(let range):
      if !range.contains(value.double) { return expectation }
    case .decimals(let least, let most):
      if let least, isIncreasing(value.bytes, least) { return expectation }
      if let most, isIncreasing(most, value.bytes) { return expectation }
    case .lengths(let range):
      let length = String(decoding: value.bytes, as: UTF8.self).count
      if !range.contains(length) { return "\(expectation), found \(length)" }
    }
    guard let pattern else { return nil }
    let text = String(decoding: value.bytes, as: UTF8.self)
    let whole = NSRange(text.startIndex..., in: text)
    let match = pattern.firstMatch(in: text, options: .anchored, range: whole)
    return match?.range == whole
      ? nil : "expected a text that matches \"\(attribute.pattern ?? "")\" as a whole"
  }

  /// The bounds in words.
  private var expectation: String {
    let unit = attribute.type == .string ? " characters" : ""
    return switch (attribute.minimum, attribute.maximum) {
    case (let least?, let most?): "expected between \(least) and \(most)\(unit)"
    case (let least?, nil): "expected at least \(least)\(unit)"
    case (nil, let most?): "expected at most \(most)\(unit)"
    case (nil, nil): "expected a valid value"
    }
  }

  private func isIncreasing(_ low: some Collection<UInt8>, _ high: some Collection<UInt8>) -> Bool {
    Array(low).withUnsafeBufferPointer { low in
      Array(high).withUnsafeBufferPointer { DecimalText.isIncreasing(from: low, to: $0) }
    }
  }
}
