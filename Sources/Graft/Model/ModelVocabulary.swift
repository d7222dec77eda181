// Model files use annotations and typed entities use parameters, and the same code compiles both.
// The compiler's messages use the words of the model's author: for
// `EntityOptions(discriminator: "type")` a message says `discriminator`, and not
// `JSONDiscriminator`.

/// The words in which messages name the parts of a model: annotations for files, parameters for types.
package enum ModelVocabulary: Sendable {
  /// The annotations of a file, or of descriptions in code.
  case annotations
  /// The parameters of typed entities.
  case parameters

  /// The parameter of typed entities for each annotation.
  private static let parameterNames =
    otherParameterNames.merging(PolicyAnnotation.all.map { ($0.name, "`\($0.parameter)`") }) { $1 }

  /// The parameters that are no policies.
  private static let otherParameterNames = [
    "identityAttributes": "`identity`", "JSONKeyPath": "the path", "JSONRelatedBy": "`relatedBy`",
    "JSONDateFormat": "`format`", "JSONTransformerName": "`transformer`",
    "JSONDiscriminator": "`discriminator`", "JSONDiscriminatorValue": "`discriminatorValue`",
    "JSONUnknownValue": "`unknown`", "JSONModified": "`modified`", "entityMapperName": "`mapper`",
  ]

  /// Returns the name that the model's author uses for an annotation.
  @inline(never)
  package func name(of annotation: String) -> String {
    switch self {
    case .annotations: annotation
    case .parameters: Self.parameterNames[annotation] ?? annotation
    }
  }

  /// Returns a type of attributes with its article.
  func article(_ type: AttributeType) -> String {
    type == .transformable ? transformable : type.withArticle
  }

  /// The name of a type for any JSON value, with its article.
  var transformable: String {
    switch self {
    case .annotations: "a Transformable"
    case .parameters: "an attribute of a Codable type"
    }
  }

  /// The verb that asks the author to give an attribute a path.
  var placing: String {
    switch self {
    case .annotations: "annotate"
    case .parameters: "name the path"
    }
  }
}
