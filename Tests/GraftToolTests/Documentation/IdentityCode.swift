import Foundation
import Graft

@testable import GraftTestSupport

enum IdentityAndUniquing: CodeOfPage {
  struct Person: Entity {
    let name = Attribute<String>()
    let friends: ToMany<Person> = ToMany(inverse: \.friends)
    let boss = ToOne<Person>(inverse: \.staff)
    let staff = ToMany<Person>(.nowhere)
    static let identity = [\Self.name]
  }

  struct Track: Entity {
    let album = Attribute<String>()
    let number = Attribute<Int>("track_no")
    let title = Attribute<String?>()
    let artist = ToOne<Artist>(inverse: \.tracks)
    static let identity = [\Self.album, \Self.number]
  }

  struct Artist: Entity {
    let handle = Attribute<String>()
    let name = Attribute<String>()
    let tracks = ToMany<Track>()
    let influences = ToMany<Artist>()
    static let identity = [\Self.handle]
  }

  static func stubs(_ store: GraphStore, _ document: Data) throws {
    let report = try store.importJSON(Artist.self, from: document)
    print(report.unfilledStubCount, "stub")
    if let artist = store.graph.objects(Artist.self).first(where: \.isStub) {
      print(artist.handle, "is known by name only")
    }
  }

  static func found(_ store: GraphStore) throws -> (Object<Track>?, Object<Artist>?) {
    let graph = store.graph
    let track = try graph.object(Track.self, identifiedBy: (\.album, "Blue"), (\.number, 3))
    let artist = try graph.object(Artist.self, id: "joni")
    return (track, artist)
  }
}
