// The way from places to entities:
//
//   fold       objects that are dictionaries become one place for all their members
//   group      places that hold the same kind of thing become one draft of an entity
//   identify   by what the objects of each draft are told apart
//   flatten    small objects that belong to exactly one other become part of it
//   describe   what each member is: an attribute, objects, or identifiers of objects elsewhere
//   divide     tags divide entities into sub-entities
//
// Naming and writing it all down follow: `DraftNames`, `ModelAssembly`.

/// The entities of a document in the making.
final class ModelDraft {
  /// The most members of an object that becomes part of the one around it.
  static let flattenedLimit = 8

  let table: PlaceTable
  let options: InferenceOptions
  let rootNames: [String?]
  let fileNames: [String?]
  private let identities: [String: [String]]
  private(set) var drafts: [EntityDraft] = []
  /// The draft of each place.
  private var draftOfPlace: [Int] = []
  /// The drafts that the model has, in the order in which they are met from the root.
  private(set) var reachable: [EntityDraft] = []

  /// Finds the entities.
  ///
  /// - Parameters:
  ///   - shapes: What is known of each document.
  ///   - rootNames: What the objects at the root of each are called; nil where that is not known.
  ///   - fileNames: The names of the files that they come from.
  ///   - identities: The members that are identities because somebody said so, by the path of a place;
  ///     several are joined by spaces, and an empty string is none.
  ///   - options: What is known of the documents.
  init?(
    _ shapes: [Shape], rootNames: [String?], fileNames: [String?],
    identities: [String: [String]] = [:],
    options: InferenceOptions
  ) {
    self.options = options
    self.rootNames = rootNames
    self.fileNames = fileNames
    self.identities = identities
    table = Self.foldedTable(shapes)
    guard table.roots.contains(where: { $0 != nil }) else { return nil }
    makeDrafts()
    identify()
    flatten()
    for draft in drafts { describe(draft) }
    collectReachable()
    ReferenceSearch(drafts: reachable).resolve()
    dropUnresolvedArrays()
    collectReachable()
    for draft in reachable { draft.variants = variants(of: draft) }
    dropAmbiguousVariants()
    DraftNames(self).assign()
    InverseSearch(self).resolve()
  }

  /// The drafts of the objects at the root of each document.
  var roots: [EntityDraft?] { table.roots.map { place in place.map { drafts[draftOfPlace[$0]] } } }

  /// The number of the first document at whose root a draft's objects are.
  func rootNumber(of draft: EntityDraft) -> Int? { roots.firstIndex { $0 === draft } }

  // MARK: Folding

  /// Folds dictionaries until the same member is one at all places of an entity or at none.
  private static func foldedTable(_ shapes: [Shape]) -> PlaceTable {
    let folding = DictionaryFolding(shapes)
    for shape in shapes { folding.fold(shape, key: "") }
    var table = PlaceTable(shapes)
    for _ in 0..<4 {
      let grouping = EntityGrouping(table)
      var dictionaries: [Int: Set<UInt64>] = [:]
      for number in 0..<table.count {
        for member in table[number].shape.members where member.shape.eachMember != nil {
          dictionaries[grouping.group(of: number), default: []].insert(member.hash)
        }
      }
      var isChanged = false
      for number in 0..<table.count {
        for hash in dictionaries[grouping.group(of: number)] ?? [] {
          guard let member = table[number].shape.member(hash), member.eachMember == nil,
            Composition(member) == .object
          else { continue }
          member.foldMembers()
          isChanged = true
        }
      }
      guard isChanged else { break }
      table = PlaceTable(shapes)
    }
    return table
  }

  // MARK: Drafts

  private func makeDrafts() {
    let grouping = EntityGrouping(table)
    var groups: [Int: [Int]] = [:]
    for number in 0..<table.count { groups[grouping.group(of: number), default: []].append(number) }
    draftOfPlace = Array(repeating: 0, count: table.count)
    for (number, group) in groups.keys.sorted().enumerated() {
      let places = groups[group] ?? []
      drafts.append(EntityDraft(number: number, places: places, in: table))
      for place in places { draftOfPlace[place] = number }
    }
    for (index, root) in roots.enumerated() {
      let file = FileWords(fileNames[index])?.name(isDocument: false)
      root?.addAliases(rootName: rootNames[index] ?? file)
    }
  }

  /// The draft of what is found at some steps from a draft's objects.
  func child(of draft: EntityDraft, at steps: [JSONPath.Step]) -> EntityDraft? {
    for place in draft.places {
      if let number = table.children[place][steps] { return drafts[draftOfPlace[number]] }
    }
    return nil
  }

