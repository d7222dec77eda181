import Graft

/// Names the entities and properties of a draft.
struct DraftNames {
  private let model: ModelDraft
  /// The first entity that leads to each other one, by the number of that.
  private let owners: [Int: EntityDraft]

  init(_ model: ModelDraft) {
    self.model = model
    var owners: [Int: EntityDraft] = [:]
    for owner in model.reachable {
      for property in owner.properties {
        guard let target = property.target, target != owner.number, owners[target] == nil else {
          continue
        }
        owners[target] = owner
      }
    }
    self.owners = owners
  }

  func assign() {
    nameEntities()
    for draft in model.reachable { nameProperties(of: draft) }
    DraftChanges(model).apply()
  }

  // MARK: Entities

  /// Keys with a general meaning.
  private static let generic: [String: String] = [
    "data": "Item", "datum": "Item", "item": "Item", "result": "Result", "value": "Value",
    "child": "Node", "kid": "Node", "element": "Element", "doc": "Document", "list": "Item",
    "entry": "Entry", "row": "Row", "record": "Record", "included": "Resource", "hit": "Hit",
    "node": "Node", "edge": "Edge", "content": "Item", "object": "Object", "payload": "Payload",
  ]
  /// Names that Swift reserves.
  static let taken: Set<String> = ["Type", "Self", "Any", "Protocol"]
  /// Words that name a thing better than its role does.
  private static let plain: Set<String> = [
    "user", "person", "account", "address", "image", "comment", "organization", "team", "product",
  ]

  private func nameEntities() {
    var names: Set<String> = []
    var numbers: [String: Int] = [:]
    // Entities to which others refer by a list get the plain names: `areaNames` are areas. Then
    // come the places nearest to the root.
    let keys = model.reachable.map { (precedence(of: $0), sortKey(of: $0)) }
    let order = keys.indices.sorted { first, second in
      let (one, other) = (keys[first], keys[second])
      return one.0 == other.0 ? one.1 < other.1 : one.0 < other.0
    }
    for draft in order.map({ model.reachable[$0] }) {
      draft.name = Self.free(candidates(for: draft), &names, &numbers)
    }
  }

  /// The names of objects without any other evidence.
  private static let usualNames: [Place.Form: String] = [
    .object: "Item", .row: "Row", .array: "List",
  ]

  private func precedence(of draft: EntityDraft) -> Int {
    isShortened(draft) || isWrapped(draft) ? 0 : draft.form == .array ? 2 : 1
  }

  /// Returns whether the objects say what they are, and the objects around them are called so too:
  /// `{"icon": {"id": 1, "node": {"__typename": "Icon", …}}}`.
  private func isWrapped(_ draft: EntityDraft) -> Bool {
    let words = words(for: draft)
    guard words.count == 1, Self.generic[words[0]] != nil, let owner = owners[draft.number],
      let name = constantName(of: draft)
    else { return false }
    return Words(parts: self.words(for: owner)).typeName == name
  }

  private func sortKey(of draft: EntityDraft) -> (Int, String) {
    let places = draft.places.map { model.table[$0] }
    let depths = places.map { ($0.path.split(separator: ".").count, $0.path) }
    return depths.min { $0 < $1 } ?? (0, "")
  }

  /// Finds a name that is free.
  ///
  /// - Parameters:
  ///   - candidates: The names.
  ///   - names: The names that are taken.
  ///   - numbers: The last number of each name.
  /// - Returns: The first one that is free, or the first of all with a number.
  private static func free(
    _ candidates: [String], _ names: inout Set<String>, _ numbers: inout [String: Int]
  ) -> String {
    for candidate in candidates where names.insert(candidate).inserted { return candidate }
    let name = candidates.first ?? "Item"
    var number = (numbers[name] ?? 1) + 1
    while !names.insert("\(name)\(number)").inserted { number += 1 }
    numbers[name] = number
    return "\(name)\(number)"
  }

  /// Returns whether the first candidate is shorter than the key: `Area` for `areaNames`.
  private func isShortened(_ draft: EntityDraft) -> Bool {
    draft.form == .value && shortened(words(for: draft)) != nil
  }

  private func shortened(_ words: [String]) -> [String]? {
    guard words.count > 1, let last = words.last, ["name", "label", "title"].contains(last) else {
      return nil
    }
    return Array(words.dropLast())
  }

