import Foundation

extension AttributeCodec where Value: RawRepresentable, Value.RawValue: AttributeConvertible {
  /// The codec of an enumeration, which is kept by its raw value.
  static var rawRepresentable: AttributeCodec<Value> {
    let raw = Value.RawValue.attributeCodec
    let placeholder = raw.placeholder.flatMap { Value(rawValue: $0) } ?? Self.firstCase
    return AttributeCodec(
      type: raw.type, isOptional: raw.isOptional, placeholder: placeholder, domain: expectation,
      decode: { raw.decode($0).flatMap(Value.init(rawValue:)) },
      encode: { try raw.encode($0.rawValue) })
  }

  private static var cases: [Value]? {
    guard let type = Value.self as? any CaseIterable.Type else { return nil }
    return Array(type.anyCases.compactMap { $0 as? Value }.prefix(9))
  }

  private static var firstCase: Value? { cases?.first }

  private static var expectation: String {
    guard let cases, cases.count < 9 else { return "a \(Value.self)" }
    let names = cases.compactMap { try? Value.RawValue.attributeCodec.encode($0.rawValue)?.text }
    return "a \(Value.self) (\(names.joined(separator: ", ")))"
  }
}

extension CaseIterable {
  fileprivate static var anyCases: [Any] { allCases.map { $0 } }
}

extension AttributeCodec where Value: Codable {
  /// The codec of anything that can be encoded, which is kept as its JSON.
  ///
  /// A value is decoded whenever it is read.
  static var json: AttributeCodec<Value> {
    AttributeCodec(
      type: .transformable,
      isOptional: Value.self is any ExpressibleByNilLiteral.Type,
      placeholder: blank,
      domain: "the JSON of a \(Value.self)",
      decode: { try? JSONDecoder().decode(Value.self, from: Data(buffer: $0.bytes)) },
      encode: { value in
        if let missing = value as? any Missable, missing.isMissing { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return .json(String(decoding: try encoder.encode(value), as: UTF8.self))
      })
  }

  /// What the type reads from nothing much: an empty object, list or text, or zero.
  private static var blank: Value? {
    for text in ["null", "{}", "[]", "\"\"", "0", "false"] {
      if let value = try? JSONDecoder().decode(Value.self, from: Data(text.utf8)) { return value }
    }
    return nil
  }
}

/// An optional, of whatever type.
private protocol Missable {
  var isMissing: Bool { get }
}

extension Optional: Missable {
  fileprivate var isMissing: Bool {
    if case .none = self { true } else { false }
  }
}
