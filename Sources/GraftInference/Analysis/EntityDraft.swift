import Graft

/// An entity that the steps of ``ModelDraft`` complete.
final class EntityDraft {
  let number: Int
  /// The places at which its objects are found.
  let places: [Int]
  let form: Place.Form
  /// The shape of all places together; members that are objects are only counted.
  let shape = Shape()
  /// The composition of each member over all places, as a number, by the fingerprint of its key.
  private var compositions = FingerprintIndex()
  /// The identifiers in objects of their own, `{"_id": {"$oid": "5f1c…"}}`: the only key inside and what is there,
  /// by the fingerprint of the outer key; nil where places differ.
  private var wrapped: [UInt64: (key: String, shape: Shape)?] = [:]
  /// The keys of the dictionaries that have the objects as members.
  private(set) var keys = ScalarStatistics()
  private(set) var keyIdentity = IdentitySample()
  /// The number of these dictionaries that are not empty.
  private(set) var dictionaryCount = 0
  /// The scalars in place of objects; nil for none.
  private(set) var substitutes: Shape?
  /// The numbers of the drafts whose objects have these inside.
  private(set) var outer: Set<Int> = []
  /// Whether any of the objects is a member of a dictionary, and whether all are.
  let isKeyed: Bool
  let isAlwaysKeyed: Bool
  /// Whether the objects are members of dictionaries with a name in the singular: `"state": {"new": 400, "closed": 931}`.
  private let isCalledLikeKeys: Bool
  /// The words of the keys at which the objects are found, in the singular, such as `seat category`
  /// for `seatCategories`.
  private(set) var aliases: Set<[String]> {
    didSet { referredNames = ReferenceName.Names(aliases.union(outerNames)) }
  }
  /// The words of the keys around general ones: the `items` of `categories` are categories.
  private let outerNames: Set<[String]>
  /// The words of the kinds into which a tag divides the objects, in the singular; keys refer to objects by these too.
  var kinds: Set<[String]> = [] {
    didSet { referredNames = ReferenceName.Names(aliases.union(outerNames).union(kinds)) }
  }
  /// The same, as keys that refer to the objects have them.
  private(set) lazy var referredNames = ReferenceName.Names(aliases.union(outerNames))

  var identity: InferredIdentity?
  /// The members of an identity that the user has named, or that identifies objects only as a
  /// whole; empty for no identity.
  var givenIdentity: [String]?
  /// The evidence for an identity of several members.
  var compositeEvidence: String?
  /// The draft around the objects whose identifier is a part of their identity; nil for none.
  var outerIdentity: EntityDraft?
  /// The reason why a member with the name of an identity is none.
  var objection: String?
  /// The key by which the objects refer to objects of another draft, if they have few other members.
  var reference: (key: String, target: Int)?
  /// The draft that the objects refer to by an identity of several members, and without others.
  var compositeReference: Int?
  /// The words of the keys at which other objects have only the identity of these objects.
  var mentions: Set<[String]> = []
  /// Whether the members belong to the object around it.
  var isFlattened = false
  /// Whether the objects are kept as JSON after all.
  var isJSON = false
  var properties: [PropertyDraft] = []
  var variants: VariantTable?
  var name = ""

  init(number: Int, places: [Int], in table: PlaceTable) {
    self.number = number
    self.places = places
    form = table[places[0]].form
    isKeyed = places.contains { table[$0].dictionary != nil }
    isAlwaysKeyed = places.allSatisfy { table[$0].dictionary != nil }
    isCalledLikeKeys = isAlwaysKeyed && places.allSatisfy { !Words(table[$0].key).isPlural }
    aliases = Set(places.map { Words(table[$0].key).singular.parts }.filter { !$0.isEmpty })
    outerNames = Set(
      places.compactMap { Self.outerName(of: table[$0], in: table) }.filter { !$0.isEmpty })
    var dictionaries: Set<ObjectIdentifier> = []
    for place in places.map({ table[$0] }) {
      shape.formUnion(place.shape, isDeep: false)
      if place.form == .object, place.shape.substituteCount > 0 {
        let scalars = substitutes ?? Shape()
        scalars.formUnion(place.shape.scalarsAlone, isDeep: false)
        substitutes = scalars
      }
      shape.formUnion(membersOf: place.shape) { $0.formUnion($1, isDeep: false) }
      for member in place.shape.members {
        let here = Composition(member.shape)
        let everywhere = composition(of: member.hash)?.combined(with: here) ?? here
        compositions.insert(member.hash, everywhere.rawValue)
        if here == .object, member.name.isStrong { noteWrapped(member) }
      }
      if let dictionary = place.dictionary,
        dictionaries.insert(ObjectIdentifier(dictionary)).inserted
      {
        keys.formUnion(dictionary.keys)
        keyIdentity.formUnion(dictionary.keyIdentity)
        dictionaryCount += dictionary.objectCount - dictionary.emptyObjectCount
      }
    }
  }

