public import Foundation

extension String: AttributeConvertible {
  /// Kept as `String`.
  public static var attributeCodec: AttributeCodec<String> {
    AttributeCodec(type: .string, placeholder: "", decode: { $0.text }, encode: { .string($0) })
  }
}

extension Bool: AttributeConvertible {
  /// Kept as `Boolean`.
  public static var attributeCodec: AttributeCodec<Bool> {
    AttributeCodec(
      type: .boolean, placeholder: false, decode: { $0.boolean }, encode: { .boolean($0) })
  }
}

extension Date: AttributeConvertible {
  /// Kept as `Date`.
  public static var attributeCodec: AttributeCodec<Date> {
    AttributeCodec(
      type: .date, placeholder: .distantPast,
      decode: { Date(timeIntervalSinceReferenceDate: $0.double) },
      encode: { .date($0) })
  }
}

extension Data: AttributeConvertible {
  /// Kept as `Binary`.
  public static var attributeCodec: AttributeCodec<Data> {
    AttributeCodec(
      type: .binary, placeholder: Data(),
      decode: { Data(buffer: $0.bytes) },
      encode: { .binary($0) })
  }
}

extension UUID: AttributeConvertible {
  /// Kept as `UUID`.
  public static var attributeCodec: AttributeCodec<UUID> {
    AttributeCodec(
      type: .uuid, placeholder: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
      decode: { raw in
        guard case .uuid(let value) = AttributeValue(raw, type: .uuid) else { return nil }
        return value
      },
      encode: { .uuid($0) })
  }
}

extension URL: AttributeConvertible {
  /// Kept as `URI`.
  public static var attributeCodec: AttributeCodec<URL> {
    AttributeCodec(
      type: .uri, placeholder: URL(filePath: "/", directoryHint: .isDirectory),
      decode: { URL(string: $0.text) },
      encode: { .uri($0) })
  }
}

extension Optional: AttributeConvertible where Wrapped: AttributeConvertible {
  /// Kept as the wrapped type is, in an attribute that may lack a value.
  public static var attributeCodec: AttributeCodec<Wrapped?> { Wrapped.attributeCodec.optional }
}

extension AttributeCodec {
  /// The codec of an attribute that may lack a value.
  var optional: AttributeCodec<Value?> {
    AttributeCodec<Value?>(
      type: type, isOptional: true, placeholder: .some(nil),
      domain: domain.isLimited ? domain.expectation : nil,
      decode: { [decode] raw in decode(raw).map { .some($0) } },
      encode: { [encode] value in try value.flatMap { try encode($0) } })
  }
}
