import Foundation
import Graft

@testable import GraftTestSupport

enum ConcurrencyAndSnapshots: CodeOfPage {
  struct Tweet: Entity {
    let id = Attribute<Int64>()
    let text = Attribute<String>()
    let retweets = Attribute<Int>(default: 0)
    static let identity = [\Self.id]
  }

  static func snapshots(_ store: GraphStore) throws {
    let before = store.graph
    let tweet = try before.object(Tweet.self, id: 1)
    try store.write { graph in
      try graph.object(Tweet.self, id: 1)?.text = "Corrected"
    }
    let after = try store.graph.object(Tweet.self, id: 1)
    print(tweet?.text ?? "", "→", after?.text ?? "")
  }

  static func imports(_ documents: [Data], into store: GraphStore) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for document in documents {
        group.addTask { try store.importJSON(Tweet.self, at: "statuses", from: document) }
      }
      try await group.waitForAll()
    }
  }

  /// A button of a user interface.
  struct Button {
    func onClick(_ action: @escaping @Sendable () -> Void) {}
  }

  static func cancellable(
    _ file: URL, into store: GraphStore, _ button: Button
  ) async throws -> ImportReport {
    let importing = Task {
      try await store.importJSON(Tweet.self, at: "statuses", from: .url(file)) { progress in
        print("\(Int(100 * (progress.fractionCompleted ?? 0))) %")
      }
    }
    button.onClick { importing.cancel() }
    let report = try await importing.value
    return report
  }

  static func news(since seen: Graph, in store: GraphStore) -> [Object<Tweet>] {
    let before = Set(seen.objects(Tweet.self))
    let news = store.graph.objects(Tweet.self).filter { !before.contains($0) }
    return news
  }

  @MainActor static func observed(_ store: GraphStore) -> ObservedObjects<Object<Tweet>> {
    let popular = ObservedObjects(
      Tweet.self, in: store, where: { $0.retweets > 100 }, sortedBy: { $0.retweets > $1.retweets })
    return popular
  }
}