  /// Returns the words of the key around a place whose own key is general, in the singular; nil for other places.
  private static func outerName(of place: Place, in table: PlaceTable) -> [String]? {
    guard IdentityNames.general.contains(Words(place.key).singular.parts.first ?? ""),
      let parent = place.parent, table[parent].link == .one
    else { return nil }
    return outerName(of: table[parent], in: table) ?? Words(table[parent].key).singular.parts
  }

  private func noteWrapped(_ member: Shape.Member) {
    guard member.shape.members.count == 1, member.shape.eachMember == nil,
      let inner = member.shape.members.first
    else {
      wrapped[member.hash] = .some(nil)
      return
    }
    let known = wrapped[member.hash] ?? (inner.key, Shape())
    wrapped[member.hash] = known?.key == inner.key ? known : .some(nil)
    known?.shape.formUnion(inner.shape, isDeep: false)
  }

  /// Returns the identifiers in the objects of a member that have nothing else; nil for other members.
  func wrappedIdentity(of member: Shape.Member) -> (key: String, shape: Shape)? {
    composition(of: member) == .object ? wrapped[member.hash] ?? nil : nil
  }

  /// Returns whether each object has a string or a whole number in a member, as if these were identifiers.
  func holdsIdentifiers(_ member: Shape.Member) -> Bool {
    let (shape, scalars) = (member.shape, member.shape.scalars)
    return [.string, .number].contains(composition(of: member)) && shape.nullCount == 0
      && shape.count == objectCount && scalars.emptyStringCount == 0
      && scalars.fractionCount == 0 && scalars.largeCount == 0
  }

  /// Whether the objects are numbers that count what the keys name.
  var areCounts: Bool { form == .value && isCalledLikeKeys && Composition(shape) == .number }

  /// Notes the draft around the objects.
  func noteOuter(_ number: Int) { outer.insert(number) }

  /// Adds the name of the objects at the root of a document, from its root name or from their identity.
  func addAliases(rootName: String?) {
    if let rootName { aliases.insert(Words(rootName).singular.parts) }
    if let owner = identityOwner { aliases.insert(owner) }
  }

  /// Returns whether the objects have the name of references to objects of another draft: `auditRefs` beside `audits`.
  func isCalledReference(to target: EntityDraft) -> Bool {
    aliases.contains { alias in
      alias.count > 1 && ["ref", "reference", "link"].contains(alias[alias.count - 1])
        && target.aliases.contains { $0.last == alias[alias.count - 2] }
    }
  }

  /// Returns whether the objects have the name of another draft's objects, or of references to them.
  func isCalledLike(_ target: EntityDraft) -> Bool {
    isCalledReference(to: target)
      || aliases.contains { alias in target.aliases.contains { $0.last == alias.last } }
  }

  /// Returns whether a member of the objects has their own name, such as the `room` of a room.
  func isNamed(by key: String, in draft: EntityDraft) -> Bool {
    draft === self && aliases.contains(Words(key).singular.parts)
  }

  /// Returns whether the objects contain one object of another draft, whose identity they then only repeat:
  /// `{"doi": "10.1/7", "metadata": {"doi": "10.1/7", …}}`.
  func holdsOne(of target: EntityDraft) -> Bool {
    properties.contains { property in
      if case .relationship(target.number, .one) = property.role { true } else { false }
    }
  }

  /// Returns whether the objects contain lists of another draft's objects.
  func lists(_ target: EntityDraft) -> Bool {
    properties.contains { property in
      if case .relationship(target.number, .elements) = property.role { true } else { false }
    }
  }

  /// The name of the objects by their only identifier: objects with an `orderId` are orders.
  var identityOwner: [String]? {
    let owners = shape.members.compactMap { member -> [String]? in
      let words = member.name.words.parts
      guard words.count > 1, words.last == "id", !Self.adjectives.contains(words[0]),
        let sample = member.shape.identity, sample.records.allSatisfy({ $0.differing == 0 }),
        member.shape.scalars.sketch.distinctCount >= 2, member.shape.count >= objectCount,
        member.shape.nullCount == 0
      else { return nil }
      return words.dropLast()
    }
    return owners.count == 1 && shape.member(named: "id") == nil ? owners[0] : nil
  }

