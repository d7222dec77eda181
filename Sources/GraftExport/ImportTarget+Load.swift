import Graft
import Synchronization

extension ImportRoot {
  /// Finds the roots for importing the export of a whole graph.
  ///
  /// Such an export (``GraftExport/ExportContent/graph(_:)-(Graph)``) is an object with a member for each
  /// entity: an array of its objects, or an object with its objects under their keys. The source is
  /// read once for that, and must be one that can be read again.
  ///
  /// - Parameters:
  ///   - source: The exported text.
  ///   - model: The model of the graph.
  /// - Returns: A root for each member that is an array or an object. A member without objects has a root too, so that
  ///   `deletesMissing` knows its entity.
  /// - Throws: ``ImportError`` if the text is something else, ``ImportSourceError`` if the bytes
  ///   cannot be had.
  /// - Complexity: O(*n*) in the size of the text; memory for the names of its members.
  @concurrent
  public static func wholeGraph(
    in source: ImportSource, of model: GraphModel
  ) async throws -> [ImportRoot] {
    let survey = MemberSurvey(model)
    do {
      try await source.read(chunkSize: 1 << 20, progress: nil) { try survey.parse($0) }
      return try survey.finish()
    } catch let error as ParsingError {
      throw ImportError(error)
    }
  }
}

extension ImportTarget {
  /// Imports the export of a whole graph (``GraftExport/ExportContent/graph(_:)-(Graph)``), with the roots of
  /// `ImportRoot.wholeGraph(in:of:)`.
  ///
  /// An identifier may come before its object, so links wait for the end, unless the options say otherwise. They may
  /// take as much memory as they need: the graph takes more. A database saves nothing while links wait, so that all
  /// objects are in memory until the text has ended.
  ///
  /// ```swift
  /// let restored = try GraphStore(for: Note.self)
  /// try await restored.load(from: .url(file))
  /// ```
  ///
  /// - Parameters:
  ///   - source: The exported text: a file, or data; a source that can be read only once is an
  ///     error.
  ///   - options: The options of the import.
  ///   - progress: Called after every chunk with how far the import has come.
  /// - Returns: The report of the import.
  /// - Throws: As ``importJSON(_:from:options:progress:)-(_,ImportSource,_,_)``; ``ImportError`` if the text is no such
  ///   export.
  @concurrent
  @discardableResult
  public func load(
    from source: ImportSource, options: ImportOptions = ImportOptions(),
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    var options = options
    options.fitWholeGraph()
    let roots = try await ImportRoot.wholeGraph(in: source, of: model)
    return try await importJSON(roots, from: source, options: options, progress: progress)
  }
}

extension ImportOptions {
  /// Sets what the import of a whole graph needs.
  ///
  /// An identifier may come before its object, so links wait for the end. One that then names no object stood for a
  /// stub that has no identity, only this value (`JSONRelatedBy`). An export lists no such stub.
  package mutating func fitWholeGraph() {
    relationships.reference = relationships.reference ?? .defer
    restoresStubs = true
    bufferLimit = .max
  }
}

/// Reads the names of a document's members, and whether each is an array or an object.
private final class MemberSurvey: Sendable {
  private struct Reader {
    let members = MemberReceiver()
    let parser: EventParser

    init() { parser = EventParser(sendingTo: members) }
  }

  private let reader = Mutex(Reader())
  private let model: GraphModel

  init(_ model: GraphModel) { self.model = model }

  /// - Throws: ``ImportError`` as soon as it is known that the text is no export of a graph, ``ParsingError``.
  func parse(_ chunk: RawSpan) throws {
    try reader.withLock { reader in
      try reader.parser.parse(chunk)
      try check(reader.members)
    }
  }

  private func check(_ found: MemberReceiver) throws {
    if found.hasBegun, !found.isObject { throw Self.noGraph("found another value") }
    for member in found.members where model.entity(named: member.name) == nil {
      throw Self.noGraph(
        "\"\(member.name)\" is no entity of the model"
          + suggestion(for: member.name, in: model.entities.map(\.name)))
    }
  }

  /// - Returns: A root for each member that is an array or an object.
  /// - Throws: ``ParsingError`` if the text ends too early, ``ImportError`` if it is no export of a
  ///   graph.
  func finish() throws -> [ImportRoot] {
    let members = try reader.withLock { reader in
      try reader.parser.finish()
      try check(reader.members)
      return reader.members.members
    }
    return members.compactMap { member in
      guard let isArray = member.isArray else { return nil }
      let steps: [JSONPath.Step] = [.member(member.name)]
      return ImportRoot(
        member.name, at: JSONPath(isArray ? steps : steps + [.eachMember]))
    }
  }

  private static func noGraph(_ reason: String) -> ImportError {
    ImportError(
      kind: .rootNotFound,
      message:
        "expected the export of a whole graph, an object with a member for each entity; \(reason)")
  }
}

/// Receives a document's events, and notes those of its outermost two levels.
private final class MemberReceiver: EventReceiver {
  struct Member: Sendable {
    var name: String
    /// Whether it is an array and no object; nil for a scalar.
    var isArray: Bool?
  }

  private(set) var members: [Member] = []
  private(set) var isObject = false
  private(set) var hasBegun = false
  private var depth = 0

  func key(_ bytes: BorrowedBuffer<UInt8>) {
    if depth == 1 { members.append(Member(name: String(decoding: bytes, as: UTF8.self))) }
  }

  func null() { hasBegun = true }
  func boolean(_ value: Bool) { hasBegun = true }
  func number(_ bytes: BorrowedBuffer<UInt8>) { hasBegun = true }
  func string(_ bytes: BorrowedBuffer<UInt8>) { hasBegun = true }
  func startObject() { start(isArray: false) }
  func startArray() { start(isArray: true) }
  func endObject() { depth -= 1 }
  func endArray() { depth -= 1 }

  private func start(isArray: Bool) {
    hasBegun = true
    if depth == 0, !isArray { isObject = true }
    if depth == 1, !members.isEmpty { members[members.count - 1].isArray = isArray }
    depth += 1
  }
}
