/// Annotations of whole models, and those for people and generated code, which no import reads.
package enum ModelAnnotations {
  /// The annotation for the reason why an element is in an inferred model.
  package static let evidence = "inferred"
  /// The path to an entity's objects in the documents that the model was inferred from: `$` for the
  /// document itself or its elements.
  package static let root = "root"
  /// The dialect of the model, on any of its entities, where its annotations leave it open.
  package static let dialect = "dialect"
  /// The Swift type of an attribute that is kept as JSON, such as `[String]`.
  package static let swiftType = "swiftType"
  /// The former name of an entity or property, by which a database finds the table or column to
  /// rename.
  package static let renamingIdentifier = "renamingIdentifier"
}
