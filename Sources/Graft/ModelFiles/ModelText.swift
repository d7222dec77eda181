extension GraphModel {
  /// The model as a file of Graft's own schema, which ``init(contentsOf:dialect:extensions:)`` reads as an
  /// equal model.
  ///
  /// Code that entities mention, such as closures of transformers, is not part of a file.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  public var schemaFile: String { SchemaFileWriter.text(of: entities, dialect: dialect) }
}
