/// Annotations of whole models, and those for people and generated code, which no import reads.
package enum ModelAnnotations {
  /// Why something is in an inferred model.
  package static let evidence = "inferred"
  /// Where the objects of an entity are found in the documents that a model was inferred from: `$` for the
  /// document itself or its elements.
  package static let root = "root"
  /// The dialect of the model, on any of its entities, where its annotations leave it open.
  package static let dialect = "dialect"
  /// The Swift type of an attribute that is kept as JSON, such as `[String]`.
  package static let swiftType = "swiftType"
  /// What an entity or property was called before, so that a database renames what it has of it.
  package static let renamingIdentifier = "renamingIdentifier"
}
