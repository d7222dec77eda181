/// Chooses the sub-entity of an object by the value that stands under a key.
public struct EntityMapper: Sendable, Hashable {
  /// Where the value stands in the object.
  public var discriminator: JSONPath
  /// The names of the entities by that value.
  public var entities: [String: String]

  /// Creates a mapper.
  ///
  /// - Parameters:
  ///   - discriminator: Where the value stands in the object.
  ///   - entities: The names of the entities by that value; an entity may have several values.
  public init(discriminator: JSONPath, entities: [String: String]) {
    self.discriminator = discriminator
    self.entities = entities
  }
}
