/// Finds the code that a model mentions by name, and reports missing code.
struct RegisteredCode {
  private let extensions: ModelExtensions
  private let log: IssueLog

  init(_ extensions: ModelExtensions, log: IssueLog) {
    self.extensions = extensions
    self.log = log
  }

  /// Returns the transformer of a name: a registered one, or else a ready-made one.
  func transformer(
    named name: String, _ entity: String, _ property: String
  ) -> AttributeTransformer? {
    if extensions.transformers[name] == nil, let readyMade = AttributeTransformer.named(name) {
      return readyMade
    }
    return find(name, "transformer", in: extensions.transformers, entity, property)
  }

  /// The entity mapper of a name.
  func mapper(named name: String, _ entity: String) -> EntityMapper? {
    find(name, "entity mapper", in: extensions.entityMappers, entity)
  }

  /// The dictionary transformer of a name.
  func dictionaryTransformer(named name: String, _ entity: String) -> DictionaryTransformer? {
    find(name, "dictionary transformer", in: extensions.dictionaryTransformers, entity)
  }

  private func find<Code>(
    _ name: String, _ kind: String, in registered: [String: Code], _ entity: String,
    _ property: String? = nil
  ) -> Code? {
    if let code = registered[name] { return code }
    let near = suggestion(for: name, in: registered.keys)
    let message =
      "no \(kind) \"\(name)\" is registered"
      + (near.isEmpty ? "; register it in the model's extensions" : near)
    if extensions.toleratesMissing {
      log.warning(message, entity: entity, property: property)
    } else {
      log.error(message, entity: entity, property: property)
    }
    return nil
  }
}
