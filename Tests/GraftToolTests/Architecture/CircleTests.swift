import Foundation
import Testing

@testable import GraftTestSupport

/// Files that mention one another's types, directly or through others, can only be read together.
@Suite struct `Circles of files` {
  private static let limit = 8

  @Test func `are small enough to be read at a time`() {
    let circles = FileGraph(SourceTree.library).circles()
    #expect(circles.filter { $0.count > Self.limit } == [])
  }

  @Test func `are found by the names in code`() {
    let files = [
      SourceFile(path: "Sources/Graft/Store/A.swift", text: "struct A { var b: B }"),
      SourceFile(path: "Sources/Graft/Store/B.swift", text: "struct B { func c() -> C }"),
      SourceFile(path: "Sources/Graft/Store/C.swift", text: "struct C { let a: A.Part }"),
      SourceFile(path: "Sources/Graft/Store/D.swift", text: "struct D { let a: A, c: C }"),
      SourceFile(path: "Sources/Graft/Store/E.swift", text: "// D\nstruct E { enum A {} }"),
      SourceFile(path: "Sources/Graft/Model/F.swift", text: "struct F { let a: A }"),
    ]
    let circles = FileGraph(files).circles().filter { $0.count > 1 }
    #expect(circles == [["A", "B", "C"].map { "Sources/Graft/Store/\($0).swift" }])
  }
}

/// The files of rooms, and which of them mention the types of others in the same room: a folder of
/// the core, or another module.
private struct FileGraph {
  private let paths: [String]
  private var mentions: [[Int]] = []

  init(_ files: [SourceFile]) {
    paths = files.map(\.path)
    let topLevel =
      #"(?m)^(?!.*\b(?:file)?private )(?:\S.*?\s)??(?:struct|class|enum|actor|protocol|typealias) ([A-Z]\w*)"#
    let local = #"\b(?:struct|class|enum|actor|protocol|typealias|associatedtype) ([A-Z]\w*)"#
    var owners: [String: [Int]] = [:]
    for (number, file) in files.enumerated() {
      for type in file.code.matches(of: topLevel) { owners[type.text, default: []].append(number) }
    }
    mentions = files.enumerated().map { number, file in
      let own = Set(file.code.matches(of: local).map(\.text))
      let names = Set(file.code.matches(of: #"(?<![.\w])([A-Z]\w*)"#).map(\.text))
      return names.subtracting(own).compactMap { name in
        guard let found = owners[name], found.count == 1 else { return nil }
        return found[0] != number && Self.room(of: files[found[0]]) == Self.room(of: file)
          ? found[0] : nil
      }
    }
  }

  private static func room(of file: SourceFile) -> ArraySlice<String> {
    let folders = file.path.components(separatedBy: "/")
    return folders.prefix(folders[1] == "Graft" ? 3 : 2)
  }

  /// The strongly connected parts, by Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972).
  func circles() -> [[String]] {
    var search = Search(mentions: mentions)
    for file in paths.indices { search.visit(file) }
    return search.circles.map { $0.map { paths[$0] }.sorted() }
  }

  private struct Search {
    let mentions: [[Int]]
    var circles: [[Int]] = []
    private var order: [Int: Int] = [:]
    private var lowest: [Int: Int] = [:]
    private var open: [Int] = []

    init(mentions: [[Int]]) { self.mentions = mentions }

    mutating func visit(_ file: Int) {
      guard order[file] == nil else { return }
      let number = order.count
      order[file] = number
      lowest[file] = number
      open.append(file)
      for other in mentions[file] {
        let isNew = order[other] == nil
        visit(other)
        guard isNew || open.contains(other) else { continue }
        lowest[file] = min(lowest[file] ?? number, (isNew ? lowest : order)[other] ?? number)
      }
      guard lowest[file] == number, let start = open.firstIndex(of: file) else { return }
      circles.append(Array(open[start...]))
      open.removeSubrange(start...)
    }
  }
}
