// The way from places to entities:
//
//   fold       objects that are dictionaries become one place for all their members
//   group      places that hold the same kind of thing become one draft of an entity
//   identify   a member, or several, become the identity of each draft
//   be referred to   objects without an identity of their own get one that references use
//   refer      objects that only refer to others lose the identity that they seem to have
//   flatten    small objects that belong to exactly one other become part of it
//   describe   what each member is: an attribute, objects, or identifiers of objects elsewhere
//   divide     tags divide entities into sub-entities
//
// Each step is a type of its own: `DictionaryFolding`, `EntityGrouping`, `IdentitySearch`, `ReferenceObjectSearch`,
// `Flattening`, `ReferenceSearch` (with which describing ends), `VariantSearch`. Names follow, from `DraftNames`, then
// `InverseSearch`, which needs them; `ModelAssembly` makes the descriptions.

import Graft

/// A document after it was read.
struct SurveyedDocument {
  let survey: ShapeSurvey
  /// The name of the objects at its root; nil if unknown.
  let rootName: String?
  /// The name of the file that it comes from; nil for none.
  let fileName: String?
  /// The options of its parser.
  let options: ParserOptions
}

/// The entities of a document in the making.
final class ModelDraft {
  let table: PlaceTable
  let options: InferenceOptions
  let documents: [SurveyedDocument]
  private let identities: [String: [String]]
  private let exclusions: Verification.Exclusions
  private(set) var drafts: [EntityDraft] = []
  /// The draft of each place.
  private var draftOfPlace: [Int] = []
  /// The drafts that the model has, in the order in which they are met from the root.
  private(set) var reachable: [EntityDraft] = []
  /// The error for a name in the options that means nothing; nil if all names are known.
  var fault: InferenceError?

  /// Finds the entities; nil where no document has an object.
  ///
  /// - Parameters:
  ///   - documents: The documents. Their shapes are changed: dictionaries are folded.
  ///   - identities: The identities that the user has named, by the path of a place; an empty array for none.
  ///   - exclusions: The members that are no identities, and why, by the path of a place.
  ///   - options: What the user knows of the documents.
  init?(
    _ documents: [SurveyedDocument], identities: [String: [String]] = [:],
    exclusions: Verification.Exclusions = [:], options: InferenceOptions
  ) {
    self.options = options
    self.documents = documents
    self.identities = identities
    self.exclusions = exclusions
    let (table, grouping) = Self.foldedTable(documents.map(\.survey.root))
    self.table = table
    guard table.roots.contains(where: { $0 != nil }) else { return nil }
    makeDrafts(of: grouping)
    identify()
    ReferredIdentitySearch(self).resolve()
    for draft in drafts { ReferenceObjectSearch(self).resolve(draft) }
    Flattening(self).run()
    for draft in drafts { describe(draft) }
    collectReachable()
    ReferenceSearch(drafts: reachable, minimumCertainty: options.minimumCertainty).resolve()
    dropUnresolvedArrays()
    collectReachable()
    for draft in reachable { draft.variants = variants(of: draft) }
    dropAmbiguousVariants()
    DraftNames(self).assign()
    InverseSearch(self).resolve()
  }

  /// The drafts of the objects at the root of each document.
  var roots: [EntityDraft?] { table.roots.map { $0.map(draft) } }

  /// Returns the number of the first document at whose root a draft's objects are.
  func rootNumber(of draft: EntityDraft) -> Int? { roots.firstIndex { $0 === draft } }

  // MARK: Folding

