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
    var placed = members.map { (id: $0, position: position(of: $0, in: attribute)) }
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

  /// The position that an object remembers, in whatever type an import keeps it; nil if none.
  private func position(of id: ObjectID, in attribute: Int32) -> Int64? {
    let value = Row(id, in: graph).value(attribute)
    guard !value.isNull else { return nil }
    switch plan.schema.entities[id.entity].attributes[Int(attribute)].type {
    case .integer16, .integer32, .integer64: return value.integer
    case .double, .float: return Int64(exactly: value.double)
    case .string, .decimal: return IntegerText.parse(value.bytes)
    default: return nil
    }
  }

  /// Writes the name under which an object stands: what its entity takes from there, else its
  /// identity, else its position.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - position: Its position in the collection.
  ///   - isMention: Whether it stands there as a bare identity, which takes nothing from its name.
  ///   - names: The names that are taken.
  /// - Throws: ``ExportError`` where an import would take a wrong value from the name, because the
  ///   object has none of its own or shares it.
  mutating func beginMember(
    for id: ObjectID, at position: Int, isMention: Bool, among names: inout MemberNames
  ) throws {
    try json.beginElement()
    let entity = plan.entities + id.entity
    let step = plan.values + Int(max(entity.pointee.name, 0))
    let name = entity.pointee.name >= 0 ? name(of: id, step) : nil
    if let name, names.take(name) {
      let needsQuotes = !step.pointee.isQuoted
      if needsQuotes { try json.buffer.append("\"") }
      _ = try writeScalar(step, id)
      if needsQuotes { try json.buffer.append("\"") }
    } else if isMention || !entity.pointee.isTakenFromName {
      try json.buffer.append("\"")
      try json.buffer.append(names.takeAny(at: position))
      try json.buffer.append("\"")
    } else {
      throw failure(
        .invalidValue, step, id,
        name == nil
          ? "the object stands under this value (@key), which is no name; set it, or leave the"
            + " collection out"
          : "the object stands under this value (@key), as does another of the collection; give each"
            + " its own, or leave the collection out")
    }
    try json.endName()
  }

  /// What tells an object's name from others; nil if it has none.
  private func name(of id: ObjectID, _ step: UnsafePointer<ExportStep>) -> [UInt8]? {
    let number = step.pointee.number
    let value = Row(id, in: graph).value(number)
    guard step.pointee.isNameable, !value.isNull else { return nil }
    var text: [UInt8] = []
    let type = plan.schema.entities[id.entity].attributes[Int(number)].type
    CanonicalScalar.append(value, type: type, to: &text)
    // An integer and a text may stand as the same name.
    return text.first == 0x22 ? Array(text.dropFirst().dropLast()) : text
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
