/// Makes a mapping of the JSON that describes it.
///
/// ``JSONMapping/init(contentsOf:transformers:)`` documents its form.
struct MappingReader {
  private static let keys = ["property", "format", "transformer"]

  /// The path that errors name.
  let file: String
  /// The transformers that the program adds to the ready-made ones.
  let transformers: [String: AttributeTransformer]
  private(set) var issues: [ModelIssue] = []
  /// The entity at hand, for messages.
  private var entity: String?

  init(file: String, transformers: [String: AttributeTransformer]) {
    self.file = file
    self.transformers = transformers
  }

  /// The mapping that a text describes.
  ///
  /// - Throws: ``ModelError`` with the place of each fault.
  mutating func read(_ bytes: some Sequence<UInt8>) throws(ModelError) -> JSONMapping {
    var mapping = JSONMapping()
    guard let value = try parse(bytes) else { return mapping }
    for member in members(of: value, "names of entities") {
      entity = member.key
      mapping.add(nested(member.value), of: member.key)
    }
    guard issues.isEmpty else { throw ModelError(issues) }
    return mapping
  }

  private func parse(_ bytes: some Sequence<UInt8>) throws(ModelError) -> MappingValue? {
    do {
      return try MappingValue.read(bytes)
    } catch let error as ParsingError {
      let place = TextPosition(line: error.location.line, column: error.location.column)
      throw ModelError("\(error.path): \(error.message)", file: file, at: place)
    } catch {
      throw ModelError("\(error)", file: file)
    }
  }

  private mutating func target(_ value: MappingValue) -> JSONMapping.Target {
    switch value.content {
    case .text(let name): return property(named: name, at: value.location)
    case .array(let values):
      return JSONMapping.Target(rules: values.flatMap { self.target($0).rules })
    case .object(let members) where members.contains { $0.key == "property" }:
      return property(members, at: value.location)
    case .object: return nested(value)
    case .other(let found):
      report(
        "expected the name of a property, an object or an array, found \(found)", value.location)
      return JSONMapping.Target(rules: [])
    }
  }

  /// The targets of an object's members, each read below its key.
  private mutating func nested(_ value: MappingValue) -> JSONMapping.Target {
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

  /// The target that an object with the member `property` describes.
  private mutating func property(
    _ members: [MappingValue.Member], at place: SourceLocation
  ) -> JSONMapping.Target {
    var texts: [String: String] = [:]
    for member in members {
      guard Self.keys.contains(member.key) else {
        let near = suggestion(for: member.key, in: Self.keys)
        let remedy = near.isEmpty ? "; known here: \(Self.keys.joined(separator: ", "))" : near
        report("unknown key \"\(member.key)\"" + remedy, member.location)
        continue
      }
      guard case .text(let text) = member.value.content else {
        report(
          "expected a text under \"\(member.key)\", found \(member.value.kind)",
          member.value.location)
        continue
      }
      texts[member.key] = text
    }
    var rule = MappingRule(path: .success(JSONPath()), property: texts["property"] ?? "")
    rule.format = texts["format"]
    rule.transformerName = texts["transformer"]
    rule.transformer = rule.transformerName.flatMap { transformer($0, place) }
    rule.location = location(place)
    return JSONMapping.Target(rules: [rule])
  }

  private mutating func transformer(
    _ name: String, _ place: SourceLocation
  ) -> AttributeTransformer? {
    if let transformer = transformers[name] ?? .named(name) { return transformer }
    let known = transformers.keys.sorted() + AttributeTransformer.names
    let near = suggestion(for: name, in: known)
    let remedy = near.isEmpty ? "; there are \(known.joined(separator: ", "))" : near
    report("unknown transformer \"\(name)\"" + remedy, place)
    return nil
  }

  private mutating func members(
    of value: MappingValue, _ keys: String
  ) -> [MappingValue.Member] {
    if case .object(let members) = value.content { return members }
    report("expected an object whose keys are \(keys), found \(value.kind)", value.location)
    return []
  }

  private mutating func report(_ message: String, _ place: SourceLocation) {
    guard issues.count < MappingResolver.issueLimit else { return }
    issues.append(
      ModelIssue(entity: entity, property: nil, message: message, location: location(place)))
  }

  private func location(_ place: SourceLocation) -> ModelIssue.Location {
    ModelIssue.Location(file: file, line: place.line, column: place.column)
  }
}
