/// The code that a model mentions by name: transformers of values and of objects, and entity mappers.
///
/// A name that a model mentions and that is not here is an error of the model, found when the model
/// is made.
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
  /// Whether a name that is not here is only a warning, as suits a look at a model without its
  /// code.
  public var toleratesMissing: Bool

  /// Creates a set of extensions.
  ///
  /// - Parameters:
  ///   - transformers: Transformers by name.
  ///   - entityMappers: Entity mappers by name.
  ///   - dictionaryTransformers: Dictionary transformers by name.
  ///   - toleratesMissing: Whether a name that is not here is only a warning.
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
