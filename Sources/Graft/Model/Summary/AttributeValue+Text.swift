import Foundation

extension AttributeValue {
  /// The value in a form for a person.
  var text: String {
    switch self {
    case .integer(let value): String(value)
    case .decimal(let value): value.description
    case .double(let value): value.description
    case .float(let value): value.description
    case .string(let value): "\"\(value)\""
    case .boolean(let value): value ? "true" : "false"
    case .date(let value): value.formatted(.iso8601)
    case .binary(let value): "\(value.count) bytes"
    case .uuid(let value): value.uuidString
    case .uri(let value): value.absoluteString
    case .json(let value): value
    }
  }
}