  /// Folds dictionaries until a member is a dictionary at all places of an entity or at none.
  ///
  /// - Returns: The places, and which of them hold the same kind of object.
  private static func foldedTable(_ shapes: [Shape]) -> (PlaceTable, EntityGrouping) {
    for shape in shapes {
      shape.element?.settleRows(isOutermost: true)
      shape.settleRows(isOutermost: false)
    }
    let folding = DictionaryFolding(shapes)
    for shape in shapes { folding.fold(shape, key: "") }
    var table = PlaceTable(shapes)
    var grouping = EntityGrouping(table)
    for _ in 0..<4 {
      // The keys that are fixed in a member that is a dictionary, by the group and the member.
      var dictionaries: [Int: [UInt64: Set<UInt64>]] = [:]
      for number in 0..<table.count {
        for member in table[number].shape.members where member.shape.eachMember != nil {
          dictionaries[grouping.group(of: number), default: [:]][member.hash, default: []]
            .formUnion(member.shape.members.map(\.hash))
        }
      }
      var isChanged = false
      for number in 0..<table.count {
        for (hash, fixed) in dictionaries[grouping.group(of: number)] ?? [:] {
          guard let member = table[number].shape.member(hash), member.eachMember == nil,
            Composition(member) == .object
          else { continue }
          member.foldMembers { !fixed.contains($0.hash) }
          isChanged = true
        }
      }
      guard isChanged else { break }
      table = PlaceTable(shapes)
      grouping = EntityGrouping(table)
    }
    return (table, grouping)
  }

  // MARK: Drafts

  private func makeDrafts(of grouping: EntityGrouping) {
    var groups: [Int: [Int]] = [:]
    for number in 0..<table.count { groups[grouping.group(of: number), default: []].append(number) }
    draftOfPlace = Array(repeating: 0, count: table.count)
    for (number, group) in groups.keys.sorted().enumerated() {
      let places = groups[group] ?? []
      drafts.append(EntityDraft(number: number, places: places, in: table))
      for place in places { draftOfPlace[place] = number }
    }
    for (index, root) in roots.enumerated() {
      let file = FileWords(documents[index].fileName)?.name(isDocument: false)
      root?.addAliases(rootName: documents[index].rootName ?? file)
    }
  }

  /// Whether the user has named the identity of an entity.
  func isIdentityGiven(_ draft: EntityDraft) -> Bool {
    draft.places.contains { identities[table[$0].path] != nil }
  }

  /// Returns the draft for the objects of a place.
  func draft(at place: Int) -> EntityDraft { drafts[draftOfPlace[place]] }

  /// Returns the draft for the objects at some steps from a draft's objects.
  func child(of draft: EntityDraft, at steps: [JSONPath.Step]) -> EntityDraft? {
    for place in draft.places {
      if let number = table.children[place][steps] { return self.draft(at: number) }
    }
    return nil
  }

  /// Returns the draft of an array's elements, and the path to them through their wrappers; nil if
  /// objects have different paths.
  private func list(
    of draft: EntityDraft, under key: String
  ) -> (child: EntityDraft, steps: [JSONPath.Step])? {
    var found: (EntityDraft, [JSONPath.Step])?
    for place in draft.places {
      let lists = table.children[place].filter { steps, number in
        steps.first == .member(key) && table[number].link == .elements
      }
      guard let (steps, number) = lists.first else { continue }
      if let found, found.1 != steps { return nil }
      found = (self.draft(at: number), steps)
    }
    return found
  }

