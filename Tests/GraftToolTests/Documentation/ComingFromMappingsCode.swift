import Foundation
import Graft

@testable import GraftTestSupport

// The pages for those who come from importers whose mapping stands in code.

enum ComingFromKVCParsing: CodeOfPage {
  struct Article: Entity {
    let headline = Attribute<String>("title", transformer: .trim, length: 1...200)
    let publishedAt = Attribute<Date?>("published")
  }

  static func importing(_ data: Data, into store: GraphStore) throws {
    var options = ImportOptions()
    options.mapping = ["Article": ["title": "headline", "published": "publishedAt"]]
    options.hooks["Article"] = ImportHooks(validators: [
      "headline": { value in
        guard case .string(let text) = value else { return value }
        return .string(text.trimmingCharacters(in: .whitespaces))
      }
    ])
    try store.importJSON(entity: "Article", from: data, options: options)
  }
}

enum ComingFromRPJSONMapper: CodeOfPage {
  struct Tweet: Entity {
    let identifier = Attribute<Int64>("id_str")
    let text = Attribute<String>()
    let postedAt = Attribute<Date>("created_at", format: "yyyy-MM-dd")
    let authorName = Attribute<String?>("user.name")
    let longitude = Attribute<Double?>("coordinates[0]")
    let latitude = Attribute<Double?>("coordinates[1]")
  }

  static func importing(_ data: Data, into store: GraphStore) throws {
    var options = ImportOptions()
    options.mapping = [
      "Tweet": [
        "text": "text",
        "id_str": "identifier",
        "created_at": .property("postedAt", format: "yyyy-MM-dd"),
        "user": ["name": "authorName"],
        "coordinates": [0: "longitude", 1: "latitude"],
      ]
    ]
    try store.importJSON(entity: "Tweet", at: "statuses", from: data, options: options)
  }
}

enum ComingFromRestKit: CodeOfPage {
  struct Article: Entity {
    let articleID = Attribute<Int>("id")
    let title = Attribute<String>("meta.title")
    let updated = Attribute<Date?>()
    let author = ToOne<Person>("writer", inverse: \.articles)
    let related = ToMany<Article>("related_ids", reference: .defer)
    static let identity = [\Self.articleID]
    static let options = EntityOptions<Self>(modified: \.updated)
  }

  struct Person: Entity {
    let personID = Attribute<Int>("id")
    let articles = ToMany<Article>(.nowhere)
    static let identity = [\Self.personID]
  }

  static func importing(_ data: Data, into store: GraphStore) throws {
    var options = ImportOptions()
    options.mapping = [
      "Article": ["id": "articleID", "meta": ["title": "title"], "writer": "author"]
    ]
    try store.importJSON(entity: "Article", at: "articles", from: data, options: options)
  }
}
