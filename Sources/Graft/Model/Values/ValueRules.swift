// The conditions on an attribute's values that a model can state beyond their type: bounds and a
// pattern. `ValueDomain` has the values that the Swift type of a typed attribute can hold.
//
// Bounds are compared in the attribute's type, so that no bound is rounded. The bound
// 9007199254740993 of an `Integer 64` attribute admits this very number, which no Double can hold.
// The bound 0.1 of a `Float` attribute admits the Float 0.1, which is greater than the Double 0.1.

import Foundation

/// The least or the greatest value of an attribute, read by the attribute's type.
package struct Bound: Sendable {
  enum Value: Sendable, Hashable {
    /// A bound of integers and decimals; that of an integer attribute may have a fraction, or lie outside of the
    /// attribute's type.
    case decimal(Decimal)
    /// A bound of binary floating-point numbers; of dates, in seconds since 2001.
    case double(Double)
    /// A bound of a string's length.
    case length(Int)
    /// A bound of a type whose values have none.
    case withoutEffect
  }

  var value: Value
  /// The bound as it was written, for messages.
  package var text: String

  /// Reads a bound by the type of its attribute; nil if it is no bound of such values.
  init?(_ bound: AttributeBound, for type: AttributeType) {
    text = Self.text(of: bound)
    guard let value = Self.value(of: bound, for: type) ?? Self.value(of: text, for: type) else {
      return nil
    }
    self.value = value
  }

  /// Returns a bound as a model file would have it.
  static func text(of bound: AttributeBound) -> String {
    switch bound {
    case .text(let text), .value(.string(let text)):
      return text
    case .value(.date(let date)):
      var text = ByteBuffer()
      DateText.appendISO8601(date.timeIntervalSinceReferenceDate, to: &text)
      return text.string
    case .value(let value):
      return value.text
    }
  }

  /// Returns a description of valid bounds of a type.
  static func expectation(for type: AttributeType) -> String {
    switch type {
    case .string: "a length in characters"
    case .date: "a date such as 2001-01-01T00:00:00Z"
    default: "a number"
    }
  }

  /// Returns a bound given as a value; nil if its text must be read.
  private static func value(of bound: AttributeBound, for type: AttributeType) -> Value? {
    guard case .value(let value) = bound else { return nil }
    switch (type, value) {
    case (.integer16, .integer(let number)), (.integer32, .integer(let number)),
      (.integer64, .integer(let number)), (.decimal, .integer(let number)):
      return .decimal(Decimal(number))
    case (.integer16, .decimal(let number)), (.integer32, .decimal(let number)),
      (.integer64, .decimal(let number)), (.decimal, .decimal(let number)):
      return number.isFinite ? .decimal(number) : nil
    case (.double, .double(let number)):
      return number.isFinite ? .double(number) : nil
    case (.float, .float(let number)):
      return number.isFinite ? .double(Double(number)) : nil
    case (.date, .date(let date)):
      return date.timeIntervalSinceReferenceDate.isFinite
        ? .double(date.timeIntervalSinceReferenceDate) : nil
    default:
      return nil
    }
  }

  private static func value(of text: String, for type: AttributeType) -> Value? {
    switch type {
    case .integer16, .integer32, .integer64, .decimal:
      AttributeType.decimal(text).map { .decimal($0) }
    case .double:
      if case .double(let number)? = type.value(from: text) { .double(number) } else { nil }
    case .float:
      if case .float(let number)? = type.value(from: text) { .double(Double(number)) } else { nil }
    case .date:
      if case .date(let date)? = type.value(from: text) {
        .double(date.timeIntervalSinceReferenceDate)
      } else {
        nil
      }
    case .string: Int(text).flatMap(UInt32.init(exactly:)).map { .length(Int($0)) }
    case .boolean, .binary, .uuid, .uri, .transformable: .withoutEffect
    }
  }

  /// Returns whether this bound is above another of the same attribute.
  func isAbove(_ other: Bound) -> Bool {
    switch (value, other.value) {
    case (.decimal(let own), .decimal(let other)): own > other
    case (.double(let own), .double(let other)): own > other
    case (.length(let own), .length(let other)): own > other
    default: false
    }
  }
}

extension Bound {
  /// Returns the reason why no value of a type is within two bounds, or nil if some value is.
  static func fault(of type: AttributeType, _ least: Bound?, _ most: Bound?) -> String? {
    guard let range = type.integerRange else { return nil }
    let first = least?.value.decimal.map { Int64(roundingUp: $0) } ?? range.lowerBound
    let last = most?.value.decimal.map { Int64(roundingDown: $0) } ?? range.upperBound
    if let first, let last, first <= last, first <= range.upperBound, last >= range.lowerBound {
      return nil
    }
    let texts = [least.map { "at least \($0.text)" }, most.map { "at most \($0.text)" }]
    return "\(type.withArticle) is never \(texts.compactMap(\.self).joined(separator: " and "));"
      + " change the bounds or the type"
  }
}

extension Bound: Equatable {
  /// Bounds are equal if they admit the same values, however they are written.
  package static func == (first: Bound, second: Bound) -> Bool { first.value == second.value }
}

