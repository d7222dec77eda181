import Graft

/// Finds the properties of drafts from the members, positions, keys and values of their objects.
struct PropertySearch {
  private let model: ModelDraft

  init(_ model: ModelDraft) { self.model = model }

  /// Describes the properties of a draft.
  func describe(_ draft: EntityDraft) {
    guard !draft.isFlattened else { return }
    if draft.isKeyed { describeKey(of: draft) }
    if let identity = draft.identity, identity.path == [.index] {
      let position = PropertyDraft(
        path: [.index], key: "", shape: Shape(), composition: .number, scalars: identity.scalars,
        holderCount: 1)
      position.shape.numberCount = 1
      draft.properties.append(position)
    }
    if let owner = draft.outerIdentity { describeIdentity(of: owner, for: draft) }
    switch draft.form {
    case .object:
      describeMembers(of: Part(draft: draft, owner: draft))
      if let substitutes = draft.substitutes { describeValue(substitutes, of: draft) }
    case .value: describeValue(draft.shape, of: draft)
    case .row: describeColumns(of: draft)
    case .array: describeElements(of: draft)
    case .dictionary:
      guard let child = model.child(of: draft, at: [.eachMember]) else { return }
      let property = PropertyDraft(
        path: [.eachMember], key: model.table[draft.places[0]].key, shape: draft.shape,
        composition: .dictionary, scalars: draft.keys, holderCount: draft.shape.count)
      property.role = .relationship(target: child.number, .members)
      draft.properties.append(property)
    }
  }

  /// Describes the key under which a draft's objects are found in dictionaries.
  private func describeKey(of draft: EntityDraft) {
    let key = PropertyDraft(
      path: [.key], key: "", shape: Shape(), composition: .string, scalars: draft.keys,
      holderCount: 1)
    key.shape.stringCount = draft.isAlwaysKeyed ? 1 : 0
    draft.properties.append(key)
  }

  /// Describes the elements of a draft's arrays.
  private func describeElements(of draft: EntityDraft) {
    guard let element = draft.shape.element else { return }
    let property = PropertyDraft(
      path: [.eachElement], key: model.table[draft.places[0]].key, shape: draft.shape,
      composition: .scalars, scalars: element.scalars, holderCount: draft.shape.count)
    if let child = model.child(of: draft, at: [.eachElement]) {
      property.role = .relationship(target: child.number, .elements)
      property.composition = .objects
    }
    draft.properties.append(property)
  }

  /// Describes the identifier of the object around that is a part of the identity of a draft's objects.
  private func describeIdentity(of owner: EntityDraft, for draft: EntityDraft) {
    guard let identity = owner.identity, let key = identity.key,
      let member = owner.shape.member(named: key)
    else { return }
    let name = owner.aliases.min { $0.lexicographicallyPrecedes($1) } ?? ["outer"]
    let words = Words(key).parts
    let isNamed = words.count > 1 || name.isEmpty
    draft.properties.append(
      PropertyDraft(
        path: [.parent, .member(key)], key: isNamed ? key : (name + words).joined(separator: "_"),
        shape: member, composition: member.stringCount > 0 ? .string : .number,
        scalars: identity.scalars, holderCount: .max))
  }

  private func describeValue(_ shape: Shape, of draft: EntityDraft) {
    draft.properties.append(
      PropertyDraft(
        path: [.value], key: "", shape: shape, composition: Composition(shape),
        scalars: shape.scalars, holderCount: draft.shape.count))
  }

  /// Describes each position of a draft's rows.
  private func describeColumns(of draft: EntityDraft) {
    guard let rows = draft.shape.rows else { return }
    let columns = draft.places.map { model.table[$0].shape.rows?.columns ?? [] }
    for (position, shape) in rows.columns.enumerated() {
      let composition = columns.reduce(Composition.null) { all, columns in
        position < columns.count ? all.combined(with: Composition(columns[position])) : all
      }
      let property = PropertyDraft(
        path: [.element(position)], key: rows.name(of: position), shape: shape,
        composition: composition, scalars: shape.scalars, holderCount: draft.shape.arrayCount)
      if composition == .scalars { property.scalars = shape.element?.scalars ?? shape.scalars }
      if composition == .object, let child = model.child(of: draft, at: property.path) {
        property.role = .relationship(target: child.number, .one)
      } else if composition == .objects, let child = model.child(of: draft, at: property.path) {
        property.role = .relationship(target: child.number, .elements)
      }
      draft.properties.append(property)
    }
  }