  /// Words that give the kind of an identifier, and not its owner: `unique_id`.
  private static let adjectives: Set<String> = [
    "entity", "unique", "external", "internal", "original", "global", "local", "public", "private",
    "parent",
    "legacy", "native", "main", "primary", "secondary",
  ]

  /// Returns the values of a string property that has only a few, such as `open`, `paid` and `shipped`; the empty string
  /// as two quotation marks.
  func enumeration(of property: PropertyDraft) -> [String]? {
    guard property.composition == .string, property.target == nil, identity?.path != property.path,
      let samples = property.scalars.samples, (2...12).contains(samples.count),
      property.scalars.stringCount >= max(20, 5 * samples.count), property.scalars.longest <= 40,
      property.scalars.formats.datePattern == nil, !property.scalars.formats.contains(.address)
    else { return nil }
    let words = samples.values.filter { !$0.isEmpty }.sorted()
    return property.scalars.emptyStringCount > 0 ? [#""""#] + words : words
  }

  func composition(of member: Shape.Member) -> Composition { composition(of: member.hash) ?? .null }

  /// Returns the composition of the member with a key; nil where there is none.
  func composition(of hash: UInt64) -> Composition? {
    compositions[hash].flatMap(Composition.init)
  }

  private static let typeKeys: Set<String> = [
    "type", "kind", "object", "@type", "__typename", "_type", "$type",
  ]

  /// Whether the objects name their own type: `"type": "Polygon"`.
  var namesItsType: Bool {
    shape.members.contains { member in
      (Self.typeKeys.contains(member.key) || TagNames.isSchema(member.name))
        && composition(of: member) == .string
    }
  }

  /// Whether the objects are lists of values that no property reads, because they identify nothing.
  var hasUnreadValues: Bool {
    guard form == .array,
      let property = properties.first(where: { $0.path == [.eachElement] })
    else { return false }
    if case .attribute = property.role { return true } else { return false }
  }

  /// Returns whether the model reads a property as the tag of the objects' kinds only.
  func isOnlyTag(_ property: PropertyDraft) -> Bool {
    guard let key = variants?.key, property.path == [.member(key)] else { return false }
    return givenIdentity?.contains(key) != true
  }

  /// The number of objects that have no keys and are at places where no object has any.
  ///
  /// They are found when an import reads these places too: the second error of `[{"err": {"code": 7}}, {"err": {}}]`
  /// where only one kind of object has errors with keys.
  var emptyCount = 0

  /// The number of objects that an import reads.
  var readCount: Int { objectCount + emptyCount + (substitutes?.count ?? 0) }

  /// The number of objects.
  var objectCount: Int { form == .object ? shape.objectCount : shape.count }

  /// Returns the number of the objects that can have a member, and words for them, if all are of one kind:
  /// `10 whose type is rect`.
  ///
  /// - Parameter path: The path of the member, or of what is in its list or dictionary.
  /// - Returns: The number and the words; nil where objects of several kinds can have the member.
  func kind(having path: [JSONPath.Step]) -> (count: Int, text: String)? {
    var path = path
    while path.last == .eachMember || path.last == .eachElement { path.removeLast() }
    guard path.count == 1, let variants, let index = variants.onlyKind(having: path) else {
      return nil
    }
    let value = variants.values[index]
    return (value.count, "\(value.count) whose \(variants.key) is \(value.text)")
  }
}

/// A property that the steps of ``ModelDraft`` complete.
///
/// A class, because each step goes through all properties: a copy would count the references of all its parts.
final class PropertyDraft {
  enum Role {
    case attribute
    /// Objects that are found there.
    case relationship(target: Int, Place.Link)
    /// Identifiers of objects that are found elsewhere.
    case reference(target: Int, isToMany: Bool)
  }

