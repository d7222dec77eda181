import Foundation

@testable import Graft
@testable import GraftInference
@testable import GraftTestSupport

/// The model that a person would make of a document.
///
/// `Fixtures/inference/*.txt` hold them:
///
///     # of orders.json
///     Order (orderId) $, archive.orders
///       customer -> Customer
///       items => Item|OrderItem
///     ?Address (-) customer.address
///     Card < Payment card
///
/// An entity has its names, its identities (`-` for none, `a+b` for two members together) and the
/// places of its objects. Below it are the paths of its relationships to one (`->`) and to many
/// (`=>`). Arrays are not part of a path, keys with dots are written as they are, and `*` is each
/// member of a dictionary. What begins with `?` may be found or not. The last line says that the
/// value `card` of a tag makes a sub-entity.
struct PersonalModel {
  struct Link {
    var path: String
    var isToMany: Bool
    var names: [String]
    var isOptional: Bool
  }

  struct Kind {
    var names: [String]
    var identities: Set<String>
    var places: [String]
    var isOptional: Bool
    var links: [Link] = []
  }

  private(set) var kinds: [Kind] = []
  /// The values of tags that make sub-entities, by the entity's name.
  private(set) var variants: [(entity: String, value: String)] = []

  init(_ text: String) {
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let isOptional = line.drop { $0 == " " }.hasPrefix("?")
      let words = Self.words(line)
      if line.hasPrefix(" ") {
        kinds[kinds.count - 1].links.append(
          Link(
            path: Self.place(words[0]), isToMany: words[1] == "=>",
            names: Self.alternatives(words[2]), isOptional: isOptional))
      } else if words[1] == "<" {
        if !isOptional { variants.append((words[2], words[3])) }
      } else {
        let identities = Self.alternatives(String(words[1].dropFirst().dropLast()))
        kinds.append(
          Kind(
            names: Self.alternatives(words[0]), identities: Set(identities.map(Self.sorted)),
            places: words.dropFirst(2).map { Self.place($0.replacing(",", with: "")) },
            isOptional: isOptional))
      }
    }
  }

  /// The number of facts that must be found.
  var factCount: Int {
    let required = kinds.filter { !$0.isOptional }.count
    return 2 * required + variants.count
      + kinds.reduce(0) { $0 + $1.links.count { !$0.isOptional } }
  }

  /// Returns the words of a line; what is in parentheses is one.
  private static func words(_ line: Substring) -> [String] {
    line.drop { " ?".contains($0) }.matches(of: #/\([^)]*\)(?= |$)|[^ ]+/#).map { match in
      String(match.output.drop { $0 == "?" })
    }
  }

  private static func alternatives(_ text: String) -> [String] {
    text.split(separator: "|").map(String.init)
  }

  private static func sorted(_ identity: String) -> String {
    identity.split(separator: "+").sorted().joined(separator: "+")
  }

  /// A path without its arrays: `statuses[*].user` is `statuses.user`.
  static func place(_ path: String) -> String {
    if path == "[*]" { return "each" }
    // Not by a `Regex`, which is slow in a debug build.
    let place = [("[*]", ""), ("[1:]", ""), ("['", "."), ("']", "")].reduce(path) {
      $0.replacingOccurrences(of: $1.0, with: $1.1)
    }
    return String(place.drop { $0 == "$" || $0 == "." })
  }
}

/// Compares an inferred model with a person's.
struct ModelMeasure {
  private(set) var found: [String] = []
  private(set) var missing: [String] = []
  private(set) var wrong: [String] = []
  private(set) var names: [String] = []
  /// The number of things that the inferred model says.
  private(set) var claimCount = 0

  private let inferred: InferredModel
  private let expected: PersonalModel
  /// The entities by the name of the outermost one that each inherits from.
  private var families: [String: [EntityDescription]] = [:]
  private var familyOfEntity: [String: String] = [:]
  /// The family whose objects are found at a place, and the relationships that begin there.
  private var familyAtPlace: [String: String] = [:]
  private var linkAtPlace: [String: RelationshipDescription] = [:]
  /// The family to which the short forms at a place refer: the customers at `orders.customer`, for
  /// `{"customer": {"id": 7, "name": "Ann"}}`.
  private var familyMentionedAtPlace: [String: String] = [:]
  /// The kind that each family was found to be.
  private var kindOfFamily: [String: Int] = [:]
  private var familyOfKind: [Int: String] = [:]

