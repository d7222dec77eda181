extension EntitySchema {
  /// The values of an identity that is given by names, in the order of the identity's attributes.
  ///
  /// - Throws: ``StoreError`` if the names are not the identity's, or a value does not suit.
  func identityValues(
    _ identity: [String: AttributeValue]
  ) throws(StoreError) -> [AttributeValue] {
    let names = self.identity.map { attributes[$0].name }
    if let stranger = identity.keys.sorted().first(where: { !names.contains($0) }) {
      let message =
        names.isEmpty
        ? "\(name) has no identity, by which \"\(stranger)\" could find an object"
        : "\"\(stranger)\" is not part of the identity of \(name), which is \(names.quoted)"
      throw StoreError(.unknownProperty, message, entity: name, property: stranger)
    }
    var values: [AttributeValue] = []
    for number in self.identity {
      let attribute = attributes[number]
      guard let value = identity[attribute.name] else {
        throw StoreError(
          .unknownProperty,
          "the identity of \(name) is \(names.quoted); a value for \"\(attribute.name)\" is missing",
          entity: name, property: attribute.name)
      }
      guard value.withRawValue(for: attribute.type, { _ in true }) != nil else {
        throw wrongType(value, attribute: number)
      }
      values.append(value)
    }
    return values
  }
}

extension [AttributeValue] {
  /// Calls `body` with the forms in which columns of these types keep the values; null for a value
  /// that does not suit its type.
  func withRawValues<R>(
    for types: [AttributeType], _ body: (UnsafeBufferPointer<RawValue>) throws -> R
  ) rethrows -> R {
    try map(Optional.some).withRawValues(for: types, body)
  }
}

extension [AttributeValue?] {
  /// Calls `body` with the forms in which columns of these types keep the values; null for nil and
  /// for a value that does not suit its type.
  func withRawValues<R>(
    for types: [AttributeType], _ body: (UnsafeBufferPointer<RawValue>) throws -> R
  ) rethrows -> R {
    var raw: [RawValue] = []
    func next(_ index: Int) throws -> R {
      guard index < count else { return try raw.withUnsafeBufferPointer(body) }
      let result = try self[index]?.withRawValue(for: types[index]) { value in
        raw.append(value)
        return try next(index + 1)
      }
      if let result { return result }
      raw.append(.null)
      return try next(index + 1)
    }
    return try next(0)
  }
}
