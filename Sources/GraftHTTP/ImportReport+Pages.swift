package import Graft

extension ImportReport {
  /// Adds the report of a page.
  ///
  /// - Parameters:
  ///   - page: The report of the page, or of the end of a group.
  ///   - limit: The most issues, notices and stubs that are listed.
  ///   - model: The model, whose order the entities have.
  ///   - remark: An addition to the messages of the page's issues and notices.
  package mutating func append(
    _ page: ImportReport, limit: Int, in model: GraphModel, remark: String = ""
  ) {
    func remarked(_ issue: ImportIssue) -> ImportIssue {
      var issue = issue
      issue.error = issue.error.adding(remark)
      return issue
    }
    response = page.response ?? response
    byteCount += page.byteCount
    for count in page.entities { add(count) }
    let order = Dictionary(
      model.entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    entities.sort { order[$0.entity, default: 0] < order[$1.entity, default: 0] }
    for count in page.roots { add(count) }
    unfilledStubs = Array((unfilledStubs + page.unfilledStubs).prefix(limit))
    unfilledStubCount += page.unfilledStubCount
    issues += page.issues.prefix(max(0, limit - issues.count)).map(remarked)
    issueCount += page.issueCount
    notices += page.notices.prefix(max(0, limit - notices.count)).map(remarked)
    noticeCount += page.noticeCount
    for (_, count) in Self.skippedCounts { self[keyPath: count] += page[keyPath: count] }
    if let added = page.coverage {
      if coverage == nil { coverage = added } else { coverage?.append(added) }
    }
  }

  private mutating func add(_ count: EntityCount) {
    guard let index = entities.firstIndex(where: { $0.entity == count.entity }) else {
      return entities.append(count)
    }
    entities[index].inserted += count.inserted
    entities[index].updated += count.updated
    entities[index].unchanged += count.unchanged
    entities[index].deleted += count.deleted
    entities[index].conflicting += count.conflicting
    for attribute in count.conflictingAttributes
    where !entities[index].conflictingAttributes.contains(attribute) {
      entities[index].conflictingAttributes.append(attribute)
    }
  }

  private mutating func add(_ count: RootCount) {
    guard let index = roots.firstIndex(where: { $0.root == count.root }) else {
      return roots.append(count)
    }
    roots[index].objects += count.objects
    roots[index].ids += count.ids
    roots[index].isSingleObject = false
  }
}

extension ImportCoverage {
  /// Adds the coverage of a page: a path or an entity is unfound if no page has it.
  fileprivate mutating func append(_ page: ImportCoverage) {
    let (mine, others) = (unfoundPaths, page.unfoundPaths)
    func isSame(_ first: UnfoundPath, _ second: UnfoundPath) -> Bool {
      (first.entity, first.property, first.path) == (second.entity, second.property, second.path)
    }
    unfoundPaths = mine.compactMap { path in
      if page.unfoundEntities.contains(path.entity) { return path }
      return others.first { isSame($0, path) }.map { other in
        var sum = path
        sum.objectCount += other.objectCount
        return sum
      }
    }
    for path in others
    where unfoundEntities.contains(path.entity) && !mine.contains(where: { isSame($0, path) }) {
      unfoundPaths.append(path)
    }
    unfoundEntities = unfoundEntities.filter(page.unfoundEntities.contains)
    for key in page.unreadKeys {
      let index = unreadKeys.firstIndex {
        $0.key == key.key && $0.entity == key.entity && $0.found == key.found
      }
      if let index {
        unreadKeys[index].count += key.count
      } else if unreadKeys.count < Self.keyLimit {
        unreadKeys.append(key)
      }
    }
    unreadKeys.sort { $0.count > $1.count }
    unreadKeyCount += page.unreadKeyCount
  }
}