  private func candidates(for draft: EntityDraft) -> [String] {
    var words = words(for: draft)
    var candidates: [String?] = []
    if let name = Self.knownName(words, of: draft) { candidates.append(name) }
    if words.last == "by" {
      // {"created_by": {…}, "added_by": {…}}
      candidates += [constantName(of: draft), Self.hasAccount(draft) ? "User" : nil]
    }
    if draft.form == .value, let short = shortened(words) {
      candidates.append(Words(parts: short).typeName)
    }
    let constant = constantName(of: draft)
    let common = tagName(of: draft) ?? draft.identityOwner.map { Words(parts: $0).typeName }
    if let root = model.rootNumber(of: draft), constant != nil || words.isEmpty {
      let isDocument =
        draft.places.allSatisfy { model.table[$0].link == .one && $0 == 0 }
        && draft.objectCount == 1
      let given = model.documents[root].rootName
      let file = FileWords(model.documents[root].fileName)?.name(isDocument: isDocument)
      let usual = isDocument ? "Document" : Self.usualNames[draft.form] ?? "Entry"
      candidates += [isDocument ? nil : given, constant]
      let mention = draft.mentions.count == 1 ? draft.mentions.first : nil
      // A process in process-model.json is called so itself, and not Process2.
      let isTaken = model.reachable.contains { other in
        other !== draft && other.aliases.contains { Words(parts: $0).typeName == file }
      }
      candidates +=
        isDocument
        ? [common] + (isTaken ? [usual, file] : [file, usual])
        : [file, common, mention.map { Words(parts: $0).typeName }, usual]
      if let given { candidates.append(given) }
    } else if words.count == 1, let name = Self.generic[words[0]], !areLists(draft) {
      if let best = constant ?? common ?? containerName(of: draft) {
        // {"issues": {"edges": [{"cursor": "x", "node": {…}}]}}
        candidates.append(isEdge(draft) ? best + "Edge" : best)
      }
      candidates.append(name)
    }
    if !words.contains(where: { $0.contains(where: \.isLetter) }) { words = ["item"] }
    if draft.form != .array, listsItsLike(draft, words) { words.append("list") }
    // {"claims": {"P31": [{…}]}}: the elements are claims, and the array under each key is a group of them.
    if draft.form == .array, child(of: draft) != nil { words.append("group") }
    let name = Words(parts: words).typeName
    var long: String?
    if let owner = owners[draft.number] {
      let outer = self.words(for: owner)
      long = Words(parts: outer == words ? words + ["entry"] : outer + words).typeName
    }
    // The objects say it better than one of several keys: `{"unit": {"instanceType": "Code"}, "sex": {"instanceType": "Code"}}`.
    let lastWords = Set(draft.places.compactMap { Self.words(of: model.table[$0]).last })
    if lastWords.count > 1 || Self.taken.contains(name) { candidates.append(constant) }
    // The `type` of an issue link is an IssueLinkType.
    candidates += Self.taken.contains(name) ? [long, name] : [name, long]
    return candidates.compactMap { $0.map(Self.valid) }
  }

  /// Returns whether the objects hold a list of the things after which they are named: `{"comment": {"comments":
  /// [{…}], "total": 1}}`.
  private func listsItsLike(_ draft: EntityDraft, _ words: [String]) -> Bool {
    draft.properties.contains { property in
      guard case .relationship(let target, .elements) = property.role, target != draft.number
      else { return false }
      return Words(property.key).singular.parts == words || isPageOf(draft, property)
    }
  }

  /// Returns whether the objects are pages of the things after which they are named: `{"comments": {"nodes": [{…}],
  /// "total": 1}}`.
  private func isPageOf(_ draft: EntityDraft, _ list: PropertyDraft) -> Bool {
    ["nodes", "edges", "items", "results", "data", "entries", "records"].contains(list.key)
      && list.path.count == 1
      && draft.places.allSatisfy { place in
        model.table[place].link == .one && Words(model.table[place].key).isPlural
      }
  }

  /// Returns whether the objects are postal addresses, such as those under `billing` and `shipping`.
  private static func isAddress(_ draft: EntityDraft) -> Bool {
    let words = draft.shape.members.map { $0.key.lowercased().filter(\.isLetter) }
    return words.contains("city") && words.contains { postal.contains($0) }
  }

  private static let postal: Set<String> = ["zip", "zipcode", "postcode", "postalcode", "plz"]

  /// Returns whether the objects are people who have an account.
  private static func hasAccount(_ draft: EntityDraft) -> Bool {
    draft.shape.members.contains { account.contains($0.key.lowercased().filter(\.isLetter)) }
  }

