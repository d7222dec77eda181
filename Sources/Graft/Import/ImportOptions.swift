/// The options of an import.
///
/// The policies in ``attributes``, ``relationships`` and ``entities`` hold if the model states
/// none. A policy that is nil here is the dialect's.
public struct ImportOptions: Sendable {
  /// The options of the JSON parser, such as the memory that it may take.
  public var parser = ParserOptions()
  /// The number of bytes that are read from a file at a time, at least 1 and at most 16 MiB.
  ///
  /// A larger number counts as 16 MiB. An import of a file into a Postgres database reads more at a
  /// time if the number is the default, 65,536, even if your code has set it.
  public var chunkSize = 65_536
  /// Whether a second thread writes a batch into a database while the import reads the next one.
  ///
  /// If a second processor is free, the import takes less time. Objects, errors and what is saved before an error are
  /// the same; the reported progress may be one save ahead of the database. From its first save on, the import has
  /// a second connection.
  ///
  /// It takes effect for files, answers and data, if each save is a transaction by itself and the import deletes no
  /// objects. Chunks that your code hands to a ``JSONImporter`` or that a sequence produces are saved before the next
  /// one is asked for.
  public var writesBehind = true
  /// The treatment of objects that exist already, and of new ones.
  public var mode = Mode.upsert
  /// The treatment of a value or object that cannot be imported.
  public var errorPolicy = ErrorPolicy.fail
  /// The treatment of an NDJSON line that is malformed or exceeds a limit of the parser; nil for
  /// the treatment in ``errorPolicy``.
  public var brokenLines: BrokenLinePolicy?
  /// The treatment of a key that no property reads.
  public var unknownKeys = UnknownKeyPolicy.skip
  /// Whether a key that occurs twice in an object is an error; otherwise the later value counts.
  public var refusesDuplicateKeys = false
  /// Whether a scalar must be of the attribute's own type; otherwise it is converted if nothing is
  /// lost.
  public var isStrict = false
  /// Whether an empty string is an error where the attribute's type has no such value; otherwise it is no value.
  ///
  /// This holds for numbers, booleans, dates, UUIDs, URIs and enumerations, and for bare identifiers
  /// of objects. An empty string for an attribute is an error with ``isStrict`` too.
  public var refusesEmptyStrings = false
  /// Whether the bounds and patterns of the model are checked, and the hooks ``ImportHooks/validators`` and
  /// ``ImportHooks/validate`` called.
  ///
  /// Required properties are checked in any case.
  public var validates = true
  /// Whether objects of the roots' entities that the document does not mention are deleted when it
  /// has ended without an error.
  ///
  /// A root that is `null` deletes nothing. An array or object, even an empty one, lists the
  /// objects that exist. An identifier mentions its object too: an object that is no longer listed stays if a
  /// listed one refers to it.
  ///
  /// Nothing is deleted if the import has skipped a line that is not JSON, or an object of such an entity without a
  /// readable identity. The line or object may mean what seems to be missing.
  public var deletesMissing = false
  /// The group that this import belongs to, such as the pages of one list; nil if it is alone.
  ///
  /// The objects that ``deletesMissing`` deletes are then decided once, at the end of the group: an
  /// object that any import of the group has mentioned stays.
  public var group: ImportGroup?
  /// The closures, by the names of entities, that decide whether an object that the document no longer mentions may
  /// be deleted.
  ///
  /// If neither an entity nor one above it is named here, all its objects may be deleted.
  ///
  /// The scope holds for objects that ``deletesMissing`` deletes and for members that
  /// ``RemovedPolicy/delete`` removes from relationships. The closure is called after the document
  /// has ended without an error. The closure receives an object as it was before the import, or as
  /// the last of its batches has left it, if the import publishes in steps or goes into a database.
  /// It is not called for an object that the import has inserted since its last save. A database saves every 2,500
  /// objects or so.
  /// The closure may follow relationships; an import into a database reads them then:
  ///
  /// ```swift
  /// options.deletesMissing = true
  /// options.deletionScopes["Concert"] = { $0["year"] == .integer(2026) }
  /// ```
  public var deletionScopes = [String: @Sendable (GraphObject) -> Bool]()
  /// The moments at which the import saves: at its end, or in steps before.
  public var savePolicy = SavePolicy()
  /// Whether the report of an import into a store lists the objects of each root, in
  /// ``ImportReport/RootCount/ids``.
  ///
  /// Each object takes 8 bytes.
  public var listsRootObjects = false
  /// Whether the report lists unfound paths of the model and unread keys, in
  /// ``ImportReport/coverage``.
  ///
  /// Each unread key costs time.
  public var reportsCoverage = false
  /// Whether the import publishes nothing.
  ///
  /// It reads the whole document, checks the objects that it would publish, and reports its
  /// would-be effect.
  public var isDryRun = false
  /// The number of issues and unfilled stubs that a report lists; further ones are only counted.
  public var issueLimit = 100
  /// The most bytes of one object that may be buffered until late information is known, such as the
  /// name of its entity.
  ///
  /// The same limit holds for each value that is kept as JSON, and for the sum of all references that wait for the end
  /// of the document (``ReferencePolicy/defer``). A reference takes about 150 bytes.
  public var bufferLimit = 64 << 20
  /// Whether a value of `JSONRelatedBy` makes a stub, if it still finds no object when the document has ended.
  package var restoresStubs = false