  init(_ inferred: InferredModel, against expected: PersonalModel) {
    self.inferred = inferred
    self.expected = expected
    gatherFamilies()
    gatherPlaces()
    for index in expected.kinds.indices { measure(entity: index) }
    for variant in expected.variants { measure(variant) }
    for index in expected.kinds.indices { measure(linksOf: index) }
    for family in families.keys.sorted() {
      claimCount += identity(of: family) == "-" ? 1 : 2
      let isRoot = inferred.roots.contains { $0.map { familyOfEntity[$0.entity] } == family }
      if kindOfFamily[family] == nil, !isRoot { wrong.append("entity \(family)") }
    }
  }

  /// Whether nine of ten things are found, and at most one of ten is wrong.
  var isGood: Bool {
    found.count * 10 >= (found.count + missing.count) * 9 && wrong.count * 10 <= claimCount
  }

  var summary: String {
    "found \(found.count) of \(found.count + missing.count), wrong \(wrong.count) of \(claimCount), "
      + "missing: \(missing), wrong: \(wrong)"
  }

  // MARK: The inferred model

  private mutating func gatherFamilies() {
    let parents = Dictionary(
      uniqueKeysWithValues: inferred.entities.map { ($0.name, $0.superentity) })
    for entity in inferred.entities {
      var name = entity.name
      while let parent = parents[name] ?? nil { name = parent }
      families[name, default: []].append(entity)
      familyOfEntity[entity.name] = name
    }
  }

  private static func path(of link: RelationshipDescription) -> String {
    let paths = link.paths?.annotation ?? link.name
    return PersonalModel.place(paths.split(separator: " | ").first.map(String.init) ?? paths)
  }

  private static func join(_ place: String, _ path: String) -> String {
    place.isEmpty ? path : path.isEmpty ? place : "\(place).\(path)"
  }

  private mutating func gatherPlaces() {
    var waiting: [(family: String, place: String)] = inferred.roots.compactMap { root in
      guard let root, let family = familyOfEntity[root.entity] else { return nil }
      switch root.path.steps.first {
      case nil: return (family, "")
      case .element: return (family, "each")
      default: return (family, PersonalModel.place(root.path.description))
      }
    }
    var known: Set<String> = []
    while !waiting.isEmpty, known.count < 5000 {
      let (family, place) = waiting.removeFirst()
      guard place.split(separator: ".").count < 12, known.insert("\(family) \(place)").inserted
      else {
        continue
      }
      if familyAtPlace[place] == nil { familyAtPlace[place] = family }
      for link in families[family, default: []].flatMap(\.relationships) {
        let inner = Self.join(place, Self.path(of: link))
        linkAtPlace[inner] = link
        guard let target = familyOfEntity[link.destination] else { continue }
        if link.policies.export != .identifier {
          waiting.append((target, inner))
        } else if let end = inner.lastIndex(of: "."), Self.path(of: link).contains(".") {
          familyMentionedAtPlace[String(inner[..<end])] = target
          if linkAtPlace[String(inner[..<end])] == nil { linkAtPlace[String(inner[..<end])] = link }
        }
      }
    }
  }

  /// The keys that are the identity of an entity: `id`, `a+b`, `-` for none.
  private func identity(of family: String) -> String {
    let entities = families[family, default: []]
    guard let names = entities.first(where: { $0.name == family })?.identity, !names.isEmpty else {
      return "-"
    }
    let keys = names.map { name in
      let attribute = entities.flatMap(\.attributes).first { $0.name == name }
      return PersonalModel.place(attribute?.paths?.annotation ?? name)
    }
    return keys.sorted().joined(separator: "+")
  }

  // MARK: Measuring

