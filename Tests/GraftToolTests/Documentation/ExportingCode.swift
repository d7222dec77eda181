import Foundation
import Graft
import GraftExport

@testable import GraftTestSupport

enum ExportingJSON: CodeOfPage {
  struct Tweet: Entity {
    let id = Attribute<Int64>()
    let text = Attribute<String>()
    let language = Attribute<String?>("meta.lang")
    let author = ToOne<User>("user", inverse: \.tweets)
    static let identity = [\Self.id]
  }

  struct User: Entity {
    let name = Attribute<String>()
    let tweets = ToMany<Tweet>()
    static let identity = [\Self.name]
  }

  static func exported(_ store: GraphStore, to file: URL) throws -> (one: Data?, all: Data) {
    let exporter = try JSONExporter(model: store.model)
    let graph = store.graph
    let tweet = try graph.object(Tweet.self, id: 1)
    let one = try tweet.map { try exporter.data(.object($0)) }
    let all = try exporter.data(.entity(Tweet.self, of: graph))
    try exporter.write(.graph(graph), to: file)
    return (one, all)
  }

  static func reported(_ store: GraphStore, _ exporter: JSONExporter) throws -> Data {
    var report = ExportReport()
    let written = try exporter.data(.graph(store.graph), report: &report)
    for loss in report.losses { print(loss) }
    return written
  }

  static func brief(_ store: GraphStore) throws -> JSONExporter {
    var options = ExportOptions()
    options.write(\Tweet.author, as: .identifier)
    options.depth = 2
    options.writesNull = false
    options.isPretty = true
    options.keyOrder = .sorted
    let brief = try JSONExporter(model: store.model, options: options)
    return brief
  }
}
