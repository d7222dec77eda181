// The steps from places to entities:
//
//   wrap       single objects beside lists of such objects become lists of one
//   fold       objects that are dictionaries become one place for all their members
//   group      places that hold the same kind of thing become one draft of an entity
//   identify   a member, or several, become the identity of each draft
//   be referred to   objects without an identity of their own get one that references use
//   refer      objects that only refer to others lose the identity that they seem to have
//   flatten    small objects that belong to exactly one other become part of it
//   describe   what each member is: an attribute, objects, or identifiers of objects elsewhere
//   divide     tags divide entities into sub-entities
//
// Each step is a type of its own: `SingleObjects`, `DictionaryFolding`, `EntityGrouping`, `IdentitySearch`,
// `ReferenceObjectSearch`, `Flattening`, `PropertySearch` and `ReferenceSearch`, `VariantSearch`. Names follow, from
// `DraftNames`, then `InverseSearch`, which needs them; `ModelAssembly` makes the descriptions.

import Graft

/// Drafts the entities of documents, step by step.
struct ModelDrafting {
  let model: ModelDraft

  /// Returns the model of documents; nil where no document has an object.
  ///
  /// `{"ann": ["ships", "maps"], …}` has lists of values at its root. Where these are no identifiers, no attribute of
  /// another object could hold them, and each value becomes an object.
  ///
  /// - Parameters:
  ///   - documents: The documents. Their shapes are changed: dictionaries are folded.
  ///   - identities: The identities that the user has named, by the path of a place; an empty array for none.
  ///   - exclusions: The conclusions that the documents contradict.
  ///   - options: The user's knowledge of the documents.
  /// - Returns: The draft of the model.
  static func model(
    of documents: [SurveyedDocument], identities: [String: [String]] = [:],
    exclusions: Exclusions = Exclusions(), options: InferenceOptions
  ) -> ModelDraft? {
    let shapes = documents.map(\.survey.root)
    var tables = foldedTable(shapes, opensLists: false)
    func model(without unread: Set<Int> = []) -> ModelDraft? {
      ModelDrafting(documents, tables, identities, exclusions, options, without: unread)?.model
    }
    guard var found = model() else { return nil }
    if found.roots.contains(where: { $0?.hasUnreadValues == true }) {
      tables = foldedTable(shapes, opensLists: true)
      found = model() ?? found
    }
    let unread = found.unreadPlaces
    return unread.isEmpty ? found : model(without: unread)
  }

  /// Finds the entities; nil where no document has an object.
  ///
  /// - Parameters:
  ///   - documents: The documents.
  ///   - tables: The places of their objects, and which of them hold the same kind.
  ///   - identities: The identities that the user has named, by the path of a place; an empty array for none.
  ///   - exclusions: The conclusions that the documents contradict.
  ///   - options: The user's knowledge of the documents.
  ///   - unread: The places whose objects are kept as JSON (``ModelDraft/unreadPlaces``).
  private init?(
    _ documents: [SurveyedDocument], _ tables: (PlaceTable, EntityGrouping),
    _ identities: [String: [String]], _ exclusions: Exclusions, _ options: InferenceOptions,
    without unread: Set<Int>
  ) {
    let (table, grouping) = tables
    guard table.roots.contains(where: { $0 != nil }) else { return nil }
    model = ModelDraft(
      documents, table, grouping, without: unread, identities: identities, options: options)
    identify(excluding: exclusions)
    ReferredIdentitySearch(model).resolve()
    ReferenceObjectSearch(model).resolve()
    LocalIdentitySearch(model).resolve { Set(excluded($0, exclusions).keys) }
    Flattening(model).run()
    dropWrappedIdentities()
    for draft in model.drafts { PropertySearch(model).describe(draft) }
    model.collectReachable()
    for draft in model.reachable {
      draft.variants = model.variants(of: draft)
      draft.kinds = Set(draft.variants?.words.map(\.singular.parts).filter { !$0.isEmpty } ?? [])
    }
    ReferenceSearch(drafts: model.reachable, minimumCertainty: options.minimumCertainty).resolve()
    dropUnresolvedArrays()
    keepMisfits(exclusions)
    model.collectReachable()
    model.countEmptyObjects()
    DraftNames(model).assign()
    InverseSearch(model).resolve()
  }

  private var drafts: [EntityDraft] { model.drafts }
  private var reachable: [EntityDraft] { model.reachable }
  private var table: PlaceTable { model.table }

  // MARK: Folding

  /// Folds dictionaries until a member is a dictionary at all places of an entity or at none.
  ///
  /// - Returns: The places, and which of them hold the same kind of object.
  private static func foldedTable(
    _ shapes: [Shape], opensLists: Bool
  ) -> (PlaceTable, EntityGrouping) {
    for shape in shapes {
      shape.element?.settleRows(isOutermost: true)
      shape.settleRows(isOutermost: false)
    }
    for shape in shapes { SingleObjects.wrap(in: shape) }
    DictionaryFolding.fold(shapes)
    MentionedObjects.note(in: shapes)
    var table = PlaceTable(shapes, opensLists: opensLists)
    var grouping = EntityGrouping(table)
    for _ in 0..<4 {
      // A member that is a dictionary, and the keys that are fixed in it, by the group and the member.
      var dictionaries: [Int: [UInt64: (shape: Shape, fixed: Set<UInt64>)]] = [:]
      for number in 0..<table.count {
        for member in table[number].shape.members where member.shape.eachMember != nil {
          dictionaries[grouping.group(of: number), default: [:]][
            member.hash, default: (member.shape, [])
          ].fixed.formUnion(member.shape.members.map(\.hash))
        }
      }
      var isChanged = MentionedObjects.note(in: shapes, table, grouping)
      for number in 0..<table.count {
        for (hash, dictionary) in dictionaries[grouping.group(of: number)] ?? [:] {
          // Where an object of strings is at the place of a dictionary of objects, both are kept as JSON.
          guard let member = table[number].shape.member(hash), member.eachMember == nil,
            Composition(member) == .object,
            DictionaryFolding.commonComposition([dictionary.shape, member]) != nil
          else { continue }
          member.foldMembers { !dictionary.fixed.contains($0.hash) }
          isChanged = true
        }
      }
      guard isChanged else { break }
      table = PlaceTable(shapes, opensLists: opensLists)
      grouping = EntityGrouping(table)
    }
    return (table, grouping)
  }

