// When what was read reaches the store: at the end of the document, or, with `saveInterval`, each
// time so many objects of the roots have been read. What was read is rebased then onto what other
// writers have committed since the import began (Rebase.swift), so objects may get new identifiers.

/// Finishes what an import has read and publishes it.
final class ImportPublisher {
  private let plan: ImportPlan
  private let schema: ModelSchema
  private let store: GraphStore
  private let options: ImportOptions
  private let transaction: GraphTransaction
  private let outcomes: ObjectOutcomes
  private let resolver: ObjectResolver
  private let writer: RecordWriter
  private let references: ReferenceResolver
  private let converter: ValueConverter
  private let diagnostics: ImportDiagnostics
  /// The rows of each entity when the import began.
  private let initialRowCounts: [Int]

  init(
    plan: ImportPlan, store: GraphStore, options: ImportOptions, transaction: GraphTransaction,
    outcomes: ObjectOutcomes, resolver: ObjectResolver, writer: RecordWriter,
    references: ReferenceResolver, converter: ValueConverter, diagnostics: ImportDiagnostics
  ) {
    self.plan = plan
    schema = transaction.schema
    self.store = store
    self.options = options
    self.transaction = transaction
    self.outcomes = outcomes
    self.resolver = resolver
    self.writer = writer
    self.references = references
    self.converter = converter
    self.diagnostics = diagnostics
    initialRowCounts = schema.entities.indices.map(transaction.rowCount)
  }

  /// Publishes what has been read so far; no object may be open.
  func save(_ statistics: inout ImportStatistics) throws(ImportStop) {
    settleReplacements(&statistics)
    transaction.spellings = converter.spellings
    do {
      let result = try store.commit(transaction)
      statistics.objectsSinceSave = 0
      if result.isRebased { resolver.resetLookups() }
      guard !result.remapping.isEmpty else { return }
      outcomes.remap(result.remapping)
      statistics.remap(result.current)
      writer.remap(result.current)
    } catch {
      throw ImportStop(ImportError(error))
    }
  }

  /// Publishes what the document held, after it has ended well.
  ///
  /// - Returns: What the import has done.
  /// - Throws: ``StoreError`` where a deletion is denied or the graph cannot be published.
  func finish(_ statistics: inout ImportStatistics) throws(StoreError) -> ImportReport {
    settleReplacements(&statistics)
    linkDeferred(&statistics)
    try deleteUnmentioned(&statistics)
    var report = report(statistics)
    transaction.spellings = converter.spellings
    let result = try store.commit(transaction)
    report.unfilledStubs = report.unfilledStubs.map { result.current($0) }
    for index in report.roots.indices {
      report.roots[index].ids = report.roots[index].ids.map { result.current($0) }
    }
    return report
  }

  /// Lets all links lead to the objects that have replaced stubs.
  private func settleReplacements(_ statistics: inout ImportStatistics) {
    let replacements = resolver.settleReplacements()
    guard !replacements.isEmpty else { return }
    let current: (ObjectID) -> ObjectID = { replacements[$0] ?? $0 }
    for index in statistics.roots.indices {
      statistics.roots[index].objects = statistics.roots[index].objects.map(current)
    }
    writer.remap(current)
  }

  // MARK: Deferred references

  /// Looks up the identifiers that waited for the end of the document, and links their objects.
  private func linkDeferred(_ statistics: inout ImportStatistics) {
    let deferred = writer.deferred
    let referents = deferred.references.map { reference in
      reference.value.withRawValue {
        resolver.find($0, of: plan.properties[reference.property])
      }
    }
    let links = deferred.links.filter { !$0.isCancelled && transaction.contains($0.owner) }
    // Of what a later value has replaced, or what went with its object, nothing is missing.
    let wanted = Set(links.flatMap(\.references))
    for number in wanted.sorted() where referents[number] == nil {
      diagnostics.noteNotice { references.unresolved(deferred.references[number]) }
      statistics.ignoredReferenceCount += 1
    }
    for link in links {
      let members = link.members.compactMap { member in
        switch member {
        // Between two saves another writer may have deleted it.
        case .object(let object): transaction.contains(object) ? object : nil
        case .reference(let number): referents[number]
        }
      }
      for member in members { outcomes.note(.unchanged, member) }
      if set(members, of: link) { outcomes.note(.updated, link.owner) }
    }
  }

  private func set(_ members: [ObjectID], of link: DeferredLink) -> Bool {
    guard schema.entities[link.owner.entity].relationships[link.relationship].isToMany else {
      guard let target = members.last else { return false }
      return transaction.setToOne(link.owner, relationship: link.relationship, target)
    }
    return members.withUnsafeBufferPointer {
      writer.setMembers(of: link.owner, link.relationship, $0, isNested: link.isNested)
    }
  }

  // MARK: Deletion

