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
  ///         { "name": "id", "type": "Integer 64", "isOptional": false, "userInfo": {
  ///         "JSONKeyPath": "id_str" } }, { "name": "text", "type": "String", "maximum": 280 }
  ///       ],
  ///       "relationships": [
  ///         { "name": "author", "destination": "User", "inverse": "tweets", "userInfo": {
  ///         "JSONKeyPath": "user" } }, { "name": "hashtags", "destination": "Hashtag", "isToMany":
  ///         true, "deleteRule": "Nullify" }
  ///       ],
  ///       "userInfo": { "identityAttributes": "id" }
  ///     }
  ///   ]
  /// }
  /// ```
  ///
  /// - The schema itself may name a `dialect`; without one it is in Graft's.
  /// - An entity has a `name`, and may have a `superentity`, `isAbstract`, `attributes`,
  ///   `relationships` and `userInfo`.
  /// - An attribute has a `name` and a `type` as Xcode writes it (`Integer 16`, `Decimal`, `Date`
  ///   …), and may have `isOptional` (default true), `defaultValue`, `minimum`, `maximum`,
  ///   `pattern`, `isTransient`, `indexed`, `transformerName` and `userInfo`. Dates are written in
  ///   ISO 8601, bytes in base64.
  /// - A relationship has a `name` and a `destination`, and may have `inverse` (at one end or
  ///   both), `isToMany`, `isOrdered`, `isOptional` (default true), `minimumCount`, `maximumCount`,
  ///   `deleteRule` (`Nullify`, `Cascade`, `Deny`, `No Action`) and `userInfo`.
  ///
  /// - Parameters:
  ///   - url: The file, or the bundle that holds it.
  ///   - dialect: The dialect of the annotations; nil takes the one that a Graft schema names, or
  ///     picks it by the annotations that are present.
  ///   - extensions: The code that annotations mention by name.
  /// - Throws: ``ModelError`` with all errors found, or an error of Foundation if the file cannot
  ///   be read.
  /// - Complexity: O(*n*) in the size of the file.
  public init(
    contentsOf url: URL,
    dialect: Dialect? = nil,
    extensions: ModelExtensions = ModelExtensions()
  ) throws {
    let (file, data) = try ModelLocator.contents(of: url)
    let document = try Self.document(in: data, file: file.path)
    try self.init(document, dialect: dialect ?? document.dialect, extensions: extensions)
  }

  private static func document(in data: Data, file: String) throws(ModelError) -> ModelDocument {
    let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
    switch data.first(where: { !spaces.contains($0) }) {
    case UInt8(ascii: "<"): return try XcodeModelReader.read(data, file: file)
    case UInt8(ascii: "{"): return try SchemaFileReader.read(data, file: file)
    case nil: throw ModelError("the file is empty, expected a model", file: file)
    default:
      throw ModelError(
        "expected the XML of an Xcode model or a Graft schema in JSON", file: file,
        at: TextPosition(line: 1, column: 1))
    }
  }
}