  /// The paths of properties that differ from the model's.
  ///
  /// A mapping that does not fit the model is a ``ModelError``.
  public var mapping: JSONMapping?

  /// The policies of attributes for which the model states none: the effects of `null` and of an
  /// absent key.
  public var attributes = Policies()
  /// The policies of relationships for which the model states none, and of bare identifiers at the
  /// roots.
  public var relationships = Policies()
  /// The policies of entities for which the model states none: the treatment of an object without
  /// its identity.
  public var entities = Policies()

  /// The attributes that must be greater for an update to apply, by the names of their entities.
  ///
  /// An object of the document that is not newer than the existing one is skipped.
  ///
  /// An attribute holds for sub-entities that name none; the model's own attribute comes first. It
  /// is a date, a number or a string. A name that the model lacks is an ``ImportError``.
  public var modifiedAttributes = [String: String]()

  /// Your code that is called for objects while they are imported, by the names of their entities.
  ///
  /// Hooks of an entity hold for its sub-entities that have none.
  public var hooks = [String: ImportHooks]()

  /// Receives a server's answer, before the first byte of its body.
  ///
  /// It may choose the roots and the format for this answer; an error that it throws ends the import, which has
  /// changed nothing then. Answers that are no success are an ``ImportSourceError``, and do not come here.
  ///
  /// ```swift
  /// options.willReadResponse = { response, reading in
  ///   guard response["X-Schema"] == "2" else { throw UnknownSchema() }
  ///   if response["X-Kind"] == "changes" { reading.roots = [ImportRoot(Tweet.self, at: "changed")] }
  /// }
  /// ```
  public var willReadResponse:
    (@Sendable (ImportResponse, inout ImportResponse.ReadingOptions) throws -> Void)?

  /// Pauses and resumes an import from a source; nil if it is never paused.
  public var control: ImportControl?

  /// Whether the import rounds dates to the microsecond, as the destination does.
  package var roundsDates = false
  /// Functions that return why the destination cannot hold a value, and nil if it can, by the type of the value.
  package var valueFaults = [AttributeType: @Sendable (RawValue) -> String?]()
  /// The paths of scalars of the document, without wildcards, that ``notesAtEnd`` is given.
  package var capturedPaths: [JSONPath] = []
  /// Receives a hash of a source's bytes when all of them have been read.
  package var didReadSource: (@Sendable (UInt64) -> Void)?
  /// Returns the notes that the destination keeps together with the objects of a complete document; an error keeps
  /// the objects from being published.
  package var notesAtEnd: (@Sendable (DocumentFacts) throws -> [ImportNote])?
  /// Receives, after each page of a list, the number of published pages, and whether a later import can go on after
  /// them.
  package var didImportPage: (@Sendable (_ count: Int, _ canBeResumed: Bool) -> Void)?

  /// The name of the imported file, which is the value of the path `@file`.
  ///
  /// A name such as `tweets.ndjson` also decides the format, unless ``ParserOptions/format`` is
  /// given.
  ///
  /// Nil takes the last component of the source's URL, where it has one.
  public var fileName: String?

  /// Creates the default options.
  public init() {}

  /// Sets the code that is called for the objects of a typed entity, and of entities below it that
  /// have no hooks of their own.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - configure: Sets the hooks; see ``EntityHooks``.
  public mutating func hooks<E: Entity>(
    for entity: E.Type, _ configure: (inout EntityHooks<E>) -> Void
  ) {
    var hooks = EntityHooks<E>()
    configure(&hooks)
    self.hooks[E.entityName] = hooks.untyped
  }

