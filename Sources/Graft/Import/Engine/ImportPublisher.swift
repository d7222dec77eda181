// The destination gets the objects at the end of the document, or in steps before that, by its save policy.
// Changes that other writers have made since the import began stay (Rebase.swift, or a database's own replay), and
// objects may get new identifiers.

/// Finishes the objects of an import, and passes them to the destination.
final class ImportPublisher: ImportPart {
  private let destination: any BatchDestination
  private let resolver: ObjectResolver
  private let writer: RecordWriter
  private let references: ReferenceResolver
  private let conflicts: ConflictTracker
  /// Whether a part of the document has been published.
  private var hasSaved = false
  /// Whether a notice says that lost objects have been spared.
  private var hasNotedSpared = false

  init(
    _ shared: ImportPart, destination: any BatchDestination, resolver: ObjectResolver,
    writer: RecordWriter, references: ReferenceResolver, conflicts: ConflictTracker
  ) {
    self.destination = destination
    self.resolver = resolver
    self.writer = writer
    self.references = references
    self.conflicts = conflicts
    super.init(shared)
  }

  // An import that is abandoned drops its unsaved objects.
  deinit { destination.abandon() }

  /// Whether a save is possible now.
  ///
  /// Deferred links need their objects. If a save releases these, it waits while there are any.
  var canSave: Bool {
    !destination.releasesSavedObjects
      || (writer.removed?.canReleaseObjects ?? true) && !writer.deferred.areWaiting
  }

  /// Publishes the objects read so far; no object may be open.
  ///
  /// - Parameters:
  ///   - statistics: The counts so far.
  ///   - offset: The bytes of the document that have been read.
  /// - Throws: If the destination refuses it.
  func save(_ statistics: inout ImportStatistics, offset: Int) throws(ImportStop) {
    let count = statistics.roots.reduce(destination.resumed?.objectCount ?? 0) {
      $0 + $1.objectCount
    }
    do {
      try saveBatch(&statistics, at: ImportPlace(offset: offset, objectCount: count))
    } catch {
      let remark =
        error.kind == .invalidObjects
        ? "; if a later part of the document has what is missing, save at the end (SavePolicy.atEnd)"
        : ""
      throw ImportStop(ImportError(error).adding(remark))
    }
  }

  private func saveBatch(
    _ statistics: inout ImportStatistics, at place: ImportPlace?
  ) throws(StoreError) {
    settleReplacements(&statistics)
    // `adopt` remaps the objects that wait for the end of a store's import.
    if let remapping = try destination.lock(transaction, outcomes) { writer.remap(remapping) }
    conflicts.finishBatch()
    let published = try destination.save(transaction, outcomes, writer.removed, at: place)
    hasSaved = true
    guard let published else {
      outcomes.startBatch()
      resolver.resetLookups()
      statistics.startBatch()
      writer.removed?.startBatch()
      return
    }
    statistics.objectsSinceSave = 0
    if published.rebased != nil { resolver.resetLookups() }
    adopt(published, &statistics)
    if published.rebased != nil { conflicts.startAfterRebase(published.remapping) }
    if !published.remapping.isEmpty { writer.remap(published.remapping) }
  }

  /// Publishes the document's objects, after the document is complete.
  ///
  /// - Returns: The report of the import.
  /// - Throws: ``StoreError`` if a deletion is denied or the graph cannot be published, and what
  ///   `notesAtEnd` throws.
  func finish(_ statistics: inout ImportStatistics) throws -> ImportReport {
    settleReplacements(&statistics)
    if let remapping = try destination.lock(transaction, outcomes) {
      resolver.resetLookups()
      statistics.remap { remapping[$0] ?? $0 }
      writer.remap(remapping)
    }
    do {
      try linkDeferred(&statistics)
    } catch {
      throw error.error
    }
    let deletable = deletableObjects(statistics)
    try deleteReleased(&statistics)
    try deleteUnmentioned(&statistics, options.group == nil ? deletable : nil)
    forgetUpdatesWithoutEffect()
    let notes = try options.notesAtEnd?(facts(statistics)) ?? []
    transaction.rebaseRules.isMentioned = { [outcomes] in outcomes[$0] != .unmentioned }
    let result = try destination.finish(transaction, outcomes, noting: notes)
    adopt(result, &statistics)
    if !options.isDryRun {
      options.group?.add(outcomes, deletable, skipped(statistics))
    }
    return report(statistics, result.graph)
  }