  /// The path from the object.
  var path: [JSONPath.Step]
  /// A second path, read if the first one leads nowhere; nil for none.
  var fallback: [JSONPath.Step]?
  /// The last key of the path.
  var key: String {
    didSet { referringKey = ReferenceName.Key(key) }
  }
  /// The same, as keys that refer to objects are compared with their names.
  private(set) lazy var referringKey = ReferenceName.Key(key)
  /// The shape of the values.
  var shape: Shape
  var composition: Composition
  /// The strings and numbers of the place; for an array, the strings and numbers of its elements.
  var scalars: ScalarStatistics
  /// The number of objects that might have the property.
  var holderCount: Int
  var role = Role.attribute
  var name = ""
  var evidence: [String] = []
  /// The certainty of a reference.
  var certainty = InferenceFinding.Certainty.likely
  /// The entity to which the values may refer, if the evidence is too weak.
  var doubtfulTarget: Int?
  /// The entity to whose objects the values lead as paths.
  var pathTarget: PathReference?
  /// The key of the member of the objects referred to that the identifiers hold; nil for their identity.
  var relatedKey: String?
  /// The fingerprint of the tag's value of all objects referred to; nil if they may be of any kind.
  var kind: UInt64?
  /// Whether identifiers elsewhere hold the values.
  var isReferredTo = false
  /// The values of a dictionary at one of its places: at the first where no relationship reads them, if any.
  var contents: Shape?
  /// Whether the objects there consist of the identity of others.
  var holdsIdentities = false
  /// The destination's relationship that leads back.
  var inverse: String?
  /// Whether the values stay as the document has them because the user said so.
  var isKept = false
  /// The reason why an import skips some of the values, which are therefore kept as JSON; nil if all fit.
  var misfit: String?

  init(
    path: [JSONPath.Step], key: String, shape: Shape, composition: Composition,
    scalars: ScalarStatistics, holderCount: Int
  ) {
    self.path = path
    self.key = key
    self.shape = shape
    self.composition = composition
    self.scalars = scalars
    self.holderCount = holderCount
  }

  /// Returns the same values as a reference beside this property, which stays what it is.
  func reference(to target: Int, isToMany: Bool) -> PropertyDraft {
    let reference = PropertyDraft(
      path: path, key: key, shape: shape, composition: composition, scalars: scalars,
      holderCount: holderCount)
    reference.fallback = fallback
    reference.evidence = evidence
    reference.doubtfulTarget = doubtfulTarget
    reference.pathTarget = pathTarget
    reference.role = .reference(target: target, isToMany: isToMany)
    return reference
  }

  /// Makes a reference an attribute again.
  func dropReference() {
    role = .attribute
    relatedKey = nil
    evidence = []
  }

  /// Makes the property an attribute, whose value is the whole list or dictionary.
  func makeAttribute() {
    dropReference()
    while path.last == .eachMember || path.last == .eachElement { path.removeLast() }
  }

  /// Keeps the values as JSON, as an import would skip some of them.
  ///
  /// - Parameter reason: The import's message about one of these.
  func keep(because reason: String) {
    makeAttribute()
    composition = .mixed
    misfit = reason
  }

  /// Whether each object has a value.
  var isAlwaysPresent: Bool { isAlwaysPresent(in: holderCount) }

  /// Returns whether each of the objects that can have the property has a value.
  func isAlwaysPresent(in holderCount: Int) -> Bool {
    shape.count - shape.nullCount >= holderCount
  }

  /// The path as a person writes it: `entities.hashtags`.
  var place: String { JSONPath(path).description }

  /// Returns whether a name is the property's own, its key or its path.
  func isNamed(_ name: String) -> Bool { [self.name, key, place].contains(name) }

  var target: Int? {
    switch role {
    case .attribute: nil
    case .relationship(let target, _), .reference(let target, _): target
    }
  }
}

/// The members that identify the objects of an entity.
struct InferredIdentity {
  /// The key of the member; nil for the key under which the object is found.
  var key: String?
  /// The key of the value in an object of its own, such as `$oid` in `{"_id": {"$oid": "5f1c…"}}`; nil for a plain value.
  var innerKey: String?
  /// The values.
  var scalars: ScalarStatistics
  var evidence: String
  /// Whether some objects of one identity lack keys that others have.
  var hasFewerKeys = false

  /// Whether objects of one identity are equal, and not by chance.
  var isConfirmed = false

  /// Whether objects are identified by their position in an array.
  var isPosition = false

  /// Returns the evidence for an identity that is a different one in each of some objects.
  static func evidence(ofUnique count: Int) -> String {
    "\(count) objects, \(count) identities, none repeated"
  }

  var path: [JSONPath.Step] {
    isPosition
      ? [.index]
      : key.map { key in [key, innerKey].compactMap(\.self).map { .member($0) } } ?? [.key]
  }
}