  // MARK: Identities

  private func identify(excluding exclusions: Exclusions) {
    var known = FingerprintIndex()
    var shared = FingerprintIndex()
    for draft in drafts {
      for member in draft.shape.members {
        if known.contains(member.hash) { shared.insert(member.hash) }
        known.insert(member.hash)
      }
    }
    for draft in drafts {
      if let keys = draft.places.compactMap({ model.identities[table[$0].path] }).first {
        draft.givenIdentity = keys
        draft.identity = keys.count == 1 ? IdentitySearch.identity(keys[0], of: draft) : nil
      } else {
        let excluded = excluded(draft, exclusions)
        let search = IdentitySearch(
          draft, role(of: draft), excluding: Set(excluded.keys), sharing: shared)
        draft.identity = search.identity
        if draft.identity == nil {
          draft.objection = excluded.sorted { $0.key < $1.key }.first?.value ?? search.objection
        }
        if draft.identity == nil, let pair = search.pair {
          draft.givenIdentity = pair.keys
          draft.compositeEvidence = pair.evidence
        }
      }
    }
    for draft in drafts where isPartOfOne(draft) || isEmptyElsewhere(draft) {
      draft.identity = nil
    }
    PartIdentitySearch(model).resolve { Set(excluded($0, exclusions).keys) }
  }

  /// Returns the members of an entity that are no identities, and why.
  private func excluded(_ draft: EntityDraft, _ exclusions: Exclusions) -> [String: String] {
    draft.places.lazy.compactMap { exclusions.identities[table[$0].path] }.first ?? [:]
  }

  /// Returns whether another object of the entity around has an empty object under the same key, which has no identity:
  /// `{"lead": {"id": "u7", "plan": {"id": "p1"}}, "members": [{"id": "u9", "plan": {}}]}`.
  private func isEmptyElsewhere(_ draft: EntityDraft) -> Bool {
    draft.places.map { table[$0] }.contains { place in
      guard let parent = place.parent, place.steps == [.member(place.key)] else { return false }
      return model.draft(at: parent).shape.member(named: place.key)?.emptyObjectCount ?? 0 > 0
    }
  }

  /// Returns whether objects with a name are each alone in an object with an identifier, and are the same only where that
  /// one is.
  ///
  /// The profile in `{"id": "g1", "profile": {"name": "Admins"}}` is a part of the group, wherever the group is mentioned.
  private func isPartOfOne(_ draft: EntityDraft) -> Bool {
    guard let identity = draft.identity, let key = identity.key, role(of: draft) == .single,
      draft.givenIdentity == nil, draft.outer.count == 1, let number = draft.outer.first,
      let rank = IdentityNames.rank(of: key, aliases: draft.aliases), rank > 5,
      let outer = drafts[number].identity, outer.key.map(IdentityNames.isStrong) == true
    else { return false }
    let count = outer.scalars.sketch.distinctCount
    return identity.scalars.sketch.distinctCount == count
      && drafts[number].objectCount > count && draft.objectCount == drafts[number].objectCount
  }

  /// Removes an identity that lies in a nested object, if that nested object becomes an entity of its own.
  private func dropWrappedIdentities() {
    for draft in drafts {
      guard let identity = draft.identity, identity.innerKey != nil, let key = identity.key,
        let part = model.child(of: draft, at: [.member(key)]),
        !part.isFlattened || part.reference != nil
      else { continue }
      draft.identity = nil
    }
  }

  private func role(of draft: EntityDraft) -> IdentitySearch.Role {
    let places = draft.places.map { table[$0] }
    if places.allSatisfy({ $0.link == .one && $0.parent != nil }) { return .single }
    let isCollection = places.contains { place in
      guard place.link != .one, let parent = place.parent else { return place.parent == nil }
      return table[parent].shape.objectCount <= 1
        && (places.count == 1 || table[parent].link == .one)
    }
    return isCollection ? .collection : .part
  }

  // MARK: References and variants

  /// Keeps properties as JSON whose values an import would skip.
  private func keepMisfits(_ exclusions: Exclusions) {
    guard !exclusions.misfits.isEmpty else { return }
    for draft in reachable {
      for place in draft.places {
        guard let misfits = exclusions.misfits[table[place].path] else { continue }
        for property in draft.properties {
          if let reason = misfits[property.place] { property.keep(because: reason) }
        }
      }
    }
  }

  /// Keeps dictionaries of arrays as JSON where the arrays hold no identifiers.
  private func dropUnresolvedArrays() {
    for draft in reachable where draft.hasUnreadValues { draft.isJSON = true }
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
      for property in draft.properties {
        if case .reference(let target, _) = property.role, drafts[target].isJSON {
          property.dropReference()
        } else if let target = property.doubtfulTarget, drafts[target].isJSON {
          property.doubtfulTarget = nil
          property.evidence = []
        }
      }
    }
  }
}