  private static let account: Set<String> = [
    "login", "username", "screenname", "displayname", "avatarurl", "avatar", "accountid", "userid",
  ]

  /// Returns whether the objects are lists, and not the elements of one.
  private func areLists(_ draft: EntityDraft) -> Bool {
    draft.places.contains { model.table[$0].key.lowercased().hasSuffix("lists") }
  }

  private func isEdge(_ draft: EntityDraft) -> Bool {
    draft.shape.member(named: "node") != nil
  }

  /// Returns the name in the plural under which all objects are found:
  /// `{"tracks": {"items": [{…}]}}` are tracks.
  private func containerName(of draft: EntityDraft) -> String? {
    // Replies are comments too: the place nearest to the root names them.
    let places = draft.places.sorted {
      let (one, other) = (model.table[$0].path, model.table[$1].path)
      return (one.split(separator: ".").count, one) < (other.split(separator: ".").count, other)
    }
    let names = places.map { place -> [String] in
      guard var parent = model.table[place].parent else { return [] }
      if model.table[place].key == "node", model.table[parent].key == "edges",
        let outer = model.table[parent].parent
      {
        parent = outer
      }
      guard model.table[parent].link == .one else { return [] }
      let words = Words(model.table[parent].key)
      // {"tracks": {"items": [{"added_at": "…", "track": {…}}]}} holds tracks one level deeper.
      let isInside = draft.shape.members.contains {
        Words($0.key).parts == words.singular.parts && draft.composition(of: $0) == .object
      }
      // {"category": {"data": {…}}} holds a category.
      let isOne = model.table[place].link == .one && model.table[place].key == "data"
      return (words.isPlural || isOne) && !isInside ? words.singular.parts : []
    }
    guard let first = names.first, names.allSatisfy({ !$0.isEmpty }) else { return nil }
    return Words(parts: first).typeName
  }

  /// Returns the common name of objects that have another name in a few public formats.
  private static func knownName(_ words: [String], of draft: EntityDraft) -> String? {
    if words == ["status"], draft.shape.member(named: "retweet_count") != nil { return "Tweet" }
    return words == ["user", "mention"] ? "Mention" : nil
  }

  /// Returns the entity of the elements of a dictionary's arrays.
  private func child(of draft: EntityDraft) -> EntityDraft? {
    guard case .relationship(let target, _)? = draft.properties.last?.role else { return nil }
    return model.drafts[target]
  }

  private static func valid(_ name: String) -> String {
    guard let first = name.first, first.isLetter else { return "Entity" + name }
    return taken.contains(name) ? name + "Entity" : name
  }

  /// Returns the words of a place's key for one of its objects: a `RoleDetailList` has role details.
  private static func words(of place: Place) -> [String] {
    let words = Words(place.key)
    guard place.link != .one, words.parts.count > 1, words.parts.last == "list" else {
      return words.singular.parts
    }
    return Words(parts: words.parts.dropLast()).singular.parts
  }

  /// Returns the words of a draft's name, from its places.
  private func words(for draft: EntityDraft) -> [String] {
    let places = draft.places.map { model.table[$0] }.filter { !$0.key.isEmpty }
    let names = places.map(Self.words).filter { !$0.isEmpty }
    guard let first = names.first else { return [] }
    var suffix = first
    for name in names {
      while !suffix.isEmpty, !name.suffix(suffix.count).elementsEqual(suffix) {
        suffix.removeFirst()
      }
    }
    if !suffix.isEmpty { return suffix }
    // {"sizes": {"large": {…}, "small": {…}}} holds sizes.
    let outer = places.map { place -> [String] in
      place.parent.map { Words(model.table[$0].key).singular.parts } ?? []
    }
    let isPlural = places.allSatisfy { place in
      place.parent.map { model.table[$0].link == .one && Words(model.table[$0].key).isPlural }
        ?? false
    }
    // {"summary": {"deep": {…}, "light": {…}, "rem": {…}}} has a summary of each.
    let isManifold = Set(names).count >= 3 && places.allSatisfy { $0.link == .one }
    if let first = outer.first, !first.isEmpty, isPlural || isManifold,
      outer.allSatisfy({ $0 == first })
    {
      return first
    }
    if let plain = names.first(where: { $0.count == 1 && Self.plain.contains($0[0]) }) {
      return plain
    }
    if Set(names).count > 1, Self.isAddress(draft) { return ["address"] }
    let isPerson = names.allSatisfy { IdentityNames.isRole($0) || $0.last == "by" }
    if Set(names).count > 1, isPerson, names.contains(where: IdentityNames.isRole) {
      return Self.hasAccount(draft) ? ["user"] : ["person"]
    }
    if Set(names).count > 1, let owner = draft.identityOwner { return owner }
    // {"skills": [{…}], "first": {…}}: a list names its elements better than a part that one of them plays.
    let lists = Set(
      places.filter { $0.link != .one && Words($0.key).isPlural }.map {
        Words($0.key).singular.parts
      })
    if lists.count == 1, let list = lists.first, !names.contains(where: IdentityNames.isRole) {
      return list
    }
    let shallow = places.min { ($0.path.count, $0.path) < ($1.path.count, $1.path) }
    return shallow.map(Self.words) ?? first
  }

