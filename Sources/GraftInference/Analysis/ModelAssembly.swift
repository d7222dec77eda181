import Graft

/// Turns the drafts into descriptions of entities.
struct ModelAssembly {
  private let model: ModelDraft
  private let subentityNames: SubentityNames
  // Each attribute of each entity asks for these.
  /// The numbers of the drafts that references lead to, and of those with a reference that is a string.
  private var referred: Set<Int> = []
  private var referredByStrings: Set<Int> = []
  /// The numbers of the drafts of whose objects some have only the identity.
  private var mentionedInPart: Set<Int> = []

  init(_ model: ModelDraft) {
    self.model = model
    subentityNames = SubentityNames(model)
    for draft in model.reachable {
      for property in draft.properties {
        if property.holdsIdentities, let target = property.target { mentionedInPart.insert(target) }
        guard case .reference(let target, _) = property.role else { continue }
        referred.insert(target)
        if property.path != [.key], property.scalars.stringCount > 0 {
          referredByStrings.insert(target)
        }
      }
    }
  }

  /// The descriptions; each entity of objects at the root of a document has their path.
  var entities: [EntityDescription] {
    var entities = model.reachable.flatMap(descriptions)
    let roots = model.rootPaths.compactMap(\.self)
    for index in entities.indices {
      let root = roots.first { $0.entity == entities[index].name }
      entities[index].userInfo[ModelAnnotations.root] = root?.path.description
    }
    return entities
  }

  /// Returns the model of the descriptions, compiled and checked.
  ///
  /// - Throws: ``Graft/ModelError`` where a name that was given does not fit.
  func graphModel() throws(ModelError) -> GraphModel {
    try GraphModel(entities: entities, dialect: .graft)
  }

  /// Returns an entity, and its sub-entities where a tag divides it.
  private func descriptions(of draft: EntityDraft) -> [EntityDescription] {
    var base = EntityDescription(name: draft.name)
    if let keys = draft.givenIdentity, keys.count > 1 {
      base.identity = keys.compactMap { key in
        draft.properties.first { $0.target == nil && $0.isNamed(key) }?.name
      }
    } else if let identity = draft.identity {
      base.identity = draft.properties.filter { $0.path == identity.path && $0.target == nil }
        .map(\.name)
    }
    base.userInfo[ModelAnnotations.evidence] = summary(of: draft)
    // A scalar in place of an object says nothing of its identity.
    if draft.substitutes != nil, base.identity?.isEmpty == false, draft.identity?.path != [.key] {
      base.missingIdentity = .insert
    }
    let variants = subentityNames[draft]
    var subentities = variants.map { variant in
      EntityDescription(
        name: variant.name, superentity: draft.name, discriminatorValue: variant.text,
        userInfo: [
          ModelAnnotations.evidence: "\(variant.count) \(variant.count == 1 ? "object" : "objects")"
        ])
    }
    if let table = draft.variants {
      // An object of an abstract entity cannot be made from its identity alone.
      base.isAbstract = !referred.contains(draft.number) && draft.substitutes == nil
      base.discriminator = JSONPaths([JSONPath([.member(table.key)]).description])
    }
    for property in draft.properties {
      if draft.isOnlyTag(property) { continue }
      // A property of several sub-entities, but not of all, is declared above them.
      if let table = draft.variants, let index = table.onlyKind(having: property.path) {
        // Only objects of the sub-entity can have the property.
        let count = property.path.count == 1 ? table.values[index].count : property.holderCount
        append(property, of: draft, holderCount: count, to: &subentities[index])
      } else {
        append(property, of: draft, holderCount: property.holderCount, to: &base)
      }
    }
    return [base] + subentities
  }

  private func append(
    _ property: PropertyDraft, of draft: EntityDraft, holderCount: Int,
    to entity: inout EntityDescription
  ) {
    switch property.role {
    case .attribute:
      entity.attributes.append(attribute(property, of: draft, holderCount: holderCount))
    case .relationship, .reference: entity.relationships.append(relationship(property))
    }
  }

  private func summary(of draft: EntityDraft) -> String {
    if let evidence = draft.identity?.evidence ?? draft.compositeEvidence { return evidence }
    return "\(draft.readCount) \(draft.readCount == 1 ? "object" : "objects"), no identity"
  }

  // MARK: Properties

  /// The number of objects that must have a value before it counts as required.
  private static let requiredEvidence = 20

  private func attribute(
    _ property: PropertyDraft, of draft: EntityDraft, holderCount: Int
  ) -> AttributeDescription {
    let isIdentity = draft.identity?.path == property.path
    let isReferred = property.path == [.key]
    var typing = AttributeTyping(
      property, isIdentity: isIdentity || isReferred || property.isKept)
    // The key of `{"featured": {"id": "a", …}, "categories": {"100": {"id": "a", …}, …}}` is a word at one place.
    if property.path == [.key], property.scalars.formats.contains(.integer), draft.isAlwaysKeyed,
      property.misfit == nil,
      !referredByStrings.contains(draft.number)
    {
      typing.type = .integer64
    }
    let isRequired =
      draft.substitutes == nil
      && (isIdentity || property.path == [.key] && draft.isAlwaysKeyed
        || property.isAlwaysPresent(in: holderCount) && holderCount >= Self.requiredEvidence
          && typing.type != .transformable && !mentionedInPart.contains(draft.number))
    var attribute = AttributeDescription(
      name: property.name, type: typing.type, isOptional: !isRequired,
      paths: paths(of: property), dateFormat: typing.dateFormat)
    if property.composition == .number, property.key.hasSuffix("_str") {
      // An export takes `id_str` for a string otherwise; a `base_str` is a strength.
      attribute.policies.writtenAs = .value
    }
    if let values = draft.enumeration(of: property) {
      attribute.userInfo[ModelAnnotations.evidence] = "one of \(values.joined(separator: ", "))"
    }
    if let type = elementType(of: property) {
      attribute.userInfo[ModelAnnotations.swiftType] = "[\(type)]"
    }
    let notes =
      [typing.note].compactMap(\.self) + (property.doubtfulTarget == nil ? property.evidence : [])
    if !notes.isEmpty {
      attribute.userInfo[ModelAnnotations.evidence] = notes.joined(separator: "; ")
    }
    return attribute
  }