  /// Takes over the net effect of a commit, and the current identifiers of objects.
  private func adopt(_ result: CommitResult, _ statistics: inout ImportStatistics) {
    for id in result.rebased?.passedOver ?? [] { outcomes.forget(id) }
    if !result.remapping.isEmpty {
      outcomes.remap(result.remapping)
      statistics.remap(result.current)
    }
    guard let rebased = result.rebased else { return }
    statistics.deleted = rebased.deleted
    for id in rebased.intended.inserted.map(result.current)
    where outcomes[id] > .unchanged && !rebased.inserted.contains(id) {
      outcomes.replace(rebased.updated.contains(id) ? .updated : .unchanged, of: id)
    }
    for id in rebased.intended.updated.map({ result.current($0.object) })
    where outcomes[id] == .updated {
      if rebased.inserted.contains(id) {
        outcomes.replace(.inserted, of: id)
      } else if !rebased.updated.contains(id), !hasSaved {
        outcomes.replace(.unchanged, of: id)
      }
    }
  }

  /// Counts objects as unchanged that a document has changed and changed back: `[{"id": 1, "n": "a"}, {"id":
  /// 1, "n": "b"}]` changes nothing when it is imported again.
  private func forgetUpdatesWithoutEffect() {
    let candidates = outcomes.updatedRepeatedly.filter {
      outcomes[$0] == .updated && transaction.base.contains($0)
    }
    guard !candidates.isEmpty, !hasSaved else { return }
    let changed = Set(transaction.difference().updated.map(\.object))
    for id in candidates where !changed.contains(id) { outcomes.replace(.unchanged, of: id) }
  }

  /// Redirects all links from stubs to the objects that have replaced them.
  private func settleReplacements(_ statistics: inout ImportStatistics) {
    let replacements = resolver.settleReplacements()
    guard !replacements.isEmpty else { return }
    let current: (ObjectID) -> ObjectID = { replacements[$0] ?? $0 }
    for index in statistics.roots.indices {
      statistics.roots[index].objects = statistics.roots[index].objects.map(current)
    }
    writer.remap(replacements)
  }

  // MARK: Deferred references

  /// Looks up the identifiers that waited for the end of the document, and links their objects.
  ///
  /// - Throws: The error of an identifier of an object of another entity, if the error policy ends the import.
  private func linkDeferred(_ statistics: inout ImportStatistics) throws(ImportStop) {
    func wanted() -> [DeferredLink] {
      writer.deferred.links.filter { !$0.isCancelled && transaction.contains($0.owner) }
    }
    // References of replaced values, or of removed objects, are no longer wanted.
    var referents = [Int: ObjectID]()
    for number in Set(wanted().flatMap(\.references)).sorted() {
      guard let reference = writer.deferred.references[number] else { continue }
      switch try references.resolve(reference) {
      case .object(let object): referents[number] = object
      case .stub(let stub):
        statistics.stubs.append(stub)
        referents[number] = stub
      case .ignored: statistics.report.ignoredReferenceCount += 1
      case .deferred, .refused, .unidentifiable: break
      }
    }
    referents = referents.mapValues(resolver.current)
    settleReplacements(&statistics)
    for link in wanted() {
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
      return writer.setToOne(link.owner, link.relationship, members.last)
    }
    return members.withBorrowed {
      writer.setMembers(of: link.owner, link.relationship, $0, isNested: link.isNested)
    }
  }

  // MARK: Deletion

  /// Deletes lost objects by the policy, and unmentioned objects of the roots' entities by `deletesMissing`.
  ///
  /// - Parameters:
  ///   - statistics: Counts the deletions.
  ///   - deletable: The objects that may be deleted if the document does not mention them; nil for
  ///     none.
  /// - Throws: ``StoreError`` if a delete rule denies it.
  private func deleteUnmentioned(
    _ statistics: inout ImportStatistics, _ deletable: ImportGroup.DeletableObjects?
  ) throws(StoreError) {
    var toDelete = try removedObjects(statistics)
    if let deletable {
      // Removed members and deletion scopes are judged before anything is deleted.
      let inParts = writer.removed == nil && plan.deletionScopes.isEmpty
      while true {
        let missing = try destination.missingObjects(
          of: deletable.entities, outcomes, inParts: inParts)
        for object in missing.objects where try mayDelete(object) { toDelete.append(object) }
        if missing.areLast { break }
        try delete(toDelete, &statistics)
        toDelete = []
        try saveBatch(&statistics, at: nil)
      }
    }
    try delete(toDelete, &statistics)
  }