  /// Returns the name in a tag that has one value everywhere: `"type": "FeatureCollection"`.
  private func constantName(of draft: EntityDraft) -> String? {
    let schemas = draft.shape.members.map(\.name).filter(TagNames.isSchema).map(\.key)
    let types = [
      "__typename", "@type", "$type", "_type", "__type__", "resourceType", "instanceType", "object",
      "kind", "type",
    ]
    for key in schemas + types {
      guard let member = draft.shape.member(named: key),
        member.stringCount == draft.shape.objectCount,
        let samples = member.scalars.samples, samples.count == 1, let text = samples.values.first
      else { continue }
      // `Stack.1` is a version of a stack.
      let parts = text.split { "#/.:".contains($0) }
      guard let last = parts.last(where: { $0.contains(where: \.isLetter) }),
        last.allSatisfy({ $0.isLetter || "_-".contains($0) }),
        last.count > 2, key != "type" || mayName(String(last), draft)
      else { continue }
      let words = Words(String(last))
      // A document that is called `calendar#events` holds many.
      return (isDocument(draft) ? words : words.singular).typeName
    }
    return nil
  }

  /// Returns whether the only object of an entity is a document as a whole.
  private func isDocument(_ draft: EntityDraft) -> Bool {
    draft.objectCount == 1
      && draft.places.allSatisfy { model.table[$0].link == .one && model.table[$0].parent == nil }
  }

  /// Returns whether a type may name the objects: it is written like `FeatureCollection`, or
  /// nothing else names them.
  ///
  /// A show's `"type": "Scripted"` is no name.
  private func mayName(_ type: String, _ draft: EntityDraft) -> Bool {
    if type.first?.isUppercase == true {
      return model.rootNumber(of: draft) == nil || Words(type).parts.count > 1
    }
    let places = draft.places.map { model.table[$0] }
    return places.allSatisfy { place in
      let words = Words(place.key).singular.parts
      return words.isEmpty || words.count == 1 && Self.generic[words[0]] != nil
    } && (model.rootNumber(of: draft) == nil || draft.shape.members.count <= 5)
  }

  /// Returns the word at the end of all values of a tag: `PushEvent` and `ForkEvent` are events.
  private func tagName(of draft: EntityDraft) -> String? {
    let tags = draft.shape.tags.values.sorted { $0.key < $1.key }.compactMap {
      $0.values?.values
    }
    let texts = draft.variants.map { [$0.values.map(\.text)] } ?? tags.map { $0.map(\.text) }
    return texts.lazy.compactMap(Self.commonSuffix).first
  }

  private static func commonSuffix(of texts: [String]) -> String? {
    let names = texts.map { text in
      Words(text).parts.filter { $0.contains(where: \.isLetter) }
    }
    guard names.count > 1, names.contains(where: { $0.count > 1 }), var suffix = names.first else {
      return nil
    }
    for name in names {
      while !suffix.isEmpty, !name.suffix(suffix.count).elementsEqual(suffix) {
        suffix.removeFirst()
      }
    }
    return suffix.isEmpty ? nil : Words(parts: suffix).typeName
  }

  // MARK: Properties

