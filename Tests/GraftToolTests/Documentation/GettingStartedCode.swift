import Foundation
import Graft
import GraftExport

@testable import GraftTestSupport

enum GettingStarted: CodeOfPage {
  struct Show: Entity {
    let id = Attribute<Int>()
    let title = Attribute<String>()
    let hosts = ToMany<Host>(inverse: \.shows)
    let episodes = ToManyOrdered<Episode>(inverse: \.show, deleteRule: .cascade)
    static let identity = [\Self.id]
  }

  struct Episode: Entity {
    let id = Attribute<Int>()
    let title = Attribute<String>()
    let published = Attribute<Date>(format: "yyyy-MM-dd")
    let plays = Attribute<Int>("stats.plays", default: 0)
    let show = ToOne<Show>(.nowhere)
    static let identity = [\Self.id]
  }

  struct Host: Entity {
    let handle = Attribute<String>()
    let name = Attribute<String>()
    let shows = ToMany<Show>(.nowhere)
    static let identity = [\Self.handle]
  }

  static func files() -> [URL] {
    let feed = URL(filePath: "feed.json")
    let later = URL(filePath: "later.json")
    let broken = URL(filePath: "broken.json")
    return [feed, later, broken]
  }

  static func importing(_ feed: URL) async throws -> GraphStore {
    let store = try GraphStore(for: Show.self)
    let report = try await store.importJSON(Show.self, at: "shows", from: feed)
    print("\(report.insertedCount) objects are new")
    return store
  }

  static func reading(_ store: GraphStore) throws -> Graph {
    let graph = store.graph
    for episode in graph.objects(Episode.self).ordered(by: \.published, .reverse) {
      print(episode.title, "of", episode.show?.title ?? "no show", "has", episode.plays, "plays")
    }
    if let ada = try graph.object(Host.self, id: "ada") {
      print(ada.name, "hosts", ada.shows.map(\.title).joined(separator: " and "))
    }
    return graph
  }

  static func updating(_ store: GraphStore, _ graph: Graph, from later: URL) async throws {
    let update = try await store.importJSON(Show.self, at: "shows", from: later)
    for count in update.entities {
      print("\(count.entity): \(count.inserted) inserted, \(count.updated) updated")
    }
    let (then, now) = (graph.count(of: Episode.self), store.graph.count(of: Episode.self))
    print(then, "episodes then,", now, "now")
  }

  static func failing(_ store: GraphStore, from broken: URL) async throws {
    do {
      try await store.importJSON(Show.self, at: "shows", from: broken)
    } catch let error as ImportError {
      print("broken.json:\(error)")
    }
  }

  static func passingOver(_ store: GraphStore, from broken: URL) async throws {
    var options = ImportOptions()
    options.errorPolicy = .skipObject
    let partial = try await store.importJSON(Show.self, at: "shows", from: broken, options: options)
    print(partial.insertedCount, "inserted;", partial.issueCount, "skipped:", partial.issues[0])
  }

  static func writing(_ store: GraphStore) throws {
    try store.write { graph in
      let show = try graph.findOrInsert(Show.self, id: 2)
      let episode = try graph.insert(Episode.self) { episode in
        episode.id = 202
        episode.title = "Whales"
        episode.published = Date(timeIntervalSince1970: 1_778_457_600)
      }
      show.episodes.append(episode)
    }
  }

  static func observing(_ store: GraphStore) async throws {
    let changes = store.changes(of: Episode.self)
    try store.write { graph in
      try graph.object(Episode.self, id: 101)?.plays += 1
    }
    for await change in changes {
      for episode in change.updated(Episode.self) {
        print(episode.title, "has", episode.plays, "plays")
      }
      break
    }
  }

  static func exporting(_ store: GraphStore) throws {
    if let show = try store.graph.object(Show.self, id: 2) {
      var options = ExportOptions()
      options.isPretty = true
      let exporter = try JSONExporter(model: store.model, options: options)
      let json = try exporter.data(.object(show))
      print(String(decoding: json, as: UTF8.self))
    }
  }
}
