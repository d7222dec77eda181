import Testing

@Suite struct `The rooms of the library` {
  @Test(arguments: Room.all)
  func `mention only types of rooms that they may know`(_ room: Room) {
    #expect(room.trespasses(in: SourceTree.library) == [])
  }

  @Test func `hold every file of the library`() {
    let homeless = SourceTree.library.filter { file in
      !Room.all.contains { !$0.files(in: [file]).isEmpty }
    }
    #expect(!SourceTree.library.isEmpty)
    #expect(homeless.map(\.path) == [])
  }

  @Test func `leave CYAJL to Parsing`() {
    let importing = SourceTree.library.filter { file in
      !file.places { $0.contains("import CYAJL") }.isEmpty
    }
    #expect(importing.map(\.path).filter { !$0.hasPrefix("Sources/Graft/Parsing/") } == [])
  }

  @Test func `neither print nor exit nor read arguments`() {
    let forbidden: Set = [
      "print", "debugPrint", "exit", "abort", "readLine", "CommandLine", "standardOutput",
      "standardError",
    ]
    let places = SourceTree.library.flatMap { file in
      file.places { code in
        code.split { !($0.isLetter || $0.isNumber || $0 == "_") }
          .contains { forbidden.contains(String($0)) }
      }
    }
    #expect(places == [])
  }
}

@Suite struct `The search for trespasses` {
  private static let files = [
    SourceFile(path: "Sources/Graft/Store/Graph.swift", text: "public struct Graph: Sendable {}"),
    SourceFile(
      path: "Sources/Graft/Model/Entity.swift",
      text: """
        // Graph may be named in a comment.
        struct Entity {
          let note = "Graph, or \\(Graph.self)"
        }
        private struct Hidden {}
        """),
  ]

  @Test func `finds a type of a room that must not be known`() throws {
    let model = try #require(Room.all.first { $0.name == "Model" })
    #expect(
      model.trespasses(in: Self.files)
        == ["Sources/Graft/Model/Entity.swift:3: Graph of room Store"])
  }

  @Test func `lets a room mention those below it`() throws {
    let store = try #require(Room.all.first { $0.name == "Store" })
    let user = SourceFile(
      path: "Sources/Graft/Store/Row.swift", text: "let entity: Entity\nlet hidden: Hidden")
    #expect(store.trespasses(in: Self.files + [user]) == [])
  }
}
