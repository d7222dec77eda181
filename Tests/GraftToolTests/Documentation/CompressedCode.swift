import Foundation
import Graft
import GraftZstd

@testable import GraftTestSupport

enum CompressedDocuments: CodeOfPage {
  struct Tweet: Entity {
    let id = Attribute<Int64>("id_str")
    let text = Attribute<String>()
    static let identity = [\Self.id]
  }

  static func importing(from url: URL, into store: GraphStore) async throws {
    let source = ImportSource.url(url).decompressing(.zstd)
    try await store.importJSON(Tweet.self, at: "statuses", from: source)
  }

  static func source(_ url: URL) -> ImportSource {
    var source = ImportSource.url(url)
    source.decompression.ratioLimit = 10_000
    return source
  }
}
