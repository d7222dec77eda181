import Foundation
import Graft

extension Contestant {
  #if canImport(CYAJL)
  /// Graft's import: typed attributes, relationships, uniquing, and a commit at the end.
  static let importer = Contestant(
    name: "import", title: "Graft, import into a graph", readsChunks: true
  ) { subject in
    try ImportReader(subject: subject, engine: .yajl)
  }
  #endif

  /// Graft's import with the native engine.
  static let nativeImporter = Contestant(
    name: "native", title: "Graft, native engine", readsChunks: true
  ) { subject in
    try ImportReader(subject: subject, engine: .native)
  }

  /// Graft's import with the native engine, with each set of instructions except the fastest of this processor.
  static let slowerImporters = ScanInstructions.allCases.filter { $0.isAvailable && $0 != .best }
    .map { instructions in
      Contestant(
        name: "native-\(instructions)", title: "Graft, native engine, \(instructions)",
        readsChunks: true
      ) { subject in
        try ImportReader(subject: subject, engine: .native, instructions: instructions)
      }
    }
}

private final class ImportReader: DocumentReader {
  private let store: GraphStore
  private let importer: JSONImporter

  /// Returns options that admit long numbers, so that their speed can be measured too.
  private static func options(
    _ engine: ParserOptions.Engine, _ instructions: ScanInstructions
  ) -> ImportOptions {
    var options = ImportOptions()
    options.parser.engine = engine
    options.parser.instructions = instructions
    options.parser.limits.numberBytes = options.parser.limits.tokenBytes
    return options
  }

  init(
    subject: Subject, engine: ParserOptions.Engine, instructions: ScanInstructions = .best
  ) throws {
    let root: (entity: String, path: String?)
    switch subject {
    case .timeline:
      store = GraphStore(model: try TimelineModel.make())
      root = ("Tweet", "statuses")
    case .other(let model, let entity, let path):
      store = GraphStore(model: try GraphModel(contentsOf: URL(fileURLWithPath: model)))
      root = (entity, path)
    case .mapped(let model, let entity, let path):
      store = GraphStore(model: model)
      root = (entity, path)
    }
    importer = try store.makeImporter(
      entity: root.entity, at: root.path, options: Self.options(engine, instructions))
  }

  func read(_ bytes: Data) throws {
    try importer.parse(bytes)
  }

  func finish() throws {
    let report = try importer.finish()
    guard report.roots.contains(where: { $0.objects > 0 }) else {
      throw ContestantError(description: "the import found no objects")
    }
  }
}

/// The model of the feed, equal to `Fixtures/schemas/Timeline.xcdatamodeld`.
enum TimelineModel {
  static func make() throws -> GraphModel {
    try GraphModel(entities: [hashtag, tweet, user])
  }

  private static let datePattern = "EEE MMM dd HH:mm:ss Z yyyy"

  private static let hashtag = EntityDescription(
    name: "Hashtag",
    attributes: [attribute("text", .string, isOptional: false)],
    relationships: [inverse("tweets", of: "hashtags", in: "Tweet")],
    userInfo: ["identityAttributes": "text"]
  )

  private static let tweet = EntityDescription(
    name: "Tweet",
    attributes: [
      attribute("createdAt", .date, at: "created_at", format: datePattern),
      attribute("favoriteCount", .integer32, at: "favorite_count", default: .integer(0)),
      attribute("identifier", .integer64, at: "id_str", isOptional: false),
      attribute("language", .string, at: "lang"),
      attribute("retweetCount", .integer32, at: "retweet_count", default: .integer(0)),
      attribute("text", .string, isOptional: false),
    ],
    relationships: [
      relationship("author", "User", inverse: "tweets", at: "user"),
      relationship(
        "hashtags", "Hashtag", inverse: "tweets", at: "entities.hashtags", isToMany: true),
      relationship("original", "Tweet", inverse: "retweets", at: "retweeted_status"),
      inverse("retweets", of: "original", in: "Tweet"),
    ],
    userInfo: ["identityAttributes": "identifier"]
  )

  private static let user = EntityDescription(
    name: "User",
    attributes: [
      attribute("followersCount", .integer32, at: "followers_count", default: .integer(0)),
      attribute("identifier", .integer64, at: "id_str", isOptional: false),
      attribute("isVerified", .boolean, at: "verified", default: .boolean(false)),
      attribute("joinedAt", .date, at: "created_at", format: datePattern),
      attribute("name", .string),
      attribute("screenName", .string, at: "screen_name", isOptional: false),
    ],
    relationships: [inverse("tweets", of: "author", in: "Tweet", deleteRule: .cascade)],
    userInfo: ["identityAttributes": "identifier"]
  )

  private static func attribute(
    _ name: String, _ type: AttributeType, at path: String? = nil, isOptional: Bool = true,
    default value: AttributeValue? = nil, format: String? = nil
  ) -> AttributeDescription {
    var userInfo: [String: String] = [:]
    userInfo["JSONKeyPath"] = path
    userInfo["JSONDateFormat"] = format
    return AttributeDescription(
      name: name, type: type, isOptional: isOptional && value == nil, defaultValue: value,
      userInfo: userInfo)
  }

  private static func relationship(
    _ name: String, _ destination: String, inverse: String, at path: String, isToMany: Bool = false
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, inverse: inverse, isToMany: isToMany,
      isOrdered: isToMany, userInfo: ["JSONKeyPath": path])
  }

  /// Returns the inverse of a relationship, which the JSON does not contain.
  private static func inverse(
    _ name: String, of relationship: String, in entity: String, deleteRule: DeleteRule = .nullify
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: entity, inverse: relationship, isToMany: true,
      deleteRule: deleteRule, userInfo: ["JSONKeyPath": "-"])
  }
}