  private func identify() {
    for draft in drafts {
      if let keys = draft.places.compactMap({ identities[table[$0].path] }).first {
        draft.givenIdentity = keys
        draft.identity = keys.count == 1 ? IdentitySearch.identity(keys[0], of: draft) : nil
      } else {
        let search = IdentitySearch(draft, role(of: draft))
        draft.identity = search.identity
        if draft.identity == nil { draft.objection = search.objection }
        if draft.identity == nil, let pair = search.pair {
          draft.givenIdentity = pair.keys
          draft.compositeEvidence = pair.evidence
        }
      }
    }
    for draft in drafts {
      makeReference(draft)
      makeCompositeReference(draft)
    }
  }

  private func role(of draft: EntityDraft) -> IdentitySearch.Role {
    let places = draft.places.map { table[$0] }
    if places.allSatisfy({ $0.link == .one && $0.parent != nil }) { return .single }
    let isCollection = places.contains { place in
      guard place.link != .one, let parent = place.parent else { return place.parent == nil }
      return table[parent].shape.objectCount <= 1
    }
    return isCollection ? .collection : .part
  }

  /// Takes the identity from objects such as `{"type": "people", "id": "9"}`, which only refer to an
  /// object elsewhere that has more to it.
  private func makeReference(_ draft: EntityDraft) {
    guard let key = draft.identity?.key, draft.form == .object,
      draft.shape.members.count <= EntityGrouping.excerptLimit,
      let member = draft.shape.member(named: key), rootNumber(of: draft) == nil,
      draft.givenIdentity == nil
    else { return }
    let target = drafts.first { target in
      guard target !== draft, let identity = target.identity, identity.key == key,
        target.shape.members.count > draft.shape.members.count,
        draft.shape.members.allSatisfy({ Self.repeats($0, of: draft, at: key, target) })
      else { return false }
      let overlap = member.scalars.sketch.overlap(with: identity.scalars.sketch)
      if overlap.common > 0, overlap.common * 10 >= overlap.compared * 9 { return true }
      // Where both are called teams, some may be of those that the document does not describe.
      return overlap.common > 1 && overlap.common * 2 >= overlap.compared
        && !draft.aliases.isDisjoint(with: target.aliases)
    }
    guard let target else { return }
    draft.identity = nil
    draft.reference = (key, target.number)
  }

  /// Takes objects such as `{"type": "people", "id": "9"}` for what they refer to, where both members
  /// together are its identity.
  private func makeCompositeReference(_ draft: EntityDraft) {
    guard draft.form == .object, rootNumber(of: draft) == nil, draft.shape.members.count == 2,
      let sample = draft.shape.pairs.values.first, draft.shape.pairs.count == 1
    else { return }
    let keys = draft.shape.members.map(\.key).sorted()
    let target = drafts.first { target in
      guard target !== draft, target.compositeEvidence != nil, target.givenIdentity == keys,
        target.shape.members.count > 2, let pair = draft.shape.pairs.keys.first,
        let identities = target.shape.pairs[pair]
      else { return false }
      return Set(sample.values).isSubset(of: identities.values)
    }
    guard let target else { return }
    draft.identity = nil
    draft.givenIdentity = nil
    draft.compositeEvidence = nil
    draft.identityOf = target.number
  }

  /// Whether a member only says of an object what is known of it: its type, or what it has itself.
  private static func repeats(
    _ member: Shape.Member, of draft: EntityDraft, at key: String, _ target: EntityDraft
  ) -> Bool {
    let marks = ["type", "kind", "object", "href", "url", "self", "_type", "@type"]
    if member.key == key || draft.shape.members.count <= 3 && marks.contains(member.key) {
      return true
    }
    guard draft.composition(of: member).isScalar, target.shape.member(member.hash) != nil,
      let mine = draft.shape.member(named: key)?.identity,
      let theirs = target.shape.member(named: key)?.identity
    else { return false }
    return mine.agreement(with: theirs).contradicting == 0
  }

  // MARK: Flattening

  // A rule that can be said in a sentence: an object becomes part of the one around it if it is found
  // under one key of one entity, has no identity, has no more than eight members and is never null or
  // absent. One that holds nothing but arrays may be absent, since an absent array is an empty one, and one
  // that says of what type it is stays a thing of its own. One whose members depend on a tag of the
  // object around it becomes part of that, whatever its size. One that has a single value, or that only
  // refers to an object elsewhere, becomes part of whatever it is found in.

