/// What a model is made of: entities as a file or code describes them, still unchecked.
struct ModelDocument {
  var entities: [EntityDescription] = []
  /// The dialect that the file itself names.
  var dialect: Dialect?
  /// The file, and where in it the entities and properties stand; nil for a model made in code.
  var source: ModelSource?
  /// Values that could not be read; harmless ones stand in for them, so that the rest can be
  /// checked.
  var faults: [ModelIssue] = []
  /// What the program's types can hold of what columns can, by entity and attribute.
  var domains: [String: [String: ValueDomain]] = [:]
}
