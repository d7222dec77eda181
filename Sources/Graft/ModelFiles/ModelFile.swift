public import Foundation

extension GraphModel {
  /// Creates a model from a file.
  ///
  /// The file is Xcode's `.xcdatamodeld` (its current version is read), an `.xcdatamodel`, the bare
  /// XML inside it, or a Graft schema, which is JSON:
  ///
  /// ```json
  /// {
  ///   "entities": [
  ///     {
  ///       "name": "Tweet",
  ///       "attributes": [
  ///         { "name": "id", "type": "Integer 64", "isOptional": false,
  ///           "userInfo": { "JSONKeyPath": "id_str" } },
  ///         { "name": "text", "type": "String", "maximum": 280 }
  ///       ],
  ///       "relationships": [
  ///         { "name": "author", "destination": "User", "inverse": "tweets",
  ///           "userInfo": { "JSONKeyPath": "user" } },
  ///         { "name": "hashtags", "destination": "Hashtag", "isToMany": true,
  ///           "deleteRule": "Nullify" }
  ///       ],
  ///       "userInfo": { "identityAttributes": "id" }
  ///     }
  ///   ]
  /// }
  /// ```
  ///
  /// <doc:TheSchemaFile> has every key and its values.
  ///
  /// - Parameters:
  ///   - url: The file, or the bundle that holds it.
  ///   - dialect: The dialect of the annotations; nil takes the dialect that a Graft schema names,
  ///     or detects it by the annotations.
  ///   - extensions: The code that annotations mention by name.
  /// - Throws: ``ModelError`` with all errors found, or an error of Foundation if the file cannot
  ///   be read.
  /// - Complexity: O(*n*) in the size of the file.
  public init(
    contentsOf url: URL,
    dialect: Dialect? = nil,
    extensions: ModelExtensions = ModelExtensions()
  ) throws {
    let document = try ModelFile.document(at: url)
    try self.init(document, dialect: dialect ?? document.dialect, extensions: extensions)
  }

  /// Creates a model from the content of a file, such as a resource in memory or a server's answer.
  ///
  /// - Parameters:
  ///   - data: The JSON of a Graft schema, or the XML inside of an `.xcdatamodel`.
  ///   - name: The name of the data in messages.
  ///   - dialect: The dialect of the annotations; nil takes the dialect that a Graft schema names,
  ///     or detects it by the annotations.
  ///   - extensions: The code that annotations mention by name.
  /// - Throws: ``ModelError`` with all errors found.
  /// - Complexity: O(*n*) in the size of the data.
  public init(
    data: Data, named name: String = "model", dialect: Dialect? = nil,
    extensions: ModelExtensions = ModelExtensions()
  ) throws(ModelError) {
    let document = try ModelFile.document(in: data, file: name)
    try self.init(document, dialect: dialect ?? document.dialect, extensions: extensions)
  }
}

/// Finds the file that holds a model, inside Xcode's model bundles or the given file itself, and
/// reads it by its first character.
enum ModelFile {
  /// The most bytes of a model file; real ones stay below a few hundred thousand.
  static let sizeLimit = 4 << 20

  /// Reads the model at a URL.
  ///
  /// - Parameter url: An `.xcdatamodeld` or `.xcdatamodel` bundle, or a file.
  /// - Returns: The entities as they are described, still unchecked.
  /// - Throws: ``ModelError`` if there is no readable model; an error of Foundation if a file cannot
  ///   be read.
  static func document(at url: URL) throws -> ModelDocument {
    let url = try isDirectory(url) ? file(inBundle: url) : url
    // A handle also reads files without a size, such as a pipe.
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    var data = Data()
    while let chunk = try handle.read(upToCount: sizeLimit), !chunk.isEmpty {
      data += chunk
      if data.count > sizeLimit { break }
    }
    return try document(in: data, file: url.path)
  }