/// The conditions of a model on an attribute's values: bounds of numbers, dates and lengths, and
/// the pattern of a string.
struct ValueRules {
  private enum Bounds {
    case none
    case integers(ClosedRange<Int64>)
    case doubles(ClosedRange<Double>)
    case decimals(least: [UInt8]?, most: [UInt8]?)
    case lengths(ClosedRange<Int>)
    /// No value is within the bounds: for example, no integer is between 0.2 and 0.8.
    case nothing
  }

  private let bounds: Bounds
  private let pattern: NSRegularExpression?
  private let attribute: AttributeSchema

  /// Gathers the rules of an attribute; nil if the model has none.
  init?(_ attribute: AttributeSchema) {
    self.attribute = attribute
    let (least, most) = (attribute.minimum?.value, attribute.maximum?.value)
    pattern = attribute.pattern.flatMap { try? NSRegularExpression(pattern: $0) }
    bounds = least == nil && most == nil ? .none : Self.bounds(attribute.type, least, most)
    if case .none = bounds, pattern == nil { return nil }
  }

  private static func bounds(
    _ type: AttributeType, _ least: Bound.Value?, _ most: Bound.Value?
  ) -> Bounds {
    switch type {
    case .integer16, .integer32, .integer64:
      let (low, high) = (least?.decimal ?? Decimal(Int64.min), most?.decimal ?? Decimal(Int64.max))
      guard let first = Int64(roundingUp: low), let last = Int64(roundingDown: high), first <= last
      else { return .nothing }
      return .integers(first...last)
    case .double, .float, .date:
      let (low, high) = (least?.double ?? -.infinity, most?.double ?? .infinity)
      return low <= high ? .doubles(low...high) : .nothing
    case .decimal:
      return .decimals(least: least?.decimal?.digits, most: most?.decimal?.digits)
    case .string:
      let (low, high) = (least?.length ?? 0, most?.length ?? .max)
      return low <= high ? .lengths(low...high) : .nothing
    case .boolean, .binary, .uuid, .uri, .transformable: return .none
    }
  }

  /// Checks a value by the rules.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - found: Returns the value in words; nil where the message around has it.
  /// - Returns: A description of the rule that it violates; nil if it keeps all rules.
  func violation(of value: RawValue, found: () -> String? = { nil }) -> String? {
    guard let rule = brokenRule(by: value) else { return nil }
    return (rule.found ?? found()).map { "\(rule.expectation), found \($0)" } ?? rule.expectation
  }

  /// Returns the rule that a value violates, with what it was compared with unless that is the value itself.
  private func brokenRule(by value: RawValue) -> (expectation: String, found: String?)? {
    switch bounds {
    case .none: break
    case .integers(let range):
      if !range.contains(value.integer) { return (expectation, "\(value.integer)") }
    case .doubles(let range):
      if !range.contains(value.double) { return (expectation, nil) }
    case .decimals(let least, let most):
      let order = { (bound: [UInt8]) in
        value.bytes.withSpan { DecimalText.compare($0, bound.span) }
      }
      if let least, order(least) < 0 { return (expectation, nil) }
      if let most, order(most) > 0 { return (expectation, nil) }
    case .lengths(let range):
      let length = String(decoding: value.bytes, as: UTF8.self).count
      if !range.contains(length) { return (expectation, "\(length)") }
    case .nothing: return (expectation, nil)
    }
    guard let pattern else { return nil }
    let text = String(decoding: value.bytes, as: UTF8.self)
    let whole = NSRange(text.startIndex..., in: text)
    let match = pattern.firstMatch(in: text, options: .anchored, range: whole)
    return match?.range == whole
      ? nil : ("expected a string that matches \"\(attribute.pattern ?? "")\" as a whole", nil)
  }

  /// The bounds in words.
  private var expectation: String {
    let unit = attribute.type == .string ? " characters" : ""
    return switch (attribute.minimum?.text, attribute.maximum?.text) {
    case (let least?, let most?): "expected between \(least) and \(most)\(unit)"
    case (let least?, nil): "expected at least \(least)\(unit)"
    case (nil, let most?): "expected at most \(most)\(unit)"
    case (nil, nil): "expected a valid value"
    }
  }
}

extension Bound.Value {
  fileprivate var decimal: Decimal? {
    if case .decimal(let number) = self { number } else { nil }
  }

  fileprivate var double: Double? {
    if case .double(let number) = self { number } else { nil }
  }

  fileprivate var length: Int? {
    if case .length(let length) = self { length } else { nil }
  }
}

extension Int64 {
  /// Creates the least integer that is not below a number; nil if it does not fit into 64 bits.
  fileprivate init?(roundingUp number: Decimal) {
    self.init(number <= Decimal(Int64.min) ? Decimal(Int64.min) : number.rounded(.up))
  }

  /// Creates the greatest integer that is not above a number; nil if it does not fit into 64 bits.
  fileprivate init?(roundingDown number: Decimal) {
    self.init(number >= Decimal(Int64.max) ? Decimal(Int64.max) : number.rounded(.down))
  }

  private init?(_ integer: Decimal) {
    self.init(integer.description)
  }
}

extension Decimal {
  fileprivate func rounded(_ mode: Decimal.RoundingMode) -> Decimal {
    var number = self
    var result = Decimal()
    // Foundation takes both by pointer, for this call only.
    unsafe NSDecimalRound(&result, &number, 0, mode)
    return result
  }
}

extension Decimal {
  /// The number in plain notation.
  fileprivate var digits: [UInt8] { Array(description.utf8) }
}
