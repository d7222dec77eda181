/// The code that a model mentions by name: transformers of values and of objects, and entity mappers.
///
/// A name that a model mentions and that is not here is an error of the model, reported when it is made.
public struct ModelExtensions: Sendable {
  /// Transformers by the names under which attributes mention them (`JSONTransformerName`).
  ///
  /// The ready-made ones need no entry: ``AttributeTransformer/named(_:)``.
  public var transformers: [String: AttributeTransformer]
  /// Entity mappers by the names under which entities mention them (`entityMapperName`).
  public var entityMappers: [String: EntityMapper]
  /// Dictionary transformers by the names under which entities mention them
  /// (`JSONDictionaryTransformerName`).
  public var dictionaryTransformers: [String: DictionaryTransformer]
  /// Whether an unregistered name is only a warning.
  ///
  /// Such a model can be inspected and exported, but an import that needs the code is refused.
  public var toleratesMissing: Bool

  /// Creates a set of extensions.
  ///
  /// - Parameters:
  ///   - transformers: Transformers by name.
  ///   - entityMappers: Entity mappers by name.
  ///   - dictionaryTransformers: Dictionary transformers by name.
  ///   - toleratesMissing: Whether a name that is not here is only a warning; an import that needs it is refused.
  public init(
    transformers: [String: AttributeTransformer] = [:],
    entityMappers: [String: EntityMapper] = [:],
    dictionaryTransformers: [String: DictionaryTransformer] = [:],
    toleratesMissing: Bool = false
  ) {
    self.transformers = transformers
    self.entityMappers = entityMappers
    self.dictionaryTransformers = dictionaryTransformers
    self.toleratesMissing = toleratesMissing
  }
}

/// Chooses the sub-entity of an object; registered in ``ModelExtensions`` under the name by which
/// entities mention it (`entityMapperName`).
public struct EntityMapper: Sendable, Hashable {
  let kind: Kind

  /// The ways in which a mapper chooses an entity.
  enum Kind: Sendable, Hashable {
    /// By the value under a key.
    case table(discriminator: JSONPath, entities: [String: String])
    /// By the caller's code.
    case code(ObjectCode<String>)
  }

  /// Creates a mapper that chooses by the value under a key.
  ///
  /// - Parameters:
  ///   - discriminator: The path to the value in the object.
  ///   - entities: The names of the entities by that value; an entity may have several values.
  public init(discriminator: JSONPath, entities: [String: String]) {
    kind = .table(discriminator: discriminator, entities: entities)
  }

  /// Creates a mapper from a closure.
  ///
  /// If one key decides, ``init(discriminator:entities:)`` is better: its names are checked when the model
  /// is made, and an object is buffered only until the key has been read.
  ///
  /// - Parameter choose: Returns the name of the object's entity, which is the one that mentions the
  ///   mapper or an entity below it. If it returns nil, the object's identity decides, or else the entity
  ///   that the model names at that place. An error that it throws becomes an error of the import with the
  ///   object's place.
  public init(_ choose: @escaping @Sendable ([String: JSONValue]) throws -> String?) {
    kind = .code(ObjectCode(choose))
  }
}

/// Rewrites an object before it is imported.
///
/// Register it in ``ModelExtensions`` under the name by which entities mention it
/// (`JSONDictionaryTransformerName`).
///
/// ```swift
/// let transformer = DictionaryTransformer { object in
///   var object = object
///   object["id"] = object["legacy_id"]
///   return object
/// }
/// ```
///
/// It is called for each object of the entity, or of an entity below that mentions no other
/// transformer, before the object's sub-entity and identity are looked for. It is not called for
/// elements of arrays that are no objects, such as bare identifiers and `null`. For an object that
/// is read as several entities the transformer of each is called in turn.
public struct DictionaryTransformer: Sendable {
  let code: ObjectCode<[String: JSONValue]>

  /// Creates a transformer from a closure.
  ///
  /// - Parameter rewrite: Returns the members that the object is to have, or nil to leave it as it is. An
  ///   error that it throws becomes an error of the import with the object's place.
  public init(_ rewrite: @escaping @Sendable ([String: JSONValue]) throws -> [String: JSONValue]?) {
    code = ObjectCode(rewrite)
  }
}

/// A closure that takes an object.
///
/// It is a class so that models that share it are equal.
package final class ObjectCode<Result>: Sendable {
  package let run: @Sendable ([String: JSONValue]) throws -> Result?

  init(_ run: @escaping @Sendable ([String: JSONValue]) throws -> Result?) {
    self.run = run
  }
}

extension ObjectCode: Hashable {
  package static func == (first: ObjectCode, second: ObjectCode) -> Bool { first === second }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Finds the code that a model mentions by name, and reports missing code.
struct RegisteredCode {
  private let extensions: ModelExtensions
  private let log: IssueLog

  init(_ extensions: ModelExtensions, log: IssueLog) {
    self.extensions = extensions
    self.log = log
  }

  /// Returns the transformer of a name: a registered one, or else a ready-made one.
  func transformer(
    named name: String, _ entity: String, _ property: String
  ) -> AttributeTransformer? {
    if extensions.transformers[name] == nil, let readyMade = AttributeTransformer.named(name) {
      return readyMade
    }
    return find(name, "transformer", in: extensions.transformers, entity, property)
  }

  /// Returns the entity mapper of a name.
  func mapper(named name: String, _ entity: String) -> EntityMapper? {
    find(name, "entity mapper", in: extensions.entityMappers, entity)
  }

  /// Returns the dictionary transformer of a name.
  func dictionaryTransformer(named name: String, _ entity: String) -> DictionaryTransformer? {
    find(name, "dictionary transformer", in: extensions.dictionaryTransformers, entity)
  }

  private func find<Code>(
    _ name: String, _ kind: String, in registered: [String: Code], _ entity: String,
    _ property: String? = nil
  ) -> Code? {
    if let code = registered[name] { return code }
    let near = suggestion(for: name, in: registered.keys)
    let message =
      "no \(kind) \"\(name)\" is registered"
      + (near.isEmpty ? "; register it in the model's extensions" : near)
    if extensions.toleratesMissing {
      log.warning(message, entity: entity, property: property)
    } else {
      log.error(message, entity: entity, property: property)
    }
    return nil
  }
}