  /// Deletes the objects that arrays no longer list, where the policy is to delete them, and, with
  /// `deletesMissing`, the objects of the roots' entities that the document does not mention.
  private func deleteUnmentioned(_ statistics: inout ImportStatistics) throws(StoreError) {
    let unmentioned = removedMembers() + (options.deletesMissing ? missingObjects() : [])
    let toDelete = unmentioned.filter(isInDeletionScope)
    guard !toDelete.isEmpty else { return }
    let before = schema.entities.map { transaction.liveCount($0.number) }
    try transaction.delete(toDelete)
    for entity in schema.entities {
      let deleted = before[entity.number] - transaction.liveCount(entity.number)
      if deleted > 0 { statistics.deleted[entity.number] = deleted }
    }
  }

  /// Whether the options let an object be deleted that the document does not mention.
  private func isInDeletionScope(_ object: ObjectID) -> Bool {
    guard !plan.deletionScopes.isEmpty, let scope = plan.deletionScopes[object.entity] else {
      return true
    }
    return scope(GraphObject(id: object, graph: transaction.base))
  }

  /// The objects of the roots' entities that the document did not mention, of those that were there
  /// when the import began: what other writers have inserted between two saves is not the document's
  /// to delete.
  private func missingObjects() -> [ObjectID] {
    let entities = Set(
      plan.roots.flatMap { schema.entities[schema.entityNumbers[$0.entity] ?? 0].family })
    return entities.sorted().flatMap { entity in
      (0..<initialRowCounts[entity]).lazy.map {
        self.transaction.layout.objectID(entity: entity, row: $0)
      }
      .filter { self.transaction.contains($0) && self.outcomes[$0] == .unmentioned }
    }
  }

  /// The objects that arrays no longer list, that nothing else owns through the same relationship and
  /// that the document does not mention.
  private func removedMembers() -> [ObjectID] {
    struct Relationship: Hashable {
      var entity: Int
      var number: Int
    }
    var toDelete: [ObjectID] = []
    var owned: [Relationship: ObjectSet] = [:]
    for removed in writer.removed {
      let relationship = schema.entities[removed.ownerEntity].relationships[removed.relationship]
      let key = Relationship(entity: removed.ownerEntity, number: removed.relationship)
      if relationship.inverse == nil, owned[key] == nil {
        owned[key] = transaction.members(of: key.entity, key.number)
      }
      for object in removed.objects
      where transaction.contains(object) && outcomes[object] == .unmentioned {
        guard let inverse = relationship.inverse else {
          if owned[key]?.contains(object) == false { toDelete.append(object) }
          continue
        }
        let isToMany = schema.entities[relationship.destination].relationships[inverse].isToMany
        let isOwned =
          isToMany
          ? !transaction.toMany(object, relationship: inverse).isEmpty
          : transaction.toOne(object, relationship: inverse) != nil
        if !isOwned { toDelete.append(object) }
      }
    }
    return toDelete
  }

  // MARK: Report

  private func report(_ statistics: ImportStatistics) -> ImportReport {
    var report = ImportReport()
    for entity in schema.entities {
      let number = entity.number
      let count = ImportReport.EntityCount(
        entity: entity.name, inserted: outcomes.count(.inserted, entity: number),
        updated: outcomes.count(.updated, entity: number),
        unchanged: outcomes.count(.unchanged, entity: number),
        deleted: statistics.deleted[number] ?? 0)
      if count.inserted + count.updated + count.unchanged + count.deleted > 0 {
        report.entities.append(count)
      }
    }
    for (root, found) in zip(plan.roots, statistics.roots) {
      report.roots.append(
        .init(
          root: root, objects: found.objectCount, ids: found.objects,
          isSingleObject: found.isSingleObject))
    }
    let unfilled = statistics.stubs.filter { transaction.contains($0) && transaction.isStub($0) }
    report.unfilledStubCount = unfilled.count
    report.unfilledStubs = Array(unfilled.prefix(options.issueLimit))
    report.issues = diagnostics.issues.issues
    report.issueCount = diagnostics.issues.count
    report.notices = diagnostics.notices.issues
    report.noticeCount = diagnostics.notices.count
    report.skippedNullCount = statistics.skippedNullCount
    report.ignoredReferenceCount = statistics.ignoredReferenceCount
    return report
  }
}

extension GraphTransaction {
  /// All that the objects of an entity have as members of a relationship without inverse.
  ///
  /// - Complexity: O(*n*) in the number of links.
  fileprivate func members(of entity: Int, _ relationship: Int) -> ObjectSet {
    var members = ObjectSet(entityCount: schema.entities.count)
    for entity in schema.entities[entity].family {
      for row in 0..<rowCount(entity) {
        let owner = layout.objectID(entity: entity, row: row)
        guard contains(owner) else { continue }
        for member in toMany(owner, relationship: relationship) { _ = members.insert(member) }
      }
    }
    return members
  }
}