  private mutating func measure(entity index: Int) {
    let kind = expected.kinds[index]
    let atPlaces = kind.places.map { familyAtPlace[$0] }
    guard !kind.isOptional else {
      for family in atPlaces.compactMap(\.self) where kindOfFamily[family] == nil {
        kindOfFamily[family] = index
        familyOfKind[index] = family
        checkIdentity(of: family, kind)
      }
      return
    }
    guard let family = atPlaces[0],
      zip(kind.places, atPlaces).allSatisfy({
        ($1 ?? familyMentionedAtPlace[$0]) == family
      }),
      kindOfFamily[family].map({ expected.kinds[$0].isOptional }) ?? true
    else {
      missing += ["entity \(kind.names[0])", "identity of \(kind.names[0])"]
      return
    }
    kindOfFamily[family] = index
    familyOfKind[index] = family
    found.append("entity \(family)")
    if !kind.names.contains(family) { names.append(family) }
    if checkIdentity(of: family, kind) {
      found.append("identity of \(family)")
    } else {
      missing.append("identity of \(family)")
    }
  }

  @discardableResult
  private mutating func checkIdentity(of family: String, _ kind: PersonalModel.Kind) -> Bool {
    let identity = identity(of: family)
    if kind.identities.contains(identity) { return true }
    if identity != "-" { wrong.append("identity of \(family): \(identity)") }
    return false
  }

  private mutating func measure(_ variant: (entity: String, value: String)) {
    let families = expected.kinds.indices.filter {
      expected.kinds[$0].names.contains(variant.entity)
    }
    .compactMap { familyOfKind[$0] }
    let isFound = families.contains { family in
      self.families[family, default: []].contains {
        ($0.discriminatorValue ?? $0.name) == variant.value && $0.superentity != nil
      }
    }
    if isFound { found.append(variant.value) } else { missing.append("variant \(variant.value)") }
  }

  private func leads(_ link: RelationshipDescription, to names: [String]) -> Bool {
    let kinds = expected.kinds.indices.filter { index in
      expected.kinds[index].names.contains(where: names.contains)
    }
    // An optional kind may be several families.
    let kind = familyOfEntity[link.destination].flatMap { kindOfFamily[$0] }
    return kinds.isEmpty || kind.map(kinds.contains) == true
  }

  private mutating func measure(linksOf index: Int) {
    let kind = expected.kinds[index]
    let own = familyOfKind[index].map { families[$0, default: []].flatMap(\.relationships) } ?? []
    for link in kind.links {
      let candidates =
        own.filter { Self.isMeant($0, by: link) }
        + kind.places.compactMap { linkAtPlace[Self.join($0, link.path)] }
      if candidates.contains(where: { $0.isToMany == link.isToMany && leads($0, to: link.names) }) {
        found.append("\(kind.names[0]).\(link.path)")
      } else if !link.isOptional {
        missing.append("\(kind.names[0]).\(link.path)")
      }
    }
    for link in own {
      claimCount += 1
      let path = Self.path(of: link)
      if let meant = kind.links.first(where: { $0.path == path })
        ?? kind.links.first(where: { Self.isMeant(link, by: $0) })
        ?? linkInside(kind, at: path)
      {
        if !leads(link, to: meant.names) { wrong.append("\(kind.names[0]).\(path)") }
      } else if isUncalledFor(link), !kind.isOptional {
        wrong.append("\(kind.names[0]).\(path) to \(link.destination)")
      }
    }
  }

  /// Returns the expected relationship of an object inside a kind's own, where a path leads through that object.
  ///
  /// The objects inside may have become part of those around them.
  private func linkInside(_ kind: PersonalModel.Kind, at path: String) -> PersonalModel.Link? {
    let places = Set(kind.places.map { Self.join($0, path) })
    return expected.kinds.lazy.flatMap { inner in
      inner.links.filter { link in
        inner.places.contains { places.contains(Self.join($0, link.path)) }
      }
    }.first
  }

  /// Whether a relationship is the expected one: an identifier may be a member of the expected
  /// object, as in `"author": {"id": 7}`.
  private static func isMeant(
    _ link: RelationshipDescription, by expected: PersonalModel.Link
  ) -> Bool {
    let path = path(of: link)
    return path == expected.path
      || link.policies.export == .identifier
        && path.split(separator: ".").dropLast().joined(separator: ".") == expected.path
  }

  /// Whether an unexpected relationship leads to an expected entity.
  private func isUncalledFor(_ link: RelationshipDescription) -> Bool {
    guard let family = familyOfEntity[link.destination], let kind = kindOfFamily[family] else {
      return false
    }
    return !expected.kinds[kind].isOptional || link.policies.export == .identifier
  }
}