  /// Reads the model in the content of a file.
  ///
  /// - Parameters:
  ///   - data: The content.
  ///   - file: The file's name in messages.
  /// - Returns: The entities as they are described, still unchecked.
  /// - Throws: ``ModelError`` if there is no readable model.
  static func document(in data: Data, file: String) throws(ModelError) -> ModelDocument {
    guard data.count <= sizeLimit else {
      throw ModelError("expected a model of at most \(sizeLimit) bytes", file: file)
    }
    switch TextEncoding(of: Array(data.prefix(4)), isWhole: true) {
    case .other(let encoding):
      throw ModelError(
        "the text is in \(encoding); expected UTF-8, which iconv makes of it", file: file)
    case .packed(let format):
      throw ModelError(
        "the file is compressed by \(format); expected a model: decompress the file first",
        file: file)
    case .utf8, .markedUTF8, .undecided: break
    }
    switch data.first(where: { !$0.isJSONSpace && !TextEncoding.byteOrderMark.contains($0) }) {
    case UInt8(ascii: "<"): return try XcodeModelReader.read(data, file: file)
    case UInt8(ascii: "{"): return try SchemaFileReader.read(data, file: file)
    case nil: throw ModelError("the file is empty, expected a model", file: file)
    default:
      throw ModelError(
        "expected the XML of an Xcode model or a Graft schema in JSON", file: file,
        at: SourceLocation(offset: 0, line: 1, column: 1))
    }
  }

  private static func isDirectory(_ url: URL) throws -> Bool {
    try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory ?? false
  }

  private static func file(inBundle bundle: URL) throws -> URL {
    let names = try FileManager.default.contentsOfDirectory(atPath: bundle.path)
    let versions = names.filter { $0.hasSuffix(".xcdatamodel") }.sorted()
    if versions.isEmpty { return try file(ofVersion: bundle, names) }
    let version = bundle.appendingPathComponent(try currentVersion(of: bundle, versions))
    return try file(
      ofVersion: version, FileManager.default.contentsOfDirectory(atPath: version.path))
  }

  private static func file(ofVersion version: URL, _ names: [String]) throws -> URL {
    if names.contains("contents") { return version.appendingPathComponent("contents") }
    if names.contains("elements") {
      throw ModelError(
        "the model is in the binary format of Xcode 3; save it anew with a later Xcode",
        file: version.path)
    }
    if names.contains(where: { $0.hasSuffix(".mom") }) {
      throw ModelError(
        "the model is compiled; give the .xcdatamodeld that it was compiled from",
        file: version.path)
    }
    throw ModelError(
      "expected a model bundle with a file named \"contents\" or with .xcdatamodel versions",
      file: version.path)
  }

  /// Returns the version that the bundle says is current, or the only one.
  private static func currentVersion(of bundle: URL, _ versions: [String]) throws -> String {
    let note = bundle.appendingPathComponent(".xccurrentversion")
    guard let name = try currentName(in: note) else {
      guard versions.count == 1 else {
        throw ModelError(
          "no .xccurrentversion says which of \(versions.joined(separator: ", ")) is current; "
            + "give the version itself", file: bundle.path)
      }
      return versions[0]
    }
    guard versions.contains(name) else {
      throw ModelError(
        "the current version is \"\(name)\", which is not in the bundle"
          + suggestion(for: name, in: versions), file: note.path)
    }
    return name
  }

  /// Returns the name in a bundle's note; nil if there is none.
  ///
  /// Xcode also writes empty notes.
  private static func currentName(in note: URL) throws(ModelError) -> String? {
    guard FileManager.default.fileExists(atPath: note.path) else { return nil }
    // Unsafe by a pointer to the format, which is not asked for.
    let list = try? unsafe PropertyListSerialization.propertyList(
      from: Data(contentsOf: note), format: nil)
    guard let keys = list as? [String: Any] else {
      throw ModelError(
        "expected a property list with the key _XCCurrentVersionName", file: note.path)
    }
    return keys["_XCCurrentVersionName"] as? String
  }
}
