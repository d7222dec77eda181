import Foundation

/// Reads a mapping from the JSON that describes it.
///
/// ``JSONMapping/init(contentsOf:transformers:)`` documents its form.
struct MappingReader {
  private static let keys = ["property", "format", "transformer"]

  /// The path that errors name.
  let file: String
  /// The transformers that the caller adds to the ready-made ones.
  let transformers: [String: AttributeTransformer]
  private let log: IssueLog
  /// The entity whose paths are being read, for messages.
  private var entity: String?

  init(file: String, transformers: [String: AttributeTransformer]) {
    self.file = file
    self.transformers = transformers
    log = IssueLog(source: ModelSource(file: file))
  }

  /// Reads a mapping.
  mutating func read(_ data: Data) throws(ModelError) -> JSONMapping {
    let root: LocatedJSON
    do {
      root = try LocatedJSON(parsing: Array(data))
    } catch {
      throw ModelError(
        "\(error.path): \(error.message)", file: file, at: error.location, underlyingError: error)
    }
    var mapping = JSONMapping()
    for member in members(of: root, "names of entities") {
      entity = member.key
      mapping.add(nested(member.value), of: member.key)
    }
    guard log.errors.isEmpty else { throw ModelError(log.errors, kind: .mapping) }
    return mapping
  }

  private func target(_ value: LocatedJSON) -> JSONMapping.Target {
    switch value.content {
    case .string(let name): return property(named: name, at: value.location)
    case .array(let values):
      return JSONMapping.Target(rules: values.flatMap { self.target($0).rules })
    case .object(let members) where members.contains { $0.key == "property" }:
      return property(members, at: value.location)
    case .object: return nested(value)
    case .number, .boolean, .null:
      report(
        "expected the name of a property, an object or an array, found \(value.kind)",
        value.location)
      return JSONMapping.Target(rules: [])
    }
  }

  /// Returns the targets of an object's members, each read below its key.
  private func nested(_ value: LocatedJSON) -> JSONMapping.Target {
    var rules: [MappingRule] = []
    for member in members(of: value, "paths") {
      let place = JSONMapping.Place(stringLiteral: member.key)
      if case .failure(let error) = place.path { report("\(error)", member.location) }
      rules += target(member.value).placed(at: place).rules
    }
    return JSONMapping.Target(rules: rules)
  }

  private func property(named name: String, at place: SourceLocation) -> JSONMapping.Target {
    var rule = MappingRule(path: .success(JSONPath()), property: name)
    rule.location = location(place)
    return JSONMapping.Target(rules: [rule])
  }

  /// Returns the target that an object with the member `property` describes.
  private func property(
    _ members: [LocatedJSON.Member], at place: SourceLocation
  ) -> JSONMapping.Target {
    var strings = [String: String]()
    refuseRepeatedKeys(of: members)
    for member in members {
      guard Self.keys.contains(member.key) else {
        report(LocatedJSON.unknownKey(member.key, known: Self.keys), member.location)
        continue
      }
      guard case .string(let string) = member.value.content else {
        report(
          "expected a string under \"\(member.key)\", found \(member.value.kind)",
          member.value.location)
        continue
      }
      strings[member.key] = string
    }
    var rule = MappingRule(path: .success(JSONPath()), property: strings["property"] ?? "")
    rule.format = strings["format"]
    rule.transformerName = strings["transformer"]
    rule.transformer = rule.transformerName.flatMap { transformer($0, place) }
    rule.location = location(place)
    return JSONMapping.Target(rules: [rule])
  }

  private func transformer(
    _ name: String, _ place: SourceLocation
  ) -> AttributeTransformer? {
    if let transformer = transformers[name] ?? .named(name) { return transformer }
    let known = transformers.keys.sorted() + AttributeTransformer.names
    let near = suggestion(for: name, in: known)
    let remedy = near.isEmpty ? "; there are \(known.joined(separator: ", "))" : near
    report("unknown transformer \"\(name)\"" + remedy, place)
    return nil
  }

  private func refuseRepeatedKeys(of members: [LocatedJSON.Member]) {
    var keys: Set<String> = []
    for member in members where !keys.insert(member.key).inserted {
      report("the key \"\(member.key)\" occurs twice; remove one of the two", member.location)
    }
  }

  private func members(
    of value: LocatedJSON, _ keys: String
  ) -> [LocatedJSON.Member] {
    if case .object(let members) = value.content {
      refuseRepeatedKeys(of: members)
      return members
    }
    report("expected an object whose keys are \(keys), found \(value.kind)", value.location)
    return []
  }

  private func report(_ message: String, _ place: SourceLocation) {
    log.error(message, entity: entity, at: place)
  }

  private func location(_ place: SourceLocation) -> ModelIssue.Location {
    ModelIssue.Location(file: file, position: place)
  }
}