  private func nameProperties(of draft: EntityDraft) {
    var counts: [String: Int] = [:]
    for index in draft.properties.indices {
      let name = simpleName(of: draft.properties[index], in: draft)
      draft.properties[index].name = name
      counts[name, default: 0] += 1
    }
    guard counts.count < draft.properties.count else { return }
    var names = Set(counts.keys.filter { counts[$0] == 1 })
    // Properties of the object itself come first, then the others by their places, so that the order of keys in
    // the document means nothing.
    let shared = draft.properties.indices.filter { counts[draft.properties[$0].name] ?? 0 > 1 }
    let order = shared.map { (draft.properties[$0].path.count, draft.properties[$0].place, $0) }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    for (_, _, index) in order {
      let property = draft.properties[index]
      var keys = property.path.compactMap { step -> String? in
        if case .member(let key) = step { key } else { nil }
      }
      if keys.isEmpty { keys = [property.name] }
      let isAttribute = if case .attribute = property.role { true } else { false }
      let long = Words(parts: keys.flatMap { Words($0).parts }).propertyName
      let own = Words(keys.last ?? "").propertyName
      // If `{"manager": ""}` is a string and other managers are people, the reference is `managerPerson`.
      let withTarget = property.target.map {
        Words(parts: keys.flatMap { Words($0).parts } + Words(model.drafts[$0].name).parts)
          .propertyName
      }
      let candidates =
        (isAttribute && keys.count == 1 ? [own] : []) + [long, own, property.name]
        + [withTarget].compactMap(\.self)
      let free = candidates.first { !$0.isEmpty && !names.contains($0) }
      var name = Self.validProperty(free ?? long)
      var number = 2
      while !names.insert(name).inserted {
        name = "\(Self.validProperty(long))\(number)"
        number += 1
      }
      draft.properties[index].name = name
    }
  }

  private static let marks: Set<String> = [
    "id", "ids", "code", "codes", "ref", "refs", "uuid", "uuids", "guid", "slug", "slugs", "key",
    "keys", "str",
  ]

  /// Returns the key that names a property.
  ///
  /// For a general key, such as `data` in `{"author": {"data": {…}}}`, it is the key of the object
  /// around.
  private func key(of property: PropertyDraft) -> String {
    guard property.target != nil,
      ["data", "items", "nodes", "edges", "results"].contains(property.key)
    else { return property.key }
    let keys = property.path.compactMap { step -> String? in
      if case .member(let key) = step { key } else { nil }
    }
    return keys.dropLast().last ?? property.key
  }

  private func simpleName(of property: PropertyDraft, in draft: EntityDraft) -> String {
    switch property.path.last {
    case .key, .value:
      if case .reference(let target, _) = property.role {
        return Words(model.drafts[target].name).propertyName
      }
      if property.path.last == .value {
        let words = words(for: draft)
        return shortened(words) != nil ? words.last ?? "value" : "value"
      }
      return draft.keys.formats.contains(.integer) && draft.form != .object ? "id" : "key"
    case .index: return draft.shape.member(named: "index") == nil ? "index" : "position"
    default: break
    }
    if case .reference(let target, let isToMany) = property.role {
      let words = Words(key(of: property))
      if property.key.lowercased() == "id", !isToMany {
        let outer = property.path.dropLast().compactMap { step -> String? in
          if case .member(let key) = step, key != "data" { key } else { nil }
        }
        let name = outer.last ?? model.drafts[target].name
        return Self.validProperty(Words(name).propertyName)
      }
      var parts = words.parts
      while parts.count > 1, let last = parts.last, Self.marks.contains(last) { parts.removeLast() }
      if parts.count > 1, parts[0] == "id" { parts.removeFirst() }
      // Two letters, such as the `wy` of `wyId`, name nothing by themselves.
      let isTold = parts.count > 1 || (parts.first?.count ?? 0) > 2
      if parts.count < words.parts.count, isTold {
        let name = Words(parts: parts)
        return Self.validProperty(
          isToMany && !name.isPlural ? Words.plural(of: name.propertyName) : name.propertyName)
      }
    }
    if property.path == [.eachElement] || property.path == [.eachMember] {
      guard let name = property.target.map({ Words(model.drafts[$0].name).propertyName }) else {
        return "values"
      }
      return name.lowercased().hasSuffix("entry") ? "entries" : Words.plural(of: name)
    }
    let key = key(of: property)
    let isPlain =
      key.first?.isLowercase == true
      && key.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
      }
    let name = isPlain ? key : Words(key).propertyName
    // A relationship cannot be called `id`, because `Object.id` identifies the object.
    if name == "id", property.target != nil { return "identifier" }
    return Self.validProperty(name)
  }

  private static func validProperty(_ name: String) -> String {
    guard let first = name.first else { return "property" }
    // No property of Swift can have this name, not even in backticks.
    if name == "self" { return "selfValue" }
    return first.isLetter ? name : "property" + name
  }
}
