// A model file says in annotations what typed entities say in parameters, and both are compiled by the
// same code. Its messages ask here what to call a thing, so that whoever has written
// `EntityOptions(discriminator: "type")` is told of `discriminator` and not of an annotation that is
// written nowhere.

/// What messages call the parts of a model, by how the model was made.
package enum ModelWords: Sendable {
  /// The annotations of a file, or of descriptions in code.
  case annotations
  /// The parameters of typed entities.
  case parameters

  /// What typed entities have in place of each annotation.
  private static let parameterNames = [
    "identityAttributes": "`identity`", "JSONKeyPath": "the path", "JSONRelatedBy": "`relatedBy`",
    "JSONDateFormat": "`format`", "JSONTransformerName": "`transformer`",
    "JSONDiscriminator": "`discriminator`", "JSONDiscriminatorValue": "`discriminatorValue`",
    "JSONUnknownValue": "`unknown`", "JSONModified": "`modified`", "entityMapperName": "`mapper`",
    "JSONNull": "`onNull`", "JSONAbsent": "`onAbsent`", "JSONCollection": "`collection`",
    "JSONRemoved": "`removed`", "JSONReference": "`reference`", "JSONExport": "`export`",
    "JSONMissingIdentity": "`missingIdentity`",
  ]

  /// The name of what an annotation of Graft says.
  func name(of annotation: String) -> String {
    switch self {
    case .annotations: annotation
    case .parameters: Self.parameterNames[annotation] ?? annotation
    }
  }

  /// How a policy is set, such as `JSONMissingIdentity = insert`.
  package func setting(_ annotation: String, _ value: String) -> String {
    switch self {
    case .annotations: "\(annotation) = \(value)"
    case .parameters: "`\(name(of: annotation).filter { $0 != "`" }): .\(value)`"
    }
  }

  /// A type of attributes with its article.
  func article(_ type: AttributeType) -> String {
    type == .transformable ? transformable : type.withArticle
  }

  /// What keeps any JSON value, with its article.
  var transformable: String {
    switch self {
    case .annotations: "a Transformable"
    case .parameters: "an attribute of a Codable type"
    }
  }

  /// How it is said where an attribute is found, as an order.
  var placing: String {
    switch self {
    case .annotations: "annotate"
    case .parameters: "name the path"
    }
  }
}
