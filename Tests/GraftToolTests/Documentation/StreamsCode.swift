import Foundation
import Graft

@testable import GraftTestSupport

enum StreamsOfDocuments: CodeOfPage {
  struct Message: Entity {
    let id = Attribute<Int>()
    let text = Attribute<String>()
    static let identity = [\Self.id]
  }

  static func importing(from url: URL, into store: GraphStore) async throws {
    var options = ImportOptions()
    options.parser.format = .serverSentEvents
    options.parser.endMarker = "[DONE]"
    try await store.importJSON(Message.self, from: url, options: options)
  }
}
