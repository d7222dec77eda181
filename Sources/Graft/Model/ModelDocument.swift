/// A model as a file or code describes it, not yet checked.
package struct ModelDocument {
  var entities: [EntityDescription] = []
  /// The dialect that the file itself names.
  package var dialect: Dialect?
  /// The file, and where in it entities and properties are; nil for a model made in code.
  var source: ModelSource?
  /// Errors found while reading.
  ///
  /// A harmless value replaces each one that could not be read, so that the rest of the model is
  /// checked as well.
  var faults: [ModelIssue] = []
  /// The warnings of the reader.
  var warnings: [ModelIssue] = []
}
