/// Chooses the sub-entity of an object; registered in ``ModelExtensions`` under the name by which
/// entities mention it (`entityMapperName`).
public struct EntityMapper: Sendable, Hashable {
  let kind: Kind

  /// How a mapper chooses.
  enum Kind: Sendable, Hashable {
    /// By the value that stands under a key.
    case table(discriminator: JSONPath, entities: [String: String])
    /// As the program says.
    case code(ObjectCode<String>)
  }

  /// Creates a mapper that chooses by the value under a key.
  ///
  /// - Parameters:
  ///   - discriminator: Where the value stands in the object.
  ///   - entities: The names of the entities by that value; an entity may have several values.
  public init(discriminator: JSONPath, entities: [String: String]) {
    kind = .table(discriminator: discriminator, entities: entities)
  }

  /// Creates a mapper of a closure.
  ///
  /// A mapper that only looks at one key is better made by ``init(discriminator:entities:)``: its
  /// names are checked when the model is made, and objects wait only until the key has come.
  ///
  /// - Parameter choose: Names the entity of an object, which is the one that mentions the mapper or
  ///   an entity below it; nil leaves it to the object's identity, and else to the entity that the
  ///   model names at that place. What it throws becomes an error of the import with the object's
  ///   place.
  public init(_ choose: @escaping @Sendable ([String: JSONValue]) throws -> String?) {
    kind = .code(ObjectCode(choose))
  }
}