  private func flatten() {
    for draft in drafts where draft.form == .object && draft.identity == nil {
      if isSingleValue(draft) || isReference(draft), isAlwaysPart(draft) {
        draft.isFlattened = true
        continue
      }
      guard draft.identityOf == nil, draft.givenIdentity == nil, rootNumber(of: draft) == nil,
        let place = onlyPlace(of: draft), let parent = place.parent,
        place.link == .one, !draft.namesItsType
      else { continue }
      let owner = drafts[draftOfPlace[parent]]
      guard owner !== draft, let step = place.steps.first, case .member(let key) = step,
        let member = owner.shape.member(named: key), owner.form == .object,
        owner.compositions[Fingerprint.of(key)] == .object
      else { continue }
      let isAlwaysThere =
        member.nullCount == 0 && member.objectCount >= owner.shape.objectCount
      let isSmall = draft.shape.members.count <= Self.flattenedLimit
      let isDivided = isAlwaysThere && dividesWithOwner(draft, key, owner)
      draft.isFlattened = isAlwaysThere && isSmall || holdsOnlyArrays(draft) || isDivided
    }
  }

  /// Whether objects have one member, such as `{"self": "https://…"}` or `{"rendered": "…"}`.
  private func isSingleValue(_ draft: EntityDraft) -> Bool {
    guard draft.identityOf == nil, draft.givenIdentity == nil, draft.reference == nil,
      draft.shape.members.count == 1, let member = draft.shape.members.first
    else { return false }
    return draft.composition(of: member).isScalar
      && member.shape.count - member.shape.nullCount >= draft.shape.objectCount
  }

  /// Whether objects only refer to others, such as `{"id": 7, "name": "Plan"}`.
  private func isReference(_ draft: EntityDraft) -> Bool {
    draft.reference != nil
      && draft.shape.members.allSatisfy { draft.composition(of: $0).isScalar }
  }

  /// Whether all objects in which those of a draft may be found have one.
  private func isAlwaysPart(_ draft: EntityDraft) -> Bool {
    draft.places.allSatisfy { number in
      let place = table[number]
      guard let parent = place.parent, place.link == .one, place.steps.count == 1,
        case .member(let key)? = place.steps.first
      else { return false }
      let owner = drafts[draftOfPlace[parent]]
      guard owner !== draft, owner.form == .object, let holder = owner.shape.member(named: key)
      else {
        return false
      }
      return owner.compositions[Fingerprint.of(key)] == .object && holder.nullCount == 0
        && holder.objectCount >= owner.shape.objectCount
    }
  }

  /// Whether a tag of the object around it decides what an object holds, as for the payload of an event.
  private func dividesWithOwner(_ draft: EntityDraft, _ key: String, _ owner: EntityDraft) -> Bool {
    let hash = Fingerprint.of(key)
    return variants(of: owner)?.nested.keys.count { $0.first == hash } ?? 0 >= 2
  }

  private func variants(of draft: EntityDraft) -> VariantTable? {
    VariantSearch(draft, drafts) { [unowned self] in child(of: $0, at: $1) }.table
  }

  /// The place of a draft's objects, where all are found in the same way in objects of one entity.
  private func onlyPlace(of draft: EntityDraft) -> Place? {
    let places = draft.places.map { table[$0] }
    guard let first = places.first, let parent = first.parent else { return nil }
    let isAlone = places.allSatisfy { place in
      place.steps == first.steps
        && place.parent.map { draftOfPlace[$0] } == draftOfPlace[parent]
    }
    return isAlone ? first : nil
  }

  private func holdsOnlyArrays(_ draft: EntityDraft) -> Bool {
    draft.shape.members.allSatisfy { member in
      switch draft.composition(of: member) {
      case .objects, .emptyArray: true
      case .object:
        child(of: draft, at: [.member(member.key)]).map { inner in
          inner.identity == nil && inner !== draft && onlyPlace(of: inner) != nil
            && inner.shape.members.allSatisfy {
              [.objects, .emptyArray].contains(inner.composition(of: $0))
            }
        } ?? false
      default: false
      }
    }
  }

  // MARK: Properties

