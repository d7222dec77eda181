/// What a model file holds: entities as it describes them, and where each stands.
struct ModelDocument {
  var entities: [EntityDescription] = []
  /// The dialect that the file itself names.
  var dialect: Dialect?
  var source: ModelSource
}
