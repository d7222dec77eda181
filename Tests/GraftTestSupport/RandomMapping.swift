@testable import Graft
@testable import GraftExport

// Models of every type, kind of path, relationship and policy, and documents that fit them, for the law
// that an import of an export is the identity; repeatable by their seed.
//
// Some entities are identified by one attribute, by two, by their key (`@key`) or not at all; others
// have a key or a position besides, or are scalars (`@value`). Paths share objects and arrays, have
// alternatives, or lead through each element of an array.

/// A model of random shape and a random document that fits it.
struct RandomMapping {
  private enum Kind: CaseIterable {
    case identified
    case identifiedByTwo
    case anonymous
    case identifiedByKey
    case keyed
    case anonymousKeyed
    case positioned
    case scalar

    /// Whether objects are members of an object, and not elements of an array.
    var isFoundUnderKey: Bool {
      self == .identifiedByKey || self == .keyed || self == .anonymousKeyed
    }
    /// Whether one value can be written in place of an object.
    var hasBareIdentity: Bool {
      self == .identified || self == .keyed || self == .positioned || self == .identifiedByKey
    }
  }

  let entities: [EntityDescription]
  let roots: [ImportRoot]
  let text: String

  init(_ random: inout SeededGenerator) {
    let kinds = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      Kind.allCases.randomElement(using: &random) ?? .identified
    }
    let entities = Self.entities(kinds, &random)
    var members: [RandomValue.Member] = []
    var roots: [ImportRoot] = []
    for (number, kind) in kinds.enumerated() {
      let count = Int.random(in: 0...3, using: &random)
      let objects = (0..<count).map { _ in
        Self.object(of: number, entities, kinds, depth: 0, &random)
      }
      var path: [JSONPath.Step] = [.member("all\(number)")]
      if kind.isFoundUnderKey {
        members.append(.init("all\(number)", .object(Self.underKeys(objects, &random))))
        path.append(.eachMember)
      } else {
        members.append(.init("all\(number)", .array(objects)))
      }
      roots.append(ImportRoot("E\(number)", at: JSONPath(path)))
    }
    self.entities = entities
    self.roots = roots
    text = RandomValue.object(members).text(shuffledBy: &random)
  }
}

// MARK: - Models

extension RandomMapping {
  private static func entities(
    _ kinds: [Kind], _ random: inout SeededGenerator
  ) -> [EntityDescription] {
    var entities = kinds.enumerated().map { number, kind in
      entity(number, kind, &random)
    }
    for (number, kind) in kinds.enumerated() where kind != .scalar {
      for index in 0..<Int.random(in: 0...2, using: &random) {
        relate(number, "r\(index)", in: &entities, kinds, &random)
      }
    }
    if kinds[0] != .scalar, Int.random(in: 0..<3, using: &random) == 0 {
      entities[0].userInfo["JSONDiscriminator"] =
        ["kind", "deep.kind"].randomElement(using: &random)
      for letter in ["A", "B"] {
        entities.append(
          .make(
            "E0\(letter)", identity: "", parent: "E0", [.make("own\(letter)")], [],
            ["JSONDiscriminatorValue": letter]))
      }
    }
    return entities
  }