  /// Returns the objects that relationships have lost and that no object owns any more.
  private func removedObjects(_ statistics: ImportStatistics) throws(StoreError) -> [ObjectID] {
    let spared = entities(sparedBy: skipped(statistics))
    var areSpared = false
    let orphans = try writer.removed?.orphans { (object) throws(StoreError) in
      guard try mayDelete(object) else { return false }
      if spared.contains(object.entity) { areSpared = true }
      return !spared.contains(object.entity)
    }
    if areSpared, !hasNotedSpared {
      hasNotedSpared = true
      diagnostics.noteNotice {
        ImportError(
          kind: .invalidJSON,
          message: "not all objects that relationships have lost were deleted: what was skipped may"
            + " have mentioned them")
      }
    }
    return orphans ?? []
  }

  /// Asks the deletion scope of an object's entity whether it may be deleted.
  ///
  /// An object that was inserted since the last save was never visible to others, and is not asked about. A stub that
  /// has become an object of a sub-entity since then cannot be asked about, and stays.
  private func mayDelete(_ object: ObjectID) throws(StoreError) -> Bool {
    guard !plan.deletionScopes.isEmpty, let scope = plan.deletionScopes[object.entity] else {
      return true
    }
    if transaction.base.contains(object) {
      return scope(GraphObject(id: object, graph: transaction.base))
    }
    return try destination.ask(scope, about: object) ?? (outcomes[object] == .inserted)
  }

  /// Returns the entities whose objects, or objects that are deleted with them, may be mentioned in skipped parts.
  ///
  /// An object without identity can only be mentioned by another attribute (`JSONRelatedBy`).
  private func entities(sparedBy skipped: ImportGroup.Skipped) -> Set<Int> {
    guard !skipped.isEmpty else { return [] }
    return Set(
      schema.entities.indices.filter { entity in
        let reached = schema.reachedByCascade(from: [entity])
          .filter { plan.hasLookups || !schema.entities[$0].identity.isEmpty }
        return !reached.isEmpty && skipped.mayMention(reached)
      })
  }

  /// Deletes such objects after saves have released them, a part at a time, until none is left.
  private func deleteReleased(_ statistics: inout ImportStatistics) throws(StoreError) {
    guard destination.releasesSavedObjects, hasSaved || destination.resumed != nil,
      let removed = writer.removed
    else { return }
    try saveBatch(&statistics, at: nil)
    var hasDeleted = true
    while hasDeleted {
      hasDeleted = false
      while try destination.restoreRemoved(removed) {
        let orphans = try removedObjects(statistics)
        if !orphans.isEmpty { hasDeleted = true }
        try delete(orphans, &statistics)
        // The facts about these objects stay as they are.
        removed.startBatch()
        try saveBatch(&statistics, at: nil)
      }
    }
  }

  private func delete(
    _ objects: [ObjectID], _ statistics: inout ImportStatistics
  ) throws(StoreError) {
    guard !objects.isEmpty else { return }
    let keeps = writer.removed?.keeping(whenDeleting: objects)
    let deleted = try transaction.delete(objects) { (object) throws(StoreError) in
      // An object without identity belongs to the object that has lost it.
      if let keeps, !options.deletesMissing || transaction.lacksIdentity(object) {
        return keeps(object)
      }
      return try destination.isMentioned(object, outcomes)
    }
    for object in deleted {
      // An object that was inserted since the last save was never visible to others.
      if outcomes[object] != .inserted { statistics.deleted[object.entity, default: 0] += 1 }
      outcomes.forget(object)
    }
  }

