import Foundation

extension GraphTransaction {
  /// The object as messages name it: its entity and its identity.
  func describe(_ id: ObjectID) -> String {
    let entity = schema.entities[id.entity]
    guard !entity.identity.isEmpty else { return "\(entity.name)/\(id.row + 1)" }
    let values = entity.identity.map { number in
      let attribute = entity.attributes[number]
      let value = AttributeValue(self.value(id, attribute: number), type: attribute.type)
      return "\(attribute.name): \(value.map(\.shortText) ?? "nil")"
    }
    return "\(entity.name)(\(values.joined(separator: ", ")))"
  }
}

extension AttributeValue {
  /// The value as descriptions show it, cut where it is long.
  var shortText: String {
    switch self {
    case .integer(let value): String(value)
    case .decimal(let value): value.description
    case .double(let value): value.description
    case .float(let value): value.description
    case .string(let value): "\"\(value.shortened)\""
    case .boolean(let value): String(value)
    case .date(let value): value.description
    case .binary(let value): "\(value.count) bytes"
    case .uuid(let value): value.uuidString
    case .uri(let value): value.absoluteString.shortened
    case .json(let value): value.shortened
    }
  }
}

extension String {
  fileprivate var shortened: String { utf8.count <= 80 ? self : prefix(77) + "…" }
}