  /// Decides which objects of a typed entity may be deleted; see ``deletionScopes``.
  ///
  /// ```swift
  /// options.deletionScope(Concert.self) { $0.year == 2026 }
  /// ```
  ///
  /// - Parameters:
  ///   - entity: The entity; the scope holds for those below it that have none.
  ///   - isIncluded: Returns whether an object, as it was before the import, may be deleted.
  public mutating func deletionScope<E: Entity>(
    _ entity: E.Type, _ isIncluded: @escaping @Sendable (Object<E>) -> Bool
  ) {
    deletionScopes[E.entityName] = { Object<E>($0).map(isIncluded) ?? true }
  }

  /// Sets the attribute of a typed entity that must be greater for an update to apply; see
  /// ``modifiedAttributes``.
  ///
  /// - Parameter attribute: The attribute's key path, such as `\Tweet.updatedAt`.
  public mutating func modified<E: Entity, Value>(by attribute: KeyPath<E, Attribute<Value>>) {
    modifiedAttributes[E.entityName] = EntityType<E>.shared.attribute(at: attribute).name
  }

  /// Checks that the limits are in their valid ranges.
  ///
  /// - Throws: ``ImportError`` that names the one that is not.
  func check() throws(ImportError) {
    let limits = [
      ("chunkSize", chunkSize, 1), ("savePolicy.objects", savePolicy.objects ?? 1, 1),
      ("savePolicy.bytes", savePolicy.bytes ?? 1, 1),
      ("issueLimit", issueLimit, 0), ("bufferLimit", bufferLimit, 0),
      ("parser.limits.depth", parser.limits.depth, 0),
      ("parser.limits.tokenBytes", parser.limits.tokenBytes, 0),
      ("parser.limits.keyBytes", parser.limits.keyBytes, 0),
      ("parser.limits.numberBytes", parser.limits.numberBytes, 0),
    ]
    if let time = savePolicy.time, time < .zero {
      throw ImportError(
        kind: .model, expected: "0 seconds or more", found: "\(time)",
        message: "the option savePolicy.time is \(time), expected 0 seconds or more")
    }
    for (name, value, least) in limits where value < least {
      throw ImportError(
        kind: .model, expected: "\(least) or more", found: "\(value)",
        message: "the option \(name) is \(value), expected \(least) or more")
    }
  }
}

extension ImportOptions {
  /// Takes the format from the name of the file, unless the options have one.
  mutating func takeFormatFromName() {
    parser.format = parser.format ?? fileName.flatMap { ParserOptions.Format.named(by: $0) }
  }

  /// The treatment of lines that are not JSON, by the error policy unless it is given.
  package var brokenLinePolicy: BrokenLinePolicy {
    brokenLines ?? (errorPolicy == .fail ? .fail : .skip)
  }

  /// Makes a filter of lines of NDJSON that are not JSON; nil if such lines are errors.
  func makeBrokenLineFilter() -> BrokenLineFilter? {
    guard parser.format == .ndjson, brokenLinePolicy == .skip else { return nil }
    return BrokenLineFilter(options: parser, lineLimit: bufferLimit)
  }
}

extension ImportOptions {
  /// The treatment of existing objects and of new ones.
  public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// Existing objects are updated, others inserted.
    case upsert
    /// Existing objects are left as they are, others are inserted.
    case insertOnly = "insert-only"
    /// Existing objects are updated, others skipped.
    case updateOnly = "update-only"
  }

  /// The treatment of a value or object that cannot be imported.
  public enum ErrorPolicy: String, Sendable, Hashable, CaseIterable {
    /// The import stops.
    case fail
    /// The value is skipped, and listed in the report; an object whose identity cannot be read is skipped with it.
    case skipValue = "skip-value"
    /// The object that has the value is skipped, and listed in the report.
    case skipObject = "skip-object"
  }

  /// The treatment of an NDJSON line that is not well-formed.
  public enum BrokenLinePolicy: String, Sendable, Hashable, CaseIterable {
    /// The import stops.
    case fail
    /// The line is skipped, and listed in the report with its number. Each line must hold whole
    /// documents. Nothing that is missing, or that a relationship has lost, is deleted, since the line may have
    /// mentioned it.
    case skip
  }

  /// The treatment of a key that no property reads.
  ///
  /// Under a known key there may be a kind of value that no property reads: an array at `meta` for the path `meta.title`.
  /// It is a notice of the report, unless unknown keys are skipped.
  public enum UnknownKeyPolicy: String, Sendable, Hashable, CaseIterable {
    /// The key is skipped with its value.
    case skip
    /// The key is skipped with its value, and listed in the report.
    case report
    /// The import stops, or the error policy decides.
    case error
  }
}
