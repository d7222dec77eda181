import Graft

extension ModelExtensions {
  /// Binds a transformer: `NAME=READY`.
  ///
  /// - Throws: ``UsageError`` if the text says no such thing.
  mutating func bindTransformer(_ text: String) throws(UsageError) {
    let (name, ready) = try Self.split(text, at: "=", option: "--transformer", form: "NAME=READY")
    guard let transformer = AttributeTransformer.named(ready) else {
      throw ArgumentReader.unknown(
        ready, of: "--transformer \(name)=READY", AttributeTransformer.names)
    }
    transformers[name] = transformer
  }

  /// Binds an entity mapper: `NAME=KEY:VALUE=ENTITY[,VALUE=ENTITY ...]`.
  ///
  /// - Throws: ``UsageError`` if the text says no such thing.
  mutating func bindMapper(_ text: String) throws(UsageError) {
    let (option, form) = ("--mapper", "NAME=KEY:VALUE=ENTITY[,VALUE=ENTITY ...]")
    let (name, rest) = try Self.split(text, at: "=", option: option, form: form)
    let (key, pairs) = try Self.split(rest, at: ":", option: option, form: form)
    var entities: [String: String] = [:]
    for pair in pairs.split(separator: ",", omittingEmptySubsequences: false) {
      let (value, entity) = try Self.split(String(pair), at: "=", option: option, form: form)
      guard entities.updateValue(entity, forKey: value) == nil else {
        throw UsageError("\(option) \(name) binds the value \"\(value)\" twice")
      }
    }
    do {
      entityMappers[name] = EntityMapper(discriminator: try JSONPath(key), entities: entities)
    } catch {
      throw UsageError("\(option) \(name): \(error)")
    }
  }

  private static func split(
    _ text: String, at mark: Character, option: String, form: String
  ) throws(UsageError) -> (String, String) {
    guard let index = text.firstIndex(of: mark), index > text.startIndex,
      text.index(after: index) < text.endIndex
    else { throw UsageError("\(option) takes \(form), found \"\(text)\"") }
    return (String(text[..<index]), String(text[text.index(after: index)...]))
  }
}
