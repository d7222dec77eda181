import Foundation
import Graft
import Testing

@testable import GraftTestSupport

private struct Media: Entity {
  let id = Attribute<Int>()
  let title = Attribute<String>()
  let owner = ToOne<Owner>(inverse: \.media)
  static let identity = [\Self.id]
  static let options = EntityOptions<Self>(
    isAbstract: true, subentities: [Photo.self, Video.self], discriminator: "type")
}

private struct Photo: Entity {
  typealias Superentity = Media
  let width = Attribute<Int>()
  static let options = EntityOptions<Self>(discriminatorValue: "photo")
}

private struct Video: Entity {
  typealias Superentity = Media
  let duration = Attribute<Double>()
  static let options = EntityOptions<Self>(discriminatorValue: "video")
}

private struct Owner: Entity {
  let name = Attribute<String>()
  let media = ToMany<Media>()
  static let identity = [\Self.name]
}

@Suite struct `Typed entities below another` {
  private func store() throws -> GraphStore {
    let store = try GraphStore(for: Owner.self)
    let document = """
      {"name": "Ada", "media": [
        {"id": 1, "title": "Beach", "width": 640, "type": "photo"},
        {"id": 2, "title": "Waves", "duration": 1.5, "type": "video"}
      ]}
      """
    try store.importJSON(Owner.self, from: Data(document.utf8))
    return store
  }

  @Test func `have what the one above declares`() throws {
    let graph = try store().graph
    let video = try #require(graph.objects(Video.self).first)
    #expect(video.title == "Waves")
    #expect(video.duration == 1.5)
    #expect(video.owner?.name == "Ada")
    #expect(video.id == 2)
  }

  @Test func `have what any above declares, however far`() throws {
    struct Base: Entity {
      let id = Attribute<Int>()
      let next = ToOne<Base>()
      static let identity = [\Self.id]
      static let options = EntityOptions<Self>(subentities: [Middle.self])
    }
    struct Middle: Entity {
      typealias Superentity = Base
      let name = Attribute<String>()
      static let options = EntityOptions<Self>(subentities: [Leaf.self])
    }
    struct Leaf: Entity {
      typealias Superentity = Middle
      let size = Attribute<Double>()
    }
    let store = try GraphStore(for: Leaf.self)
    let document = #"{"id": 1, "name": "a", "size": 2, "next": {"id": 2}}"#
    try store.importJSON(Leaf.self, from: Data(document.utf8))
    let leaf = try #require(store.graph.objects(Leaf.self).first)
    #expect(leaf.id == 1 && leaf.name == "a" && leaf.size == 2 && leaf.next?.id == 2)
    #expect(store.graph.objects(Leaf.self).where(\.id, equals: 1).count == 1)
    try store.write { graph in
      let leaf = try #require(graph.objects(Leaf.self).first { _ in true })
      leaf.name += "b"
      leaf.next = nil
    }
    #expect(store.graph.objects(Leaf.self).map(\.name) == ["ab"])
  }

  @Test func `are among the objects of the one above`() throws {
    let graph = try store().graph
    #expect(graph.objects(Media.self).map(\.title) == ["Beach", "Waves"])
    #expect(graph.count(of: Media.self) == 2)
    #expect(graph.count(of: Photo.self) == 1)
  }

  @Test func `are told apart by a cast`() throws {
    let owner = try #require(try store().graph.objects(Owner.self).first)
    let media = try #require(owner.media.first)
    #expect(media.entityName == "Photo")
    #expect(media.as(Photo.self)?.width == 640)
    #expect(media.as(Video.self) == nil)
    #expect(media.as(Photo.self)?.as(Media.self) == media)
  }

  @Test func `are found by the identity of the one above`() throws {
    let graph = try store().graph
    #expect(try graph.object(Media.self, id: 2)?.title == "Waves")
    #expect(try graph.object(Video.self, id: 2)?.duration == 1.5)
    #expect(try graph.object(Video.self, id: 1) == nil)
  }
}