  private func describe(_ draft: EntityDraft) {
    guard !draft.isFlattened else { return }
    if draft.isKeyed {
      var key = PropertyDraft(
        path: [.key], key: "", shape: Shape(), composition: .string, scalars: draft.keys,
        holderCount: 0)
      key.shape.stringCount = draft.isAlwaysKeyed ? 1 : 0
      key.holderCount = 1
      draft.properties.append(key)
    }
    switch draft.form {
    case .object: describeMembers(of: draft, in: draft, prefix: [], isCertain: true)
    case .value:
      let composition = Composition(draft.shape)
      draft.properties.append(
        PropertyDraft(
          path: [.value], key: "", shape: draft.shape, composition: composition,
          scalars: draft.shape.scalars, holderCount: draft.shape.count))
    case .array:
      guard let element = draft.shape.element else { return }
      var property = PropertyDraft(
        path: [.eachElement], key: table[draft.places[0]].key, shape: draft.shape,
        composition: .scalars, scalars: element.scalars, holderCount: draft.shape.count)
      if let child = child(of: draft, at: [.eachElement]) {
        property.role = .relationship(target: child.number, .elements)
        property.composition = .objects
      }
      draft.properties.append(property)
    case .dictionary:
      guard let child = child(of: draft, at: [.eachMember]) else { return }
      var property = PropertyDraft(
        path: [.eachMember], key: table[draft.places[0]].key, shape: draft.shape,
        composition: .dictionary, scalars: draft.keys, holderCount: draft.shape.count)
      property.role = .relationship(target: child.number, .members)
      draft.properties.append(property)
    }
  }

  /// Describes the members of a draft's objects, and of those that became part of them.
  private func describeMembers(
    of part: EntityDraft, in draft: EntityDraft, prefix: [JSONPath.Step], isCertain: Bool
  ) {
    for member in part.shape.members {
      let steps: [JSONPath.Step] = [.member(member.key)]
      let composition = part.composition(of: member)
      var property = PropertyDraft(
        path: prefix + steps, key: member.key, shape: member.shape, composition: composition,
        scalars: member.shape.scalars,
        holderCount: isCertain ? part.shape.objectCount : .max)
      switch composition {
      case .scalars:
        property.scalars = member.shape.element?.scalars ?? property.scalars
      case .object:
        guard let child = child(of: part, at: steps) else { break }
        if child.isFlattened {
          let isCertain =
            isCertain
            && member.shape.objectCount - member.shape.emptyObjectCount
              >= part.shape.objectCount
          describeMembers(of: child, in: draft, prefix: property.path, isCertain: isCertain)
          continue
        }
        property.role = .relationship(target: child.identityOf ?? child.number, .one)
        property.holdsIdentities = child.identityOf != nil
      case .objects:
        if let child = child(of: part, at: steps) {
          property.role = .relationship(target: child.identityOf ?? child.number, .elements)
          property.holdsIdentities = child.identityOf != nil
        }
      case .dictionary:
        if let child = child(of: part, at: steps + [.eachMember]) {
          property.role = .relationship(target: child.number, .members)
          property.path.append(.eachMember)
        }
      default: break
      }
      if let reference = part.reference, reference.key == member.key {
        property.role = .reference(target: reference.target, isToMany: false)
        let identities = drafts[reference.target].identity?.scalars.sketch ?? ValueSketch()
        let overlap = property.scalars.sketch.overlap(with: identities)
        property.evidence.append(
          ReferenceSearch.evidence(common: overlap.common, compared: overlap.compared))
      }
      draft.properties.append(property)
    }
  }

  /// Keeps dictionaries of arrays as JSON where the arrays hold no identifiers.
  private func dropUnresolvedArrays() {
    for draft in reachable where draft.form == .array {
      guard let property = draft.properties.last, case .attribute = property.role else { continue }
      draft.isJSON = true
    }
    for draft in reachable {
      for index in draft.properties.indices {
        guard case .relationship(let target, _) = draft.properties[index].role,
          drafts[target].isJSON
        else { continue }
        draft.properties[index].role = .attribute
        if draft.form == .dictionary {
          draft.isJSON = true
        } else if draft.properties[index].path.last == .eachMember {
          draft.properties[index].path.removeLast()
        }
      }
    }
  }

  /// Leaves an entity undivided that identifiers refer to which do not tell the sub-entity: such an
  /// identifier would be written with its tag.
  private func dropAmbiguousVariants() {
    for draft in reachable {
      for property in draft.properties {
        guard case .reference(let target, _) = property.role, let table = drafts[target].variants
        else { continue }
        if table.onlyValue(of: property.scalars.sketch, in: drafts[target]) == nil {
          drafts[target].variants = nil
        }
      }
    }
  }

  private func collectReachable() {
    reachable = []
    var known: Set<Int> = []
    for root in roots.compactMap(\.self) where known.insert(root.number).inserted {
      reachable.append(root)
    }
    var index = 0
    while index < reachable.count {
      for property in reachable[index].properties {
        if let target = property.target, known.insert(target).inserted {
          reachable.append(drafts[target])
        }
      }
      index += 1
    }
  }
}
