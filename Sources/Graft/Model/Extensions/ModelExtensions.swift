/// The code that a model mentions by name: transformers and entity mappers.
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
  /// Whether a name that is not here is only a warning, as suits a look at a model without its
  /// code.
  public var toleratesMissing: Bool

  /// Creates a set of extensions.
  ///
  /// - Parameters:
  ///   - transformers: Transformers by name.
  ///   - entityMappers: Entity mappers by name.
  ///   - toleratesMissing: Whether a name that is not here is only a warning.
  public init(
    transformers: [String: AttributeTransformer] = [:],
    entityMappers: [String: EntityMapper] = [:],
    toleratesMissing: Bool = false
  ) {
    self.transformers = transformers
    self.entityMappers = entityMappers
    self.toleratesMissing = toleratesMissing
  }
}
