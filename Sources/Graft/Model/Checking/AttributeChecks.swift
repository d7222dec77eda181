import Foundation

/// Checks what an attribute's description says by itself: default value, bounds and pattern.
struct AttributeChecks {
  private let attribute: AttributeDescription
  private let reader: AnnotationReader
  private var type: AttributeType { attribute.type }

  init(_ attribute: AttributeDescription, _ reader: AnnotationReader) {
    self.attribute = attribute
    self.reader = reader
  }

  /// Reports what is wrong.
  ///
  /// - Returns: The bounds, read by the attribute's type.
  func run() -> (minimum: Bound?, maximum: Bound?) {
    checkDefault()
    checkPattern()
    return checkBounds()
  }

  private func checkDefault() {
    guard let value = attribute.defaultValue, !type.accepts(value) else { return }
    reader.error("the default value \(value.text) is no \(type.rawValue); change it or the type")
  }

  private func checkBounds() -> (minimum: Bound?, maximum: Bound?) {
    let least = bound(attribute.minimum, "minimum")
    let most = bound(attribute.maximum, "maximum")
    if let least, let most, least.isAbove(most) {
      reader.error("the minimum \(least.text) is above the maximum \(most.text)")
    }
    return (least, most)
  }

  private func bound(_ given: AttributeBound?, _ name: String) -> Bound? {
    guard let given else { return nil }
    guard let bound = Bound(given, for: type) else {
      let text = Bound.text(of: given)
      reader.error("the \(name) is \"\(text)\", expected \(Bound.expectation(for: type))")
      return nil
    }
    if bound.value == .withoutEffect {
      reader.warning("the \(name) has no effect on a \(type.rawValue); remove it")
    }
    return bound
  }

  private func checkPattern() {
    guard let pattern = attribute.pattern else { return }
    guard type == .string else {
      reader.warning("the regular expression has no effect on a \(type.rawValue); remove it")
      return
    }
    if (try? NSRegularExpression(pattern: pattern)) == nil {
      reader.error("the regular expression \"\(pattern)\" is invalid; correct its syntax")
    }
  }
}
