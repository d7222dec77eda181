extension ModelCompiler {
  /// Reports a dictionary transformer that is not registered.
  func checkDictionaryTransformer(_ name: String?, of entity: String) {
    guard let name, extensions.dictionaryTransformers[name] == nil else { return }
    reportMissing(
      "no dictionary transformer \"\(name)\" is registered"
        + hint(for: name, in: extensions.dictionaryTransformers.keys), entity: entity, property: nil
    )
  }

  /// Reports code that the model mentions and that is not there.
  func reportMissing(_ message: String, entity: String, property: String?) {
    if extensions.toleratesMissing {
      log.warning(message, entity: entity, property: property)
    } else {
      log.error(message, entity: entity, property: property)
    }
  }

  /// What to do about a name that is not registered.
  func hint(for name: String, in registered: some Sequence<String>) -> String {
    let near = suggestion(for: name, in: registered)
    return near.isEmpty ? "; register it in the model's extensions" : near
  }
}
