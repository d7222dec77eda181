extension EntitySchema {
  /// Whether code chooses the entity of an object.
  package var hasMapper: Bool { mapper != nil }

  /// Returns the name that the mapper gives for an object, after the dictionary transformer; nil if it names none.
  package func mappedEntity(of members: [String: JSONValue]) throws -> String? {
    try mapper?.run(dictionaryTransformer?.run(members) ?? members)
  }
}
