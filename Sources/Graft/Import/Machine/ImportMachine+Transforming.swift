// Values that go through a transformer or are held to the model's rules. What either says against a
// value is left in `complaint`, for the error that the refusal makes.

extension ImportMachine {
  /// Converts a scalar through its attribute's transformer, and holds it to the model's rules.
  @inline(never)
  func convertCustom(_ scalar: ScalarEvent, _ property: Int32) -> RawValue? {
    guard let custom = plan.customs[Int(property)], custom.admits(scalar) else { return nil }
    guard let value = transform(scalar, custom, property) else { return nil }
    guard !value.isNull, let complaint = custom.complaint(about: value) else {
      return value
    }
    self.complaint = complaint
    return nil
  }

  private func transform(
    _ scalar: ScalarEvent, _ custom: CustomConversion, _ property: Int32
  ) -> RawValue? {
    switch custom.transformer {
    case .none, .stringInteger, .url, .base64: return convert(scalar, custom.base, property)
    case .trim:
      return convert(
        ScalarEvent(kind: scalar.kind, text: Self.trimmed(scalar.text)), custom.base, property)
    case .hexColor:
      guard scalar.kind == .string, custom.holdsText, let color = ColorText.parse(scalar.text)
      else { return nil }
      return color.withUnsafeBufferPointer {
        // What a JSON attribute keeps is a literal of its own; other conversions borrow what they
        // are given.
        custom.base == .json
          ? convert(ScalarEvent(kind: .string, text: $0), .json, property) : keep(Array($0))
      }
    case .custom(let transformer):
      return apply(transformer, to: AttributeValue(scalar), custom)
    }
  }

  /// Calls a program's transformer.
  func apply(
    _ transformer: CustomTransformer, to value: AttributeValue?, _ custom: CustomConversion
  ) -> RawValue? {
    do {
      guard let result = try transformer.forward(value) else { return .null }
      let made = custom.type == .transformable ? .json(result.jsonText) : result
      if let kept = made.withRawValue(for: custom.type, { keep($0) }) { return kept }
      complaint =
        "the transformer \"\(custom.transformerName ?? "")\" made \(made) of it,"
        + " which is no \(custom.type.rawValue)"
    } catch {
      complaint = "the transformer \"\(custom.transformerName ?? "")\" refused it: \(error)"
    }
    return nil
  }

  /// Holds on to a value until the next conversion.
  private func keep(_ value: RawValue) -> RawValue {
    value.start == nil ? value : keep(Array(value.bytes))
  }

  private static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 9...13 ~= byte }
    let end = text.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0
    let start = text[..<end].firstIndex { !isSpace($0) } ?? end
    return UnsafeBufferPointer(rebasing: text[start..<end])
  }
}

extension AttributeValue {
  /// A scalar of a document as a transformer takes it; nil for `null`.
  fileprivate init?(_ scalar: ScalarEvent) {
    switch scalar.kind {
    case .null: return nil
    case .boolean: self = .boolean(scalar.text.first == 0x74)
    case .string: self = .string(String(decoding: scalar.text, as: UTF8.self))
    case .number:
      if let integer = IntegerText.parse(scalar.text) {
        self = .integer(integer)
      } else if let double = FloatText.parse(scalar.text) {
        self = .double(double)
      } else {
        self = .json(String(decoding: scalar.text, as: UTF8.self))
      }
    }
  }

  /// The value as a JSON literal.
  fileprivate var jsonText: String {
    switch self {
    case .json(let text): return text
    case .boolean(let value): return value ? "true" : "false"
    case .integer(let value): return "\(value)"
    case .double(let value): return value.isFinite ? "\(value)" : "null"
    case .float(let value): return value.isFinite ? "\(value)" : "null"
    case .decimal(let value): return "\(value)"
    case .string, .date, .binary, .uuid, .uri:
      var text = self.text
      var literal: [UInt8] = []
      text.withUTF8 { JSONLiteral.appendString($0, to: &literal) }
      return String(decoding: literal, as: UTF8.self)
    }
  }
}
