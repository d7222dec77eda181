extension ObjectWriter {
  /// How many elements may be missing before one that has a position of its own.
  private static let gapLimit: Int64 = 1024

  /// Puts members in the order in which they are written.
  ///
  /// - Parameters:
  ///   - members: The members of a relationship.
  ///   - attribute: The attribute that is an element's position.
  ///   - isOrdered: Whether the relationship has an order, which then counts for more.
  /// - Returns: The members, with a gap wherever the position that one remembers lies further on.
  func arranged(
    _ members: UnsafeBufferPointer<ObjectID>, by attribute: Int32, isOrdered: Bool
  ) -> [ObjectID?] {
    var placed = members.map { member in
      let value = Row(member, in: graph).value(attribute)
      return (id: member, position: value.isNull ? nil : value.integer)
    }
    if !isOrdered {
      placed.sort { ($0.position ?? .max, $0.id) < ($1.position ?? .max, $1.id) }
    }
    var result: [ObjectID?] = []
    for (id, position) in placed {
      if let position, position > result.count,
        position - Int64(result.count) <= Self.gapLimit
      {
        result += repeatElement(nil, count: Int(position) - result.count)
      }
      result.append(id)
    }
    return result
  }

  /// Writes the name under which an object stands: what its entity takes from there, else its
  /// identity, else its position.
  mutating func beginMember(for id: ObjectID, at position: Int) throws {
    try json.beginElement()
    let name = plan.entities[id.entity].name
    let step = plan.values + Int(max(name, 0))
    guard name >= 0, step.pointee.isNameable,
      !Row(id, in: graph).value(step.pointee.number).isNull
    else {
      try json.buffer.append(Array("\"\(position)\"".utf8))
      return try json.endName()
    }
    let needsQuotes = !step.pointee.isQuoted
    if needsQuotes { try json.buffer.append("\"") }
    _ = try writeScalar(step, id)
    if needsQuotes { try json.buffer.append("\"") }
    try json.endName()
  }
}

extension ExportStep {
  /// Whether the value can be a name.
  fileprivate var isNameable: Bool {
    switch kind {
    case .json, .transformed, .unquotedInteger: false
    default: !isRelationship
    }
  }

  /// Whether the value is written as a string.
  fileprivate var isQuoted: Bool {
    switch kind {
    case .string, .quotedInteger, .isoDate, .patternDate, .foundationDate, .binary, .uuid: true
    default: false
    }
  }
}
