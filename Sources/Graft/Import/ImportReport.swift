/// The results of an import.
public struct ImportReport: Sendable, Hashable {
  /// The effects of an import on the objects of one entity.
  public struct EntityCount: Sendable, Hashable {
    /// The entity's name.
    public var entity: String
    /// The number of new objects.
    public var inserted = 0
    /// The number of objects with a changed value or link.
    public var updated = 0
    /// The number of mentioned objects without a change.
    public var unchanged = 0
    /// The number of deleted objects.
    ///
    /// An object that the document mentions before a save, and deletes after it, is also counted as inserted, updated
    /// or unchanged.
    public var deleted = 0
    /// The number of objects that were given two different values of an attribute.
    ///
    /// The later value counts; a notice names both places. An import that is resumed counts from where it goes on:
    /// which values it gave before to the objects that are saved is not known. An import into a database remembers
    /// 150,000 objects of earlier saves; beyond, the notice says *at least*.
    public var conflicting = 0
    /// The attributes that were given two different values, in the order of the model.
    public var conflictingAttributes: [String] = []
  }

  /// The number of objects found at one root.
  public struct RootCount: Sendable, Hashable {
    /// The root.
    public var root: ImportRoot
    /// The number of objects, each counted as often as it was found there.
    public var objects = 0
    /// The objects, in the order of their ends, if ``ImportOptions/listsRootObjects`` asks for them.
    ///
    /// They are valid in the graph that the import publishes. An import into a database lists none.
    public var ids: [ObjectID] = []
    /// Whether the root led to a single object and not to a collection; set only where the objects
    /// are listed.
    public var isSingleObject = false
  }

  /// The server's answer that was read, the last one of several; nil if the bytes came from elsewhere.
  public var response: ImportResponse?
  /// The number of bytes of JSON that were read.
  public var byteCount = 0
  /// The time from the beginning of the import to the commit, including all waiting for bytes.
  ///
  /// It begins with the first byte where the caller hands the bytes over.
  public var duration = Duration.zero
  /// The effects on each entity that was touched, in the order of the model.
  public var entities: [EntityCount] = []
  /// The number of objects found, for each root.
  public var roots: [RootCount] = []
  /// The objects that were inserted for a bare identifier and are still unfilled, up to the limit
  /// of issues.
  ///
  /// An import into a database only counts them. In its tables they are the rows whose `_stub` is the number of the
  /// import. Of a list of pages, the report has the stubs that their own page does not fill.
  public var unfilledStubs: [ObjectID] = []
  /// The number of objects that were inserted for a bare identifier and are still unfilled.
  public var unfilledStubCount = 0
  /// Values and objects that were skipped, up to the limit of issues.
  public var issues: [ImportIssue] = []
  /// The number of skipped values and objects.
  public var issueCount = 0
  /// The notices, up to the limit of issues: unknown keys, identifiers without objects, objects
  /// that were given two different values of an attribute.
  public var notices: [ImportIssue] = []
  /// The number of notices, unlisted ones included.
  public var noticeCount = 0
  /// The number of skipped `null`s in arrays.
  public var skippedNullCount = 0
  /// The number of skipped unknown identifiers.
  public var ignoredReferenceCount = 0
  /// The number of lines of NDJSON that were skipped because they are not well-formed; each is an
  /// issue as well.
  public var brokenLineCount = 0
  /// The unfound paths and unread keys, if ``ImportOptions/reportsCoverage`` asks for them.
  public var coverage: ImportCoverage?

  /// The counts of skipped values, by their names in a written report.
  ///
  /// The counts of pages are added up.
  package static let skippedCounts:
    [(name: String, count: any WritableKeyPath<ImportReport, Int> & Sendable)] = [
      ("skippedNullCount", \.skippedNullCount),
      ("ignoredReferenceCount", \.ignoredReferenceCount),
      ("brokenLineCount", \.brokenLineCount),
    ]

  package init() {}

  /// Adds a notice that has no place in a document.
  package mutating func note(_ message: String) {
    noticeCount += 1
    notices.append(
      ImportIssue(severity: .notice, error: ImportError(kind: .model, message: message)))
  }

  /// Counts objects that were deleted.
  mutating func countDeleted(_ counts: [Int: Int], in schema: ModelSchema) {
    for (number, count) in counts.sortedByKey() {
      entities.append(EntityCount(entity: schema.entities[number].name, deleted: count))
    }
  }

  /// The number of new objects, of all entities.
  public var insertedCount: Int { entities.reduce(0) { $0 + $1.inserted } }
  /// The number of objects with a changed value or link, of all entities.
  public var updatedCount: Int { entities.reduce(0) { $0 + $1.updated } }
  /// The number of mentioned objects without a change, of all entities.
  public var unchangedCount: Int { entities.reduce(0) { $0 + $1.unchanged } }
  /// The number of deleted objects, of all entities.
  public var deletedCount: Int { entities.reduce(0) { $0 + $1.deleted } }

  /// Returns the effects on objects of a typed entity, without objects of its sub-entities.
  ///
  /// - Parameter entity: The entity.
  /// - Returns: The counts, which are zero for an entity that was not touched.
  public func count<E: Entity>(of entity: E.Type) -> EntityCount { count(of: E.entityName) }

  /// Returns the effects on objects of an entity, without objects of its sub-entities.
  ///
  /// - Parameter entity: The entity's name.
  /// - Returns: The counts, which are zero for an entity that was not touched.
  public func count(of entity: String) -> EntityCount {
    entities.first { $0.entity == entity } ?? EntityCount(entity: entity)
  }
}

extension ImportReport: CustomStringConvertible {
  /// The counts on one line, for example `Tweet: 3 inserted, 1 updated; User: 2 unchanged; 1 issue`.
  public var description: String {
    var parts = entities.compactMap { entity in
      let counts = [
        (entity.inserted, "inserted"), (entity.updated, "updated"), (entity.unchanged, "unchanged"),
        (entity.deleted, "deleted"),
      ].filter { $0.0 > 0 }
      return counts.isEmpty
        ? nil : "\(entity.entity): " + counts.map { "\($0) \($1)" }.joined(separator: ", ")
    }
    if parts.isEmpty { parts.append("no objects") }
    for (count, name) in [(issueCount, "issue"), (noticeCount, "notice")] where count > 0 {
      parts.append("\(count) \(name)\(count == 1 ? "" : "s")")
    }
    return parts.joined(separator: "; ")
  }
}

/// A part of a document that an import skipped, or a notice about one.
public struct ImportIssue: Sendable, Hashable {
  /// The weight of an issue.
  public enum Severity: String, Sendable, Hashable {
    /// A value or object of the document is missing in the graph.
    case issue
    /// No data of the document is lost: an unknown key, an identifier without an object.
    case notice
  }

  /// The weight of the issue.
  public var severity: Severity
  /// The error that was skipped, with its place and reason.
  public var error: ImportError

  /// The issues of one severity that an import keeps.
  struct Log {
    private(set) var issues: [ImportIssue] = []
    private(set) var count = 0

    mutating func note(_ severity: Severity, limit: Int, _ error: () -> ImportError) {
      count += 1
      if issues.count < limit { append(ImportIssue(severity: severity, error: error())) }
    }

    @inline(never)
    private mutating func append(_ issue: ImportIssue) { issues.append(issue) }
  }
}

extension ImportIssue: CustomStringConvertible {
  /// Line, column, path and message.
  public var description: String { error.description }
}