  private static func entity(
    _ number: Int, _ kind: Kind, _ random: inout SeededGenerator
  ) -> EntityDescription {
    var attributes: [AttributeDescription] = []
    var identity = ""
    let type: AttributeType = Bool.random(using: &random) ? .integer64 : .string
    switch kind {
    case .identified, .keyed, .positioned:
      identity = "id"
      attributes.append(.make("id", type))
    case .identifiedByTwo:
      identity = "id,other"
      attributes += [.make("id", .integer64), .make("other")]
    case .identifiedByKey:
      identity = "id"
      attributes.append(.make("id", type, ["JSONKeyPath": "@key"]))
    case .scalar:
      identity = Bool.random(using: &random) ? "id" : ""
      attributes.append(.make("id", .string, ["JSONKeyPath": "@value"]))
    case .anonymous, .anonymousKeyed: break
    }
    if kind == .keyed || kind == .anonymousKeyed {
      attributes.append(.make("key", .string, ["JSONKeyPath": "@key"]))
    }
    if kind == .positioned {
      attributes.append(.make("position", .integer32, ["JSONKeyPath": "@index"]))
    }
    if kind != .scalar, Int.random(in: 0..<6, using: &random) == 0 {
      let paths = ["@parent.id", "@parent.@key", "@parent.@parent.id", "@parent.note"]
      attributes.append(
        .make(
          "around", .string, ["JSONKeyPath": paths.randomElement(using: &random) ?? "@parent.id"]))
    }
    for type in AttributeType.allCases
    where kind != .scalar && Int.random(in: 0..<3, using: &random) == 0 {
      attributes.append(attribute("a\(attributes.count)", type, &random))
    }
    return .make("E\(number)", identity: identity, attributes)
  }

  private static func attribute(
    _ name: String, _ type: AttributeType, _ random: inout SeededGenerator
  ) -> AttributeDescription {
    let paths = [
      name, name, "deep.\(name)", "\(name)x | deep.\(name)", "list[1].\(name)",
    ]
    var attribute = AttributeDescription.make(
      name, type, ["JSONKeyPath": paths.randomElement(using: &random) ?? name])
    if type == .date, Bool.random(using: &random) {
      attribute.userInfo["JSONDateFormat"] =
        ["iso8601", "unix", "unix-ms", "yyyy-MM-dd HH:mm:ss"].randomElement(using: &random)
    }
    if type == .integer32, Bool.random(using: &random) {
      attribute.defaultValue = .integer(5)
      attribute.isOptional = Bool.random(using: &random)
    }
    annotate(&attribute.userInfo, "JSONNull", ["keep", "clear", "default"], &random)
    annotate(&attribute.userInfo, "JSONAbsent", ["keep", "clear", "default"], &random)
    return attribute
  }

  /// Sets an annotation, but seldom.
  private static func annotate(
    _ userInfo: inout [String: String], _ name: String, _ values: [String],
    _ random: inout SeededGenerator
  ) {
    guard Int.random(in: 0..<10, using: &random) == 0 else { return }
    userInfo[name] = values.randomElement(using: &random)
  }

  private static func relate(
    _ number: Int, _ name: String, in entities: inout [EntityDescription], _ kinds: [Kind],
    _ random: inout SeededGenerator
  ) {
    let destination = kinds.indices.randomElement(using: &random) ?? 0
    let isToMany = Int.random(in: 0..<3, using: &random) > 0
    var relationship = RelationshipDescription.make(
      name, to: "E\(destination)", many: isToMany,
      ["JSONKeyPath": path(name, to: kinds[destination], isToMany: isToMany, &random)])
    relationship.isOrdered = isToMany && Bool.random(using: &random)
    annotate(&relationship.userInfo, "JSONReference", ["defer", "ignore", "stub"], &random)
    annotate(&relationship.userInfo, "JSONAbsent", ["clear"], &random)
    annotate(&relationship.userInfo, "JSONNull", ["keep"], &random)
    annotate(&relationship.userInfo, "JSONExport", ["identifier"], &random)
    if isToMany {
      annotate(&relationship.userInfo, "JSONCollection", ["union"], &random)
    }
    if isToMany, !relationship.isOrdered {
      annotate(&relationship.userInfo, "JSONRemoved", ["delete"], &random)
    }
    if Int.random(in: 0..<5, using: &random) < 2 {
      let inverse = "from\(number)\(name)"
      let isHidden = kinds[destination] == .scalar || Bool.random(using: &random)
      var back = RelationshipDescription.make(
        inverse, to: "E\(number)", many: Bool.random(using: &random), inverse: name,
        isHidden ? ["JSONKeyPath": "-"] : [:])
      back.isOrdered = back.isToMany && !isHidden && Bool.random(using: &random)
      relationship.inverse = inverse
      entities[destination].relationships.append(back)
    }
    entities[number].relationships.append(relationship)
  }

