import Foundation
import Graft

@testable import GraftTestSupport

enum ChoosingAnEngine: CodeOfPage {
  struct Tweet: Entity {
    let id = Attribute<Int64>("id_str")
    let text = Attribute<String>()
    static let identity = [\Self.id]
  }

  static func importing(from url: URL, into store: GraphStore) async throws -> ImportReport {
    var options = ImportOptions()
    options.parser.engine = .native
    let report = try await store.importJSON(Tweet.self, at: "statuses", from: url, options: options)
    return report
  }
}