  private func identify() {
    for draft in drafts {
      if let keys = draft.places.compactMap({ identities[table[$0].path] }).first {
        draft.givenIdentity = keys
        draft.identity = keys.count == 1 ? IdentitySearch.identity(keys[0], of: draft) : nil
      } else {
        let excluded = draft.places.lazy.compactMap { self.exclusions[self.table[$0].path] }.first
        let search = IdentitySearch(draft, role(of: draft), excluding: Set((excluded ?? [:]).keys))
        draft.identity = search.identity
        if draft.identity == nil {
          draft.objection = excluded?.sorted { $0.key < $1.key }.first?.value ?? search.objection
        }
        if draft.identity == nil, let pair = search.pair {
          draft.givenIdentity = pair.keys
          draft.compositeEvidence = pair.evidence
        }
      }
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

  /// Returns the sub-entities into which a tag divides a draft; nil where none does.
  func variants(of draft: EntityDraft) -> VariantTable? {
    VariantSearch(draft, drafts) { [unowned self] in child(of: $0, at: $1) }.table
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
    if let identity = draft.identity, identity.path == [.index] {
      let position = PropertyDraft(
        path: [.index], key: "", shape: Shape(), composition: .number, scalars: identity.scalars,
        holderCount: 1)
      position.shape.numberCount = 1
      draft.properties.append(position)
    }
    switch draft.form {
    case .object: describeMembers(of: draft, in: draft, prefix: [], isCertain: true)
    case .value:
      let composition = Composition(draft.shape)
      draft.properties.append(
        PropertyDraft(
          path: [.value], key: "", shape: draft.shape, composition: composition,
          scalars: draft.shape.scalars, holderCount: draft.shape.count))
    case .row: describeColumns(of: draft)
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

  /// Describes each position of a draft's rows.
  private func describeColumns(of draft: EntityDraft) {
    guard let rows = draft.shape.rows else { return }
    let columns = draft.places.map { table[$0].shape.rows?.columns ?? [] }
    for (position, shape) in rows.columns.enumerated() {
      let composition = columns.reduce(Composition.null) { all, columns in
        position < columns.count ? all.combined(with: Composition(columns[position])) : all
      }
      var property = PropertyDraft(
        path: [.element(position)], key: rows.name(of: position), shape: shape,
        composition: composition, scalars: shape.scalars, holderCount: draft.shape.arrayCount)
      if composition == .scalars { property.scalars = shape.element?.scalars ?? shape.scalars }
      if composition == .object, let child = child(of: draft, at: property.path) {
        property.role = .relationship(target: child.number, .one)
      } else if composition == .objects, let child = child(of: draft, at: property.path) {
        property.role = .relationship(target: child.number, .elements)
      }
      draft.properties.append(property)
    }
  }

  /// Describes the members of a draft's objects, including members of flattened objects.
  private func describeMembers(
    of part: EntityDraft, in draft: EntityDraft, prefix: [JSONPath.Step], isCertain: Bool,
    mayBeNull: Bool = false
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
          describeMembers(
            of: child, in: draft, prefix: property.path, isCertain: isCertain,
            mayBeNull: member.shape.nullCount > 0)
          continue
        }
        property.role = .relationship(target: child.compositeReference ?? child.number, .one)
        property.holdsIdentities = child.compositeReference != nil
      case .objects:
        if let (child, steps) = list(of: part, under: member.key) {
          property.path = prefix + steps
          property.role = .relationship(target: child.compositeReference ?? child.number, .elements)
          property.holdsIdentities = child.compositeReference != nil
        }
      case .grid:
        if let (child, steps) = list(of: part, under: member.key) {
          property.path = prefix + steps
          property.role = .relationship(target: child.number, .elements)
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
        // A null in place of the object clears the relationship too.
        if mayBeNull { property.fallback = prefix }
        let identities = drafts[reference.target].identity?.scalars.sketch ?? ValueSketch()
        let overlap = property.scalars.sketch.overlap(with: identities)
        property.evidence.append(
          ReferenceSearch.evidence(common: overlap.common, compared: overlap.compared))
      }
      draft.properties.append(property)
    }
    guard part.shape.eachMember != nil, let child = child(of: part, at: [.eachMember]) else {
      return
    }
    var rest = PropertyDraft(
      path: prefix + [.eachMember], key: table[part.places[0]].key, shape: part.shape,
      composition: .dictionary, scalars: part.keys, holderCount: .max)
    rest.role = .relationship(target: child.number, .members)
    draft.properties.append(rest)
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
    // An entity that is kept as JSON has no objects to refer to.
    for draft in reachable {
      draft.properties.removeAll { property in
        guard case .reference(let target, _) = property.role else { return false }
        return drafts[target].isJSON && property.path == [.key]
      }
      for index in draft.properties.indices {
        guard case .reference(let target, _) = draft.properties[index].role, drafts[target].isJSON
        else { continue }
        draft.properties[index].role = .attribute
        draft.properties[index].relatedKey = nil
        draft.properties[index].evidence = []
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