  /// Returns the objects that may be deleted if the document does not mention them; nil for none.
  ///
  /// A root that is `null` does not list the existing objects.
  private func deletableObjects(_ statistics: ImportStatistics) -> ImportGroup.DeletableObjects? {
    // Another import of the group may have a root of the entity.
    if options.group == nil { noteScopesWithoutEffect() }
    guard options.deletesMissing else { return nil }
    let found = zip(plan.entitiesOfRoots, statistics.roots).filter { $0.1.hasContainer }
    let entities = Set(found.flatMap { schema.entities[$0.0].family })
    let skipped = skipped(statistics)
    guard options.group != nil || !skipped.mayMention(schema.reachedByCascade(from: entities))
    else {
      diagnostics.noteNotice {
        ImportError(
          kind: .invalidJSON,
          message: "nothing that is missing was deleted: what was skipped may have mentioned it")
      }
      return nil
    }
    return ImportGroup.DeletableObjects(entities: entities, scopes: plan.deletionScopes)
  }

  /// Lists a notice for each deletion scope that no object is asked about.
  private func noteScopesWithoutEffect() {
    let deletable =
      options.deletesMissing
      ? plan.rootEntities.union(plan.losableEntities) : plan.losableEntities
    for name in options.deletionScopes.keys.sorted() {
      guard let number = schema.entityNumbers[name],
        deletable.isDisjoint(with: schema.entities[number].family)
      else { continue }
      diagnostics.noteNotice {
        ImportError(
          kind: .model, entity: name,
          message: "the deletion scope of \(name) has no effect, because "
            + (options.deletesMissing
              ? "deletesMissing deletes objects of the roots' entities only; add a root of \(name)"
              : "deletesMissing is not set; set it")
            + ", or let a relationship to \(name) delete what it loses"
            + " (\(schema.words.name(of: "JSONRemoved")))")
      }
    }
  }

  /// Returns the skipped parts of the document, which may have mentioned objects.
  private func skipped(_ statistics: ImportStatistics) -> ImportGroup.Skipped {
    ImportGroup.Skipped(
      hasLines: statistics.hasBrokenLines,
      entities: Set(
        diagnostics.unidentifiedEntities.flatMap { entity in
          schema.entities[schema.entities[entity].identityRoot].family
        }))
  }

  /// Returns the facts about the document when it has ended.
  private func facts(_ statistics: ImportStatistics) -> DocumentFacts {
    let objectCount = statistics.roots.map(\.objectCount).max() ?? 0
    let sentCounts = statistics.roots.map { $0.objectCount + $0.passedOverCount }
    let issueCount = diagnostics.issues.count
    let wasRead = plan.rootEntities.contains { statistics.readCounts[$0] > 0 }
    return DocumentFacts(
      objectCount: objectCount, sentCounts: sentCounts,
      isEmpty: objectCount + issueCount + statistics.report.ignoredReferenceCount == 0 && !wasRead,
      captured: statistics.captured)
  }

  // MARK: Report

  /// Makes the report of the import.
  private func report(_ statistics: ImportStatistics, _ graph: Graph) -> ImportReport {
    var report = statistics.report
    for entity in schema.entities {
      let number = entity.number
      let count = ImportReport.EntityCount(
        entity: entity.name, inserted: outcomes.count(.inserted, entity: number),
        updated: outcomes.count(.updated, entity: number),
        unchanged: outcomes.count(.unchanged, entity: number),
        deleted: statistics.deleted[number] ?? 0, conflicting: conflicts.count(entity: number),
        conflictingAttributes: conflicts.attributes(entity: number))
      if count.inserted + count.updated + count.unchanged + count.deleted > 0 {
        report.entities.append(count)
      }
    }
    for (root, found) in zip(plan.roots, statistics.roots) {
      report.roots.append(
        .init(
          root: root, objects: found.objectCount,
          ids: destination.releasesSavedObjects ? [] : found.objects,
          isSingleObject: found.isSingleObject))
    }
    let unfilled = destination.unfilledStubs(statistics.stubs, in: graph)
    report.unfilledStubCount = unfilled.count
    report.unfilledStubs = Array(unfilled.objects.prefix(options.issueLimit))
    report.issues = diagnostics.issues.issues
    report.issueCount = diagnostics.issues.count
    // These come first, so that none is lost beyond the limit because of unknown keys.
    let conflicts = conflicts.notices().map { ImportIssue(severity: .notice, error: $0) }
    report.notices = Array(
      (conflicts + diagnostics.notices.issues).prefix(options.issueLimit))
    report.noticeCount = conflicts.count + diagnostics.notices.count
    return report
  }
}