  /// Returns the Swift type of the elements of an attribute's arrays; nil for no array, or for
  /// elements of several types.
  private func elementType(of property: PropertyDraft) -> String? {
    guard property.composition == .scalars, let element = property.shape.element else { return nil }
    let name: String
    switch Composition(element) {
    case .boolean: name = "Bool"
    case .string: name = "String"
    case .number:
      guard element.scalars.largeCount == 0 else { return nil }
      name = element.scalars.fractionCount > 0 ? "Double" : "Int"
    default: return nil
    }
    return element.nullCount > 0 ? name + "?" : name
  }

  private func relationship(_ property: PropertyDraft) -> RelationshipDescription {
    var relationship = RelationshipDescription(
      name: property.name, destination: "", paths: paths(of: property))
    switch property.role {
    case .attribute: break
    case .relationship(let target, let link):
      let draft = model.drafts[target]
      relationship.destination = draft.name
      relationship.isToMany = link != .one
      relationship.isOrdered = link == .elements
      if property.shape.singleCount > 0 { relationship.policies.wrapsSingleObjects = true }
      if property.holdsIdentities {
        relationship.policies.export = .identifier
      } else if draft.identity == nil, draft.givenIdentity?.isEmpty ?? true {
        relationship.deleteRule = .cascade
        relationship.policies.removed = .delete
      }
    case .reference(let target, let isToMany):
      let draft = model.drafts[target]
      let subentity = subentity(of: draft, for: property)
      relationship.destination = subentity ?? draft.name
      relationship.isToMany = isToMany
      relationship.isOrdered = isToMany
      relationship.policies.export = .identifier
      // An identifier of an object whose sub-entity it does not tell would be written with the tag.
      let isIdentityAlone = draft.variants != nil && subentity == nil
      let path =
        property.relatedKey.map { [.member($0)] } ?? (isIdentityAlone ? draft.identity?.path : nil)
      relationship.relatedBy = path.flatMap { path in
        draft.properties.first { $0.path == path && $0.target == nil }?.name
      }
    }
    relationship.inverse = property.inverse
    if !property.evidence.isEmpty {
      relationship.userInfo[ModelAnnotations.evidence] = property.evidence.joined(separator: "; ")
    }
    return relationship
  }

  /// Returns the name of the entity to which a property leads; the sub-entity of all objects that it refers to, if they have
  /// one.
  func destination(of property: PropertyDraft) -> String? {
    guard let target = property.target else { return nil }
    let draft = model.drafts[target]
    guard case .reference = property.role else { return draft.name }
    return subentity(of: draft, for: property) ?? draft.name
  }

  /// Returns the one sub-entity of all objects that are referred to; nil where there are several or none.
  ///
  /// Three pinned messages that are all texts say nothing about the next one, unless they are called `texts`.
  private func subentity(of draft: EntityDraft, for property: PropertyDraft) -> String? {
    if let kind = property.kind { return subentityNames[draft].first { $0.hash == kind }?.name }
    guard let value = draft.variants?.onlyValue(of: property.scalars.sketch, in: draft),
      let name = subentityNames[draft].first(where: { $0.hash == value })?.name
    else { return nil }
    let isNamed = Words(property.key).singular.parts == Words(name).singular.parts
    return isNamed || property.scalars.sketch.distinctCount >= Self.manyReferences ? name : nil
  }

  /// The fewest different references that show that all others lead to the same sub-entity.
  private static let manyReferences = 10

  /// Returns the paths of a property; nil if its name is the path.
  private func paths(of property: PropertyDraft) -> JSONPaths? {
    if property.fallback == nil, property.path == [.member(property.name)],
      property.name.utf8.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) })
    {
      return nil
    }
    let path = JSONPath(property.path).description
    if let fallback = property.fallback {
      return JSONPaths([path, JSONPath(fallback).description])
    }
    return path == property.name ? nil : JSONPaths([path])
  }
}

/// The names of all sub-entities.
///
/// Two entities may be divided by the same tag: the `items` and the `structures` of a manifest are both canvases or
/// ranges. The names of all are therefore chosen together.
private struct SubentityNames {
  typealias Subentity = (name: String, hash: UInt64, text: String, count: Int)

  private var names: [Int: [Subentity]] = [:]

  init(_ model: ModelDraft) {
    var taken = Set(model.reachable.map(\.name))
    for draft in model.reachable {
      let variants = draft.variants
      names[draft.number] = variants.map { zip($0.values, $0.words) }?.map { value, words in
        let words = words.singular.typeName
        let isOwn = words.first?.isLetter == true && !DraftNames.taken.contains(words)
        let own = isOwn ? words : draft.name + words
        var name = own
        if taken.contains(name) { name = own + draft.name }
        var number = 2
        while !taken.insert(name).inserted {
          name = "\(own)\(draft.name)\(number)"
          number += 1
        }
        return (name, value.hash, value.text, value.count)
      }
    }
  }

  /// Returns the sub-entities of an entity; none where no tag divides it.
  subscript(draft: EntityDraft) -> [Subentity] { names[draft.number] ?? [] }
}
