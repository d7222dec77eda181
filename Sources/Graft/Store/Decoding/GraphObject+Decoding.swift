extension GraphObject {
  /// Makes a value of any decodable type out of the object and what it is linked to.
  ///
  /// ```swift
  /// struct Summary: Decodable {
  ///   var text: String
  ///   var author: Author?
  ///   struct Author: Decodable { var screenName: String }
  /// }
  /// let summary = try tweet.decoded(as: Summary.self)
  /// ```
  ///
  /// Keys are the names of the properties. Attributes are decoded as what they are: dates as
  /// `Date`, bytes as `Data`, likewise `Decimal`, `URL` and `UUID`; numbers as any type of number
  /// that holds them exactly; enumerations from their raw values; what is kept as JSON, from that,
  /// with the defaults of `JSONDecoder`. A to-one relationship is a nested object or nil, a to-many
  /// relationship an array. Only what the type asks for is read.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - depthLimit: How many relationships may be followed one behind the other. A type that
  ///     contains itself would follow a cycle of objects for ever.
  /// - Returns: The value.
  /// - Throws: `DecodingError`, which names the entity and property, or what the type itself
  ///   throws.
  public func decoded<T: Decodable>(as type: T.Type = T.self, depthLimit: Int = 100) throws -> T {
    let place = PropertyPlace(entity: entityName)
    return try GraphDecoder(.object(self), place, depthLimit: depthLimit).decode(type)
  }
}

extension Object {
  /// Makes a value of any decodable type out of the object and what it is linked to, as
  /// ``GraphObject/decoded(as:depthLimit:)`` does.
  ///
  /// A required attribute of an object of which only its identity is known has no value to decode.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - depthLimit: How many relationships may be followed one behind the other.
  /// - Returns: The value.
  /// - Throws: `DecodingError`, which names the entity and property, or what the type itself
  ///   throws.
  public func decoded<T: Decodable>(as type: T.Type = T.self, depthLimit: Int = 100) throws -> T {
    try GraphObject(self).decoded(as: type, depthLimit: depthLimit)
  }
}
