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
  func run() {
    checkDefault()
    checkBounds()
    checkPattern()
  }

  private func checkDefault() {
    guard let value = attribute.defaultValue, !type.accepts(value) else { return }
    reader.error("the default value \(value.text) is no \(type.rawValue); change it or the type")
  }

  private func checkBounds() {
    let least = bound(attribute.minimum, "minimum")
    let most = bound(attribute.maximum, "maximum")
    if let least, let most, least > most {
      reader.error(
        "the minimum \(attribute.minimum ?? "") is above the maximum \(attribute.maximum ?? "")")
    }
  }

  /// A bound as a number: of the value itself, of seconds, or of characters.
  private func bound(_ text: String?, _ name: String) -> Decimal? {
    guard let text else { return nil }
    let number: Decimal?
    let expectation: String
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      number = AttributeType.decimal(text)
      expectation = "a number"
    case .string:
      number = UInt32(text).map { Decimal($0) }
      expectation = "a length in characters"
    case .date:
      number = AttributeType.date.value(from: text).flatMap { value in
        guard case .date(let date) = value else { return nil }
        return Decimal(date.timeIntervalSinceReferenceDate)
      }
      expectation = "a date such as 2001-01-01T00:00:00Z"
    case .boolean, .binary, .uuid, .uri, .transformable:
      reader.warning("the \(name) has no effect on a \(type.rawValue); remove it")
      return nil
    }
    if number == nil { reader.error("the \(name) is \"\(text)\", expected \(expectation)") }
    return number
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