  /// Makes a list of objects that have nothing but a reference a relationship to the objects they refer to.
  private func readReferences(of child: EntityDraft, in property: PropertyDraft) {
    guard let reference = child.reference,
      let identifiers = child.shape.member(named: reference.key)
    else { return }
    property.path += [.eachElement, .member(reference.key)]
    property.scalars = identifiers.scalars
    property.role = .reference(target: reference.target, isToMany: true)
    property.evidence.append(evidence(for: property, of: reference.target))
  }

  private func evidence(for property: PropertyDraft, of target: Int) -> String {
    let identities = model.drafts[target].identity?.scalars.sketch ?? ValueSketch()
    let overlap = property.scalars.sketch.overlap(with: identities)
    return ReferenceMatch.evidence(common: overlap.common, compared: overlap.compared)
  }

  /// Returns whether the identifiers at a place, if there are any, are the identities of a draft's objects, and the scalars
  /// in place of its objects are of one kind everywhere.
  private func canMention(_ draft: EntityDraft, at shape: Shape) -> Bool {
    if let substitutes = draft.substitutes, !Composition(substitutes).isScalar { return false }
    guard let member = shape.mentionedMember, shape.mentionCount > 0 else { return true }
    return draft.substitutes == nil && !draft.isFlattened && draft.compositeReference == nil
      && draft.identity?.innerKey == nil
      && draft.identity?.key.map(Fingerprint.of) == member
  }

  /// Returns the objects of a draft that are at some steps from the objects of another one.
  ///
  /// Several entities may have a part, and the `sys` of entries says nothing about the `sys` of assets.
  private func own(
    _ child: EntityDraft, of part: EntityDraft, at steps: [JSONPath.Step]
  ) -> EntityDraft {
    guard child.outer.count > 1 else { return child }
    let own = EntityDraft(
      number: child.number,
      places: part.places.compactMap { model.table.children[$0][steps] }, in: model.table)
    own.reference = child.reference
    return own
  }

  private func isIdentity(_ property: PropertyDraft, of draft: EntityDraft) -> Bool {
    draft.identity?.path == property.path
      || property.path.count == 1 && draft.givenIdentity?.contains(property.key) == true
  }

  /// Objects whose members are properties of a draft's objects: these themselves, or flattened objects in them.
  private struct Part {
    /// The draft of the objects.
    let draft: EntityDraft
    /// The draft that has the properties.
    let owner: EntityDraft
    /// The path from the owner's objects.
    var prefix: [JSONPath.Step] = []
    /// Whether each of the owner's objects has one.
    var isCertain = true
    /// Whether some have null in its place.
    var mayBeNull = false
    /// The key of the objects; nil for the owner's own.
    var key: String?
  }

  /// Describes the members of a draft's objects, including members of flattened objects.
  private func describeMembers(of part: Part) {
    for member in part.draft.shape.members { describe(member, of: part) }
    guard part.draft.shape.eachMember != nil,
      let child = model.child(of: part.draft, at: [.eachMember])
    else { return }
    let rest = PropertyDraft(
      path: part.prefix + [.eachMember], key: model.table[part.draft.places[0]].key,
      shape: part.draft.shape, composition: .dictionary, scalars: part.draft.keys,
      holderCount: .max)
    rest.role = .relationship(target: child.number, .members)
    part.owner.properties.append(rest)
  }

