import CommandLineSupport
import Foundation
import Graft
import GraftExport
import GraftInference
import GraftZstd

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A file to import: the source of its bytes, and the places of the objects in it.
struct Input {
  /// The file as messages name it, without the secrets of an address.
  let name: String
  let source: ImportSource
  let roots: [ImportRoot]
  /// Whether the source is a list of pages.
  let isList: Bool
  var options: ImportOptions

  /// Interprets an operand.
  ///
  /// - Throws: ``UsageError`` if no entity is known for the file, or a path is none.
  init(
    _ file: ImportArguments.File, model: GraphModel, _ arguments: ImportArguments
  ) throws(UsageError) {
    let operand: String
    if let split = RootSplit(file.operand, model: model) {
      (roots, operand) = (split.roots, split.file)
    } else {
      if let error = RootSplit.usageError(for: file.operand, model: model) { throw error }
      (roots, operand) = ([try Self.root(of: file, model: model)], file.operand)
    }
    name = Secrets.removed(from: operand)
    source = try Self.source(operand, file.settings.request, file.settings.web)
    isList = file.settings.web.isList
    options = Self.options(file.settings, arguments)
  }

  /// Takes a file without named roots that `graft export --all` has written, with the roots by which it is read
  /// again; nil for other files.
  init?(
    wholeGraph file: ImportArguments.File, model: GraphModel, _ arguments: ImportArguments
  ) async {
    let name = file.operand
    guard file.settings.entity == nil, file.settings.path == nil, InputFile.isRegularFile(name),
      (file.settings.format.format ?? ParserOptions.Format(ofFileNamed: name)) == .json,
      let source = try? Self.source(name, file.settings.request),
      let roots = try? await ImportRoot.wholeGraph(in: source, of: model),
      !roots.isEmpty,
      // `{"Channel": {"id": 7}}` may be a document of the model, and then its member is a property of the root.
      model.onlyRoot.map({ root in roots.contains { $0.entity == root.entity } }) ?? true
    else { return nil }
    self.init(
      name: name, source: source, roots: roots, settings: file.settings, arguments)
    options.fitWholeGraph()
  }

  /// Makes an input whose roots are known.
  init(
    name: String, source: ImportSource, roots: [ImportRoot],
    settings: ImportArguments.FileSettings, _ arguments: ImportArguments
  ) {
    self.name = Secrets.removed(from: name)
    self.source = source
    self.roots = roots
    isList = settings.web.isList
    options = Self.options(settings, arguments)
  }

  private static func options(
    _ settings: ImportArguments.FileSettings, _ arguments: ImportArguments
  ) -> ImportOptions {
    var options = ImportOptions()
    options.parser.format = settings.format.format
    options.parser.endMarker = settings.endMarker
    options.chunkSize = arguments.chunkSize
    options.parser.engine = arguments.engine
    options.mode = settings.mode
    options.errorPolicy = settings.errorPolicy
    options.relationships.reference = settings.reference
    options.deletesMissing = settings.deletesMissing
    options.brokenLines = settings.brokenLines
    options.unknownKeys = settings.unknownKeys
    options.isStrict = settings.isStrict
    return options
  }

  /// Returns the source of a file's bytes.
  ///
  /// - Parameters:
  ///   - name: A path, a URL, or `-`.
  ///   - request: The request for a URL.
  ///   - web: The options for pages and for repeated requests.
  /// - Returns: The source.
  /// - Throws: ``UsageError`` for an address that is none.
  static func source(
    _ name: String, _ request: RequestArguments, _ web: WebSettings = WebSettings()
  ) throws(UsageError) -> ImportSource {
    if name == "-" { return .file(.standardInput).decompressing(.zstd) }
    guard let first = try Self.request(name, request) else {
      if DatabaseFile.isDatabase(name) {
        throw UsageError(
          "\(name) is a database and no document; graft query \(name) ENTITY and graft export --from \(name) read it"
        )
      }
      return .url(URL(fileURLWithPath: name)).decompressing(.zstd)
    }
    return web.source(of: first).decompressing(.zstd)
  }

  /// Returns the first request for a URL; nil for a path.
  ///
  /// - Throws: ``UsageError`` for an address that is none.
  static func request(
    _ name: String, _ request: RequestArguments
  ) throws(UsageError) -> URLRequest? {
    guard InputFile.isAddress(name) else { return nil }
    guard let url = URL(address: name) else {
      throw UsageError(
        "\(Secrets.removed(from: name)): expected a URL, such as https://example.org:8080/feed.json"
      )
    }
    return request.request(url)
  }

