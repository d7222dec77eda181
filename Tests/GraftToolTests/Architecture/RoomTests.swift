import Foundation
import Testing

@testable import GraftTestSupport

private typealias Rooms = [(name: String, mayMention: Set<String>)]

/// The folders of the module Graft, and the rooms whose types each may mention; the compiler keeps the walls of modules.
private let rooms: Rooms = [
  ("Support", []),
  ("Model", ["Support"]),
  ("Parsing", ["Support"]),
  ("ModelFiles", ["Support", "Model", "Parsing"]),
  ("Store", ["Support", "Model"]),
  ("Import", ["Support", "Model", "Store", "Parsing"]),
  // Its methods belong to the store, and they call the import's API.
  ("Sources", ["Support", "Import", "Model", "Parsing", "Store"]),
]

/// The folders of GraftInference; the files beside them may mention all.
private let roomsOfInference: Rooms = [
  ("Names", []),
  ("Survey", ["Names"]),
  ("Analysis", ["Names", "Survey"]),
  ("Verification", ["Names", "Survey", "Analysis"]),
]

@Suite struct `The rooms of the library` {
  @Test func `mention only types of rooms that they may know`() {
    #expect(!SourceTree.core.isEmpty)
    #expect(trespasses(in: SourceTree.core, rooms) == [])
  }

  @Test func `of inference mention only types of those before them`() {
    let files = SourceTree.library.filter { $0.path.hasPrefix("Sources/GraftInference/") }
    #expect(Set(roomsOfInference.map(\.name)).isSubset(of: files.map(\.room)))
    #expect(trespasses(in: files, roomsOfInference) == [])
  }

  @Test func `hold every file of the library`() {
    let names = Set(rooms.map(\.name))
    #expect(SourceTree.core.filter { !names.contains($0.room) }.map(\.path) == [])
  }

  @Test(arguments: ["CYAJL", "CScan"])
  func `leave what reads JSON to Parsing`(module: String) {
    let importing = SourceTree.library.filter { $0.code.contains("import \(module)") }
    #expect(importing.filter { $0.room != "Parsing" }.map(\.path) == [])
  }

  @Test func `leave the web's lists to GraftHTTP, which only the command takes besides`() throws {
    let users = SourceTree.everything.filter {
      $0.path.hasPrefix("Sources/") && $0.code.contains("import GraftHTTP")
    }
    #expect(!users.isEmpty && users.allSatisfy { $0.path.hasPrefix("Sources/graft-cli/") })
    // An app that takes the product Graft gets the targets of that product, and what they depend on.
    let manifest = try String(
      contentsOf: SourceTree.root.appending(path: "Package.swift"), encoding: .utf8)
    let list = manifest[try #require(manifest.firstRange(of: "  targets: [\n")).upperBound...]
    let targets = list.split(separator: /\.(?:target|testTarget|executableTarget)\(/)
    let dependents = targets.dropFirst().filter { $0.contains("\"GraftHTTP\"") }
    let names = dependents.compactMap { text in
      text.firstMatch(of: /name: "([^"]+)"/).map { String($0.1) }
    }
    #expect(
      Set(names).subtracting(["GraftHTTP", "graft-cli", "GraftHTTPTests", "GraftToolTests"]) == [])
    #expect(names.contains("graft-cli"))
  }

  @Test func `neither print nor exit nor read arguments`() {
    let pattern =
      #"\b(print|debugPrint|exit|abort|readLine|CommandLine|standardOutput|standardError)\b"#
    let places = SourceTree.library.flatMap { file in
      file.code.matches(of: pattern).map { "\(file.place(of: $0.range)): \($0.text)" }
    }
    #expect(places == [])
  }

  @Test func `are told apart by the names in code, not in comments and strings`() {
    let files = [
      SourceFile(
        path: "Sources/Graft/Store/Graph.swift",
        text: "@frozen public struct Graph: Sendable {}\n\npublic struct Row {}"),
      SourceFile(
        path: "Sources/Graft/Model/Entity.swift",
        text: #"""
          // Graph may be named in a comment.
          struct Entity {
            let note = "a \"Graph\"", quote = """
              A Graph, or \(Graph.self)
              """
            let member = Entity.Row
            let row: Row? = .Graph  // Graph
          }
          private struct Hidden {}
          """#),
      SourceFile(
        path: "Sources/Graft/Store/Row.swift", text: "let entity: Entity\nlet hidden: Hidden"),
    ]
    #expect(
      trespasses(in: files, rooms) == [
        "Sources/Graft/Model/Entity.swift:4: Graph of Store",
        "Sources/Graft/Model/Entity.swift:7: Row of Store",
      ])
  }
}

/// Mentions of types of a room that the mentioning room must not know.
private func trespasses(in files: [SourceFile], _ rooms: Rooms) -> [String] {
  let declaration =
    #"(?m)^(?!.*\b(?:file)?private )(?:\S.*?\s)??(?:struct|class|enum|actor|protocol|typealias) ([A-Z]\w*)"#
  var owners: [String: String] = [:]
  for file in files {
    for type in file.code.matches(of: declaration) { owners[type.text] = file.room }
  }
  return files.flatMap { file -> [String] in
    guard let known = rooms.first(where: { $0.name == file.room })?.mayMention.union([file.room])
    else { return [] }
    let nested = Set(file.code.matches(of: #"\b(?:struct|class|enum) ([A-Z]\w*)"#).map(\.text))
    return file.code.matches(of: #"(?<![.\w])([A-Z]\w*)"#).compactMap { name -> String? in
      guard let owner = owners[name.text], !known.contains(owner), !nested.contains(name.text)
      else { return nil }
      return "\(file.place(of: name.range)): \(name.text) of \(owner)"
    }
  }
}
