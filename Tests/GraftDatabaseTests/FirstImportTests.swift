import Foundation
import GraftPostgres
import GraftSQLite
import Synchronization
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// Several that make the tables of one database at the same time.
@Suite(.waits) struct `Several first imports at once` {
  private static func model() throws -> GraphModel {
    try GraphModel(
      entities: (0..<8).map { number in
        .make(
          "E\(number)", [.make("name"), .make("text")],
          [.make("others", to: "E\((number + 1) % 8)", many: true)])
      }, dialect: .graft)
  }

  @Test(arguments: DatabaseKind.present, 0..<3)
  func `all end well`(kind: DatabaseKind, round: Int) async throws {
    let place = try TrialDatabase(kind)
    let errors = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 6) { number in
      do {
        let database = try place.open(Self.model())
        let importer = try database.makeImporter([ImportRoot("E\(number)")])
        try importer.parse(Data(#"[{"id": \#(number), "name": "n", "others": [1, 2]}]"#.utf8))
        _ = try importer.finish()
      } catch {
        errors.withLock { $0.append("\(error)") }
      }
    }
    #expect(errors.withLock { $0 } == [])
    let graph = try await place.openAgain().graph()
    for number in 0..<6 {
      #expect(
        try graph.object("E\(number)", identifiedBy: ["id": .integer(Int64(number))])?["name"]
          == .string("n"))
    }
    #expect(try place.faults() == [])
  }

  @Test(.enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
  func `of processes into one new file all end well`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = folder.appending(path: "model.json")
    try SchemaFileWriter.text(of: Self.model().entities, dialect: .graft)
      .write(to: model, atomically: true, encoding: .utf8)
    for _ in 0..<3 {
      let file = TemporaryDatabase()
      let processes = try (0..<5).map { number in
        let document = folder.appending(path: "\(number).json")
        try #"[{"id": \#(number), "name": "n", "others": [1, 2]}]"#
          .write(to: document, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = GraftTool.executable
        process.arguments = [
          "import", "--model", model.path, "--into", file.url.path, "--output", "none",
          "E\(number)=\(document.path)",
        ]
        return process
      }
      for process in processes { try process.run() }
      for process in processes { process.waitUntilExit() }
      #expect(processes.map(\.terminationStatus) == [0, 0, 0, 0, 0])
      let graph = try await GraphDatabase(contentsOf: file.url).graph()
      #expect(try (0..<5).allSatisfy { try graph.objects("E\($0)").contains { $0["name"] != nil } })
      #expect(try file.integrityFaults() == [])
    }
  }
}