  /// Whether an import into a database can continue at the last object that was saved.
  var canBeResumed: Bool { source.version != nil && !InputFile.isStream(name) }

  private static func root(
    of file: ImportArguments.File, model: GraphModel
  ) throws(UsageError) -> ImportRoot {
    if file.settings.entity == nil, file.settings.path == nil, let root = model.onlyRoot {
      return root
    }
    guard let entity = file.settings.entity else {
      throw UsageError(
        "\(Secrets.removed(from: file.operand)): objects of which entity? give --entity NAME before the file,"
          + " or NAME=\(Secrets.removed(from: file.operand)); the model has \(model.entityNames)")
    }
    try model.check(entity)
    do {
      return try ImportRoot(entity, at: file.settings.path)
    } catch {
      throw UsageError("--at: \(error)")
    }
  }
}

extension GraphModel {
  fileprivate var entityNames: String { entities.map(\.name).joined(separator: ", ") }

  /// The root of the documents that a model was inferred from; nil for other models, and for several roots.
  fileprivate var onlyRoot: ImportRoot? {
    let roots = entities.compactMap { entity in
      entity.userInfo["root"].flatMap { try? ImportRoot(entity.name, at: $0 == "$" ? nil : $0) }
    }
    return roots.count == 1 ? roots[0] : nil
  }

  /// Checks that the model has an entity.
  func check(_ entity: String) throws(UsageError) {
    guard self.entity(named: entity) == nil else { return }
    let nearest = nearestName(to: entity, in: entities.map(\.name))
    throw UsageError(
      "unknown entity \"\(entity)\""
        + (nearest.map { ", did you mean \"\($0)\"?" } ?? "; the model has \(entityNames)"))
  }
}

/// The operand `ROOT[,ROOT ...]=FILE` in its parts.
///
/// The name of a file may contain `=` and `@`, and a path may contain `=` in quotes. So the operand
/// is cut at the first `=` that has only roots of the model's entities before it.
struct RootSplit {
  let roots: [ImportRoot]
  let file: String

  /// Reads the roots of an operand; nil if it names none.
  init?(_ operand: String, model: GraphModel) {
    for index in operand.indices where operand[index] == "=" {
      guard let roots = Self.roots(operand[..<index], model: model) else { continue }
      self.roots = roots
      file = String(operand[operand.index(after: index)...])
      return
    }
    return nil
  }

  /// Splits an operand without a model: the part before the first `=` is taken as roots if it looks like roots.
  ///
  /// - Parameter operand: The operand.
  /// - Returns: Entities with their paths, and the file; nil for an operand that names no roots.
  static func named(_ operand: String) -> (roots: [InferredModel.Root], file: String)? {
    for index in operand.indices where operand[index] == "=" {
      let roots = parts(operand[..<index]).compactMap { part -> InferredModel.Root? in
        guard !part.entity.isEmpty,
          part.entity.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }),
          let path = try? JSONPath(part.path ?? "$")
        else { return nil }
        return InferredModel.Root(entity: part.entity, path: path)
      }
      guard roots.count == parts(operand[..<index]).count else { continue }
      return (roots, String(operand[operand.index(after: index)...]))
    }
    return nil
  }

  /// Returns the error of an operand that was probably meant to name roots, because it contains `=`
  /// and is not a file.
  static func usageError(for operand: String, model: GraphModel) -> UsageError? {
    guard let index = operand.firstIndex(of: "="), !operand.contains("://"),
      !FileManager.default.fileExists(atPath: operand)
    else { return nil }
    for part in parts(operand[..<index]) {
      do {
        try model.check(part.entity)
        if let path = part.path { _ = try JSONPath(path) }
      } catch {
        return UsageError("\(Secrets.removed(from: operand)): \(error)")
      }
    }
    return nil
  }

  private static func roots(_ text: Substring, model: GraphModel) -> [ImportRoot]? {
    var roots: [ImportRoot] = []
    for part in parts(text) {
      guard model.entity(named: part.entity) != nil else { return nil }
      guard let root = try? ImportRoot(part.entity, at: part.path) else { return nil }
      roots.append(root)
    }
    return roots
  }

  /// Splits at the commas outside of brackets.
  private static func parts(_ text: Substring) -> [(entity: String, path: String?)] {
    var pieces: [Substring] = []
    var start = text.startIndex
    var isInBrackets = false
    for index in text.indices {
      switch text[index] {
      case "[": isInBrackets = true
      case "]": isInBrackets = false
      case "," where !isInBrackets:
        pieces.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    pieces.append(text[start...])
    return pieces.map { piece in
      let halves = piece.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(halves[0]), halves.count > 1 ? String(halves[1]) : nil)
    }
  }
}
