public import Foundation

extension JSONMapping {
  /// Reads a mapping from a file.
  ///
  /// ```json
  /// {
  ///   "Tweet": {
  ///     "id_str": "id",
  ///     "created_at": { "property": "postedAt", "format": "EEE MMM dd HH:mm:ss Z yyyy" },
  ///     "user": { "name": "authorName" },
  ///     "coordinates": { "[0]": "longitude", "[1]": "latitude" }
  ///   }
  /// }
  /// ```
  ///
  /// Under the name of each entity stand paths, and under each path the name of a property; an
  /// object with the member `property`, and where wanted `format` and `transformer`; an object of
  /// paths that lead further down; or an array of these. A key of JSON that is itself named
  /// `property` is written `['property']`. Under `-` stands a property that is not read, or an array
  /// of such. Of several paths for a property, the first in the file
  /// that is present counts.
  ///
  /// - Parameters:
  ///   - url: The file, of at most 4 MiB.
  ///   - transformers: Transformers that the file may name beside the ready-made ones.
  /// - Throws: ``ModelError`` with all errors found, or an error of Foundation if the file cannot
  ///   be read.
  /// - Complexity: O(*n*) in the size of the file.
  public init(contentsOf url: URL, transformers: [String: AttributeTransformer] = [:]) throws {
    let limit = LocatedJSON.sizeLimit
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    let data = try handle.read(upToCount: limit + 1) ?? Data()
    guard data.count <= limit else {
      throw ModelError("expected a mapping of at most \(limit) bytes", file: url.path)
    }
    try self.init(data, file: url.path, transformers: transformers)
  }

  /// Reads a mapping from JSON in memory.
  ///
  /// - Parameters:
  ///   - json: The text, as ``init(contentsOf:transformers:)`` documents it.
  ///   - transformers: Transformers that the text may name beside the ready-made ones.
  /// - Throws: ``ModelError`` with all errors found.
  /// - Complexity: O(*n*) in the size of the text.
  public init(
    json: Data, transformers: [String: AttributeTransformer] = [:]
  ) throws(ModelError) {
    try self.init(json, file: "mapping", transformers: transformers)
  }

  private init(
    _ data: Data, file: String, transformers: [String: AttributeTransformer]
  ) throws(ModelError) {
    var reader = MappingReader(file: file, transformers: transformers)
    self = try reader.read(data)
  }
}