  private func describe(_ member: Shape.Member, of part: Part) {
    let property = PropertyDraft(
      path: part.prefix + [.member(member.key)], key: member.key, shape: member.shape,
      composition: part.draft.composition(of: member), scalars: member.shape.scalars,
      holderCount: part.isCertain ? part.draft.shape.objectCount : .max)
    // {"author": {"$oid": "5f1c…"}} has an author.
    if let key = part.key, part.draft.shape.members.count == 1,
      member.form == .annotation || member.name.namesType
    {
      property.key = key
    }
    switch property.composition {
    // Only identities are read as strings if some are numbers.
    case .string where member.shape.numberCount > 0 && !isIdentity(property, of: part.owner):
      property.composition = .mixed
    case .scalars:
      property.scalars = member.shape.element?.scalars ?? property.scalars
    case .object:
      if let inner = flattenedPart(member, of: part) {
        describeMembers(of: inner)
        return
      }
      describeObject(property, member, of: part)
    case .objects: describeList(property, member, of: part)
    case .grid:
      if let (child, steps) = model.list(of: part.draft, under: member.key) {
        property.path = part.prefix + steps
        property.role = .relationship(target: child.number, .elements)
      }
    case .dictionary: describeDictionary(property, member, of: part)
    default: break
    }
    if let reference = part.draft.reference, reference.key == member.key {
      property.role = .reference(target: reference.target, isToMany: false)
      // A null in place of the object clears the relationship too.
      if part.mayBeNull { property.fallback = part.prefix }
      property.evidence.append(evidence(for: property, of: reference.target))
    }
    part.owner.properties.append(property)
  }

  /// Returns the flattened objects in a member; nil where its objects are of an entity, or stay JSON.
  private func flattenedPart(_ member: Shape.Member, of part: Part) -> Part? {
    let steps: [JSONPath.Step] = [.member(member.key)]
    guard let child = model.child(of: part.draft, at: steps), child.isFlattened,
      canMention(child, at: member.shape)
    else { return nil }
    let count = member.shape.objectCount - member.shape.emptyObjectCount
    return Part(
      draft: own(child, of: part.draft, at: steps), owner: part.owner,
      prefix: part.prefix + steps,
      isCertain: part.isCertain && count >= part.draft.shape.objectCount,
      mayBeNull: member.shape.nullCount > 0, key: member.key)
  }

  private func describeObject(_ property: PropertyDraft, _ member: Shape.Member, of part: Part) {
    guard let child = model.child(of: part.draft, at: [.member(member.key)]) else { return }
    relate(property, to: child, .one, at: member.shape)
  }

  private func describeList(_ property: PropertyDraft, _ member: Shape.Member, of part: Part) {
    guard let (child, steps) = model.list(of: part.draft, under: member.key) else { return }
    guard let element = member.shape.element else {
      property.composition = .mixed
      return
    }
    guard relate(property, to: child, .elements, at: element) else { return }
    property.path = part.prefix + steps
    if child.isFlattened { readReferences(of: child, in: property) }
  }

  /// Makes a property a relationship to objects, or JSON where some values are no mentions of these.
  ///
  /// - Returns: Whether it is a relationship.
  @discardableResult
  private func relate(
    _ property: PropertyDraft, to child: EntityDraft, _ link: Place.Link, at shape: Shape
  ) -> Bool {
    guard canMention(child, at: shape) else {
      property.composition = .mixed
      return false
    }
    property.role = .relationship(target: child.compositeReference ?? child.number, link)
    property.holdsIdentities = child.compositeReference != nil
    return true
  }

  private func describeDictionary(
    _ property: PropertyDraft, _ member: Shape.Member, of part: Part
  ) {
    let contents = part.draft.places.compactMap {
      model.table[$0].shape.member(member.hash)?.eachMember
    }
    // One place may have nulls in it, which no relationship reads.
    let unread = contents.first {
      PlaceTable.form(ofMembers: $0) == nil && ($0.nullCount > 0 || !$0.isEmptyOrNull)
    }
    property.contents = unread ?? contents.first
    guard unread == nil,
      let child = model.child(of: part.draft, at: [.member(member.key), .eachMember])
    else { return }
    property.role = .relationship(target: child.number, .members)
    property.path.append(.eachMember)
  }
}