  private static func path(
    _ name: String, to kind: Kind, isToMany: Bool, _ random: inout SeededGenerator
  ) -> String {
    let paths =
      !isToMany
      ? [name, "deep.\(name)"]
      : kind.isFoundUnderKey
        ? ["\(name).*", "deep.\(name).*", "\(name).*", name]
        : [
          name, name, "\(name)[*]", "deep.\(name)", "\(name)[*].item", "\(name).*.item",
          "\(name)[*].list[*]",
        ]
    return paths.randomElement(using: &random) ?? name
  }
}

// MARK: - Documents

extension RandomMapping {
  private typealias Entry = (path: [JSONPath.Step], value: RandomValue)

  private static func object(
    of number: Int, _ entities: [EntityDescription], _ kinds: [Kind], depth: Int,
    _ random: inout SeededGenerator
  ) -> RandomValue {
    if kinds[number] == .scalar {
      return .scalar(["\"u\"", "\"v\"", "\"w\""].randomElement(using: &random) ?? "\"u\"")
    }
    let entity = entities[number]
    let identity = Int.random(in: 0...6, using: &random)
    var entries: [Entry] = []
    for attribute in entity.attributes {
      let path = steps(attribute.userInfo["JSONKeyPath"] ?? attribute.name)
      if path == [.key] || path == [.index] || path.first == .parent { continue }
      if attribute.name == "id" || attribute.name == "other" {
        entries.append((path, .scalar(spelling(identity, &random))))
      } else if Int.random(in: 0..<4, using: &random) > 0 {
        entries.append((path, value(of: attribute, &random)))
      }
    }
    if let path = entity.userInfo["JSONDiscriminator"], identity % 3 < 2 {
      let letter = identity % 3 == 0 ? "A" : "B"
      entries.append((steps(path), .scalar("\"\(letter)\"")))
      entries.append((steps("own\(letter)"), .sample(of: .string, &random)))
    }
    for relationship in entity.relationships
    where depth < 3 && Int.random(in: 0..<4, using: &random) > 0 {
      let path = relationship.userInfo["JSONKeyPath"] ?? relationship.name
      if path == "-" { continue }
      let destination = Int(relationship.destination.dropFirst()) ?? 0
      func target(isKeyed: Bool, _ random: inout SeededGenerator) -> RandomValue {
        let kind = kinds[destination]
        let mustBeBare = kind == .identifiedByKey && !isKeyed
        if mustBeBare || kind.hasBareIdentity && Int.random(in: 0..<4, using: &random) == 0 {
          return .scalar(spelling(Int.random(in: 0...6, using: &random), &random))
        }
        return object(of: destination, entities, kinds, depth: depth + 1, &random)
      }
      guard relationship.isToMany else {
        entries.append((steps(path), target(isKeyed: false, &random)))
        continue
      }
      let isKeyed = path.hasSuffix(".*")
      let targets = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        target(isKeyed: isKeyed, &random)
      }
      entries.append(collection(of: targets, at: steps(path), &random))
    }
    if Int.random(in: 0..<5, using: &random) == 0 {
      entries.append(([.member("note")], .scalar("\"n\"")))
    }
    // Two attributes may share a place; the first has it.
    var taken: [[JSONPath.Step]] = []
    entries = entries.filter { entry in
      defer { taken.append(entry.path) }
      return !taken.contains(entry.path)
    }
    return entries.isEmpty ? .object([]) : assembled(entries[...], at: 0)
  }

  /// Objects of a to-many relationship, laid out as its path has them.
  private static func collection(
    of targets: [RandomValue], at path: [JSONPath.Step], _ random: inout SeededGenerator
  ) -> Entry {
    guard let index = path.firstIndex(where: \.isWildcard) else { return (path, .array(targets)) }
    let rest = path[(index + 1)...]
    let elements: [RandomValue] =
      rest.isEmpty
      ? targets
      : rest.contains(where: \.isWildcard)
        ? [.object([.init("list", .array(targets))])]
        : targets.map { .object([.init("item", $0)]) }
    let value: RandomValue =
      path[index] == .eachElement ? .array(elements) : .object(underKeys(elements, &random))
    return (Array(path[..<index]), value)
  }

  private static func underKeys(
    _ values: [RandomValue], _ random: inout SeededGenerator
  ) -> [RandomValue.Member] {
    let keys = ["0", "1", "2", "3", "4", "5", "6"].shuffled(using: &random)
    return zip(keys, values).map { .init($0, $1) }
  }

  /// One object of values at paths that begin alike.
  private static func assembled(_ entries: ArraySlice<Entry>, at depth: Int) -> RandomValue {
    guard let first = entries.first, first.path.count > depth else {
      return entries.first?.value ?? .scalar("null")
    }
    var groups: [(step: JSONPath.Step, entries: [Entry])] = []
    for entry in entries where entry.path.count > depth {
      if let index = groups.firstIndex(where: { $0.step == entry.path[depth] }) {
        groups[index].entries.append(entry)
      } else {
        groups.append((entry.path[depth], [entry]))
      }
    }
    var members: [RandomValue.Member] = []
    var elements: [RandomValue] = []
    for group in groups {
      let value = assembled(group.entries[...], at: depth + 1)
      switch group.step {
      case .member(let name): members.append(.init(name, value))
      case .element(let position):
        while elements.count <= position { elements.append(.scalar("null")) }
        elements[position] = value
      default: break
      }
    }
    return elements.isEmpty ? .object(members) : .array(elements)
  }

  /// The first of several paths.
  private static func steps(_ path: String) -> [JSONPath.Step] {
    let first = path.split(separator: " | ").first.map(String.init) ?? path
    return (try? JSONPath(first))?.steps ?? []
  }

  private static func spelling(_ number: Int, _ random: inout SeededGenerator) -> String {
    Bool.random(using: &random) ? "\(number)" : "\"\(number)\""
  }

  private static func value(
    of attribute: AttributeDescription, _ random: inout SeededGenerator
  ) -> RandomValue {
    let texts: [String] =
      switch (attribute.type, attribute.userInfo["JSONDateFormat"]) {
      case (.date, "iso8601"): [#""2012-09-24""#, #""2012-09-24T03:35:21.5+02:00""#]
      case (.date, "unix"), (.date, "unix-ms"): ["0", "1348457721", #""1348457721""#, "-5"]
      case (.date, nil):
        [
          #""9999-12-31T23:59:59-10:00""#, #""0000-01-01T00:00:00+10:00""#, "1348457721.5",
          #""2012-09-24""#,
        ]
      case (.date, _): [#""2012-09-24 03:35:21""#]
      case (.integer16, _): ["1", "-32768", #""12""#]
      case (.integer32, _): ["1", "2147483647", #""12""#]
      case (.integer64, _): ["1", "9007199254740993", #""505874924095815681""#]
      case (.float, _): ["0.5", "1000", #""2.5""#]
      case (.binary, _): [#""""#, #""AAEC""#]
      case (.uuid, _): [#""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#]
      case (.uri, _): [#""https://example.org/a?b""#]
      case (.transformable, _): [#"{"n": [1, "a b", null]}"#, "[1, 2]", #""s""#, "true"]
      default: []
      }
    guard let text = texts.randomElement(using: &random) else {
      return .sample(of: attribute.type, &random)
    }
    let isNull = attribute.isOptional && Int.random(in: 0..<10, using: &random) == 0
    return .scalar(isNull ? "null" : text)
  }
}
