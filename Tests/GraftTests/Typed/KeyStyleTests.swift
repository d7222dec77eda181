import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

/// Keys of typed entities that are spelled in another style than the properties.
@Suite struct `Keys in snake_case` {
  struct Media: Entity {
    let mediaID = Attribute<Int>()
    let altText = Attribute<String?>()
    let ownerName = Attribute<String?>("owner.display_name")
    let note = Attribute<String?>(.nowhere)
    let seenBy = ToMany<Viewer>()
    static let identity = [\Self.mediaID]
    static let options = EntityOptions<Self>(keys: .snakeCase, subentities: [Video.self])
  }

  struct Video: Entity {
    typealias Superentity = Media
    let frameRate = Attribute<Double?>()
  }

  struct Viewer: Entity {
    let firstName = Attribute<String>()
    static let identity = [\Self.firstName]
  }

  struct Plain: Entity {
    typealias Superentity = Media
    let frameRate = Attribute<Double?>()
    static let options = EntityOptions<Self>(keys: .asNamed)
  }

  @Test(arguments: [
    ("name", nil), ("createdAt", "created_at"), ("userID", "user_id"), ("userIDs", "user_ids"),
    ("profileImageURL", "profile_image_url"), ("URLOfImage", "url_of_image"),
    ("created_at", nil), ("_id", nil), ("_nextPage", "_next_page"), ("page2Count", "page2_count"),
  ])
  func `are made of the words of a name`(name: String, key: String?) {
    #expect(KeyStyle.snakeCase.path(ofProperty: name) == key.map { JSONPaths([$0]) })
    #expect(KeyStyle.asNamed.path(ofProperty: name) == nil)
  }

  @Test func `hold where no path is given, for the entities below too`() throws {
    let model = try GraphModel(for: Video.self, Plain.self)
    #expect(try model.paths("Media", "mediaID") == ["media_id"])
    #expect(try model.paths("Media", "seenBy") == ["seen_by"])
    #expect(try model.paths("Media", "ownerName") == ["owner.display_name"])
    #expect(try model.paths("Media", "note") == [])
    #expect(try model.paths("Video", "frameRate") == ["frame_rate"])
    #expect(try model.paths("Video", "altText") == ["alt_text"])
    #expect(try model.paths("Plain", "frameRate") == ["frameRate"])
    #expect(try model.paths("Viewer", "firstName") == ["firstName"])
  }

  @Test func `are read and written`() throws {
    let json =
      #"{"media_id":1,"alt_text":"a","frame_rate":24.5,"owner":{"display_name":"o"},"#
      + #""seen_by":[{"firstName":"Ada"}]}"#
    let store = try GraphStore(for: Video.self)
    try store.importJSON(Video.self, from: Data(json.utf8))
    let video = try #require(store.graph.objects(Video.self).first)
    #expect(video.mediaID == 1 && video.altText == "a" && video.frameRate == 24.5)
    let written = try JSONExporter(model: store.model).data(.object(video))
    let again = try GraphStore(for: Video.self)
    try again.importJSON(Video.self, from: written)
    #expect(again.graph.canonicalJSON() == store.graph.canonicalJSON())
    #expect(String(decoding: written, as: UTF8.self).contains(#""frame_rate":24.5"#))
  }
}
