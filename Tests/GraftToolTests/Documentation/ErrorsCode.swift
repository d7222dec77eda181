import Foundation
import Graft

@testable import GraftTestSupport

enum UnderstandingErrors: CodeOfPage {
  struct Hero: Entity {
    let id = Attribute<Int>()
    let born = Attribute<Date?>(format: "yyyy-MM-dd")
    static let identity = [\Self.id]
  }

  struct Diary: Entity {
    let day = Attribute<Date>(format: "YYYY-mm-dd")
  }

  static func warnings(_ store: GraphStore) {
    for warning in store.model.warnings { print("warning:", warning) }
  }

  static func importing(_ document: Data, into store: GraphStore) throws {
    do {
      try store.importJSON(Hero.self, at: "heroes", from: document)
    } catch let error as ImportError {
      print(error)
      if error.kind == .wrongType, let place = error.location {
        print("line \(place.line):", error.entity ?? "", error.property ?? "", error.found ?? "")
      }
    }
  }
}
