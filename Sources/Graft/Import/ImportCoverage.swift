/// The differences between a model's paths and a document: paths without values, and keys that no
/// path reads.
///
/// ```swift
/// options.reportsCoverage = true
/// let report = try store.importJSON(Tweet.self, from: document, options: options)
/// for path in report.coverage?.unfoundPaths ?? [] { print(path) }
/// ```
public struct ImportCoverage: Sendable, Hashable {
  /// A path of the model at which no value was found, not even `null`.
  public struct UnfoundPath: Sendable, Hashable {
    /// The name of the entity whose objects were read.
    public var entity: String
    /// The name of the property.
    public var property: String
    /// The path from the object to the value.
    public var path: String
    /// The number of objects in which it was looked for.
    public var objectCount: Int
  }

  /// A key of the document that no property reads, or whose value is of a kind that none reads; keys below it are not
  /// listed.
  public struct UnreadKey: Sendable, Hashable {
    /// The path at which the key was found first.
    public var path: String
    /// The key; `[*]` for the elements of an array.
    public var key: String
    /// The kind of value that nothing reads there, such as `an array`, if other kinds are read; else nil.
    public var found: String?
    /// The name of the entity in whose objects it occurs; nil on the way to a root.
    public var entity: String?
    /// The number of its occurrences.
    public var count: Int
    /// The location of its first occurrence.
    public var location: SourceLocation
    /// A similar key that the model's paths name there; nil if there is none.
    public var nearest: String?
  }

  /// The most keys that are listed.
  package static let keyLimit = 1_000

  /// The paths at which no value was found, by entity and property in the order of the model.
  ///
  /// Entities without objects are not among them.
  public var unfoundPaths: [UnfoundPath] = []
  /// The entities that the import could have found, but for which there were no objects.
  public var unfoundEntities: [String] = []
  /// The unread keys, the most frequent first, up to 1,000.
  public var unreadKeys: [UnreadKey] = []
  /// The number of occurrences of unread keys in the document, those of unlisted keys included.
  public var unreadKeyCount = 0
}

extension ImportCoverage.UnfoundPath: CustomStringConvertible {
  /// Such as `Tweet.text: "txt" was found in none of 20 objects`.
  public var description: String {
    "\(entity).\(property): \"\(path)\" was found in none of"
      + " \(objectCount) object\(objectCount == 1 ? "" : "s")"
  }
}

extension ImportCoverage.UnreadKey: CustomStringConvertible {
  /// Place, path, key and the likely intended key, such as
  /// `3:5: $[0].txt: nothing reads "txt", found 20 times, did you mean "text"?`.
  public var description: String {
    "\(location): \(path.shortenedPath): nothing reads \(found.map { "\($0) at " } ?? "")\"\(key)\", found \(count)"
      + " time\(count == 1 ? "" : "s")" + (nearest.map { ", did you mean \"\($0)\"?" } ?? "")
  }
}
