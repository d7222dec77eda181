#if os(Linux)
import Foundation
import Synchronization
import Testing

@testable import GraftDatabaseTests
@testable import GraftTestSupport

/// The memory of an import of pages, as the system counts it.
@Suite(
  .waits, .timeLimit(.minutes(5)),
  .enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `An import of many pages` {
  private static let pageCount = Seeds.areAllTried ? 1_000 : 100

  /// A page of 100 KB.
  private static func items(_ page: Int) -> String {
    (0..<500).map { number in
      let id = page * 500 + number
      let title = String(repeating: "t\(id) ", count: 20)
      return #"{"id": \#(id), "title": "\#(title)"}"#
    }.joined(separator: ",")
  }

  private static let model = """
    {"entities": [{"name": "Issue", "userInfo": {"identityAttributes": "id"}, "attributes": [
      {"name": "id", "type": "Integer 64"}, {"name": "title", "type": "String"}]}]}
    """

  @Test func `takes the memory of one`() throws {
    let bodies = Mutex<[Int: String]>([:])
    let server = try LoopbackServer { request in
      let page = Int(request.target.split(separator: "=").last ?? "") ?? 0
      // Pages are alike in size, and made once: the tests run in the process of the server.
      let body = bodies.withLock { bodies in
        if let body = bodies[page] { return body }
        if bodies.count > 2 { bodies = [:] }
        let body = Self.items(page)
        bodies[page] = body
        return body
      }
      let next = page + 1 < Self.pageCount ? ["Link: </issues?page=\(page + 1)>; rel=next"] : []
      return [.answer("[\(body)]", headers: next)]
    }
    let model = try TemporaryFile(Self.model, name: "model.json")
    func peak(_ pageLimit: Int) throws -> Int {
      let file = TemporaryDatabase()
      let process = Process()
      process.executableURL = GraftTool.executable
      process.arguments = [
        "import", "--model", model.path, "--into", file.url.path, "--pages", "link", "--max-pages",
        "\(pageLimit)", "--output", "none", "Issue=\(server.url("issues?page=0").absoluteString)",
      ]
      process.standardError = FileHandle.nullDevice
      try process.run()
      var most = 0
      while process.isRunning {
        most = max(most, Self.peakMemory(of: process.processIdentifier) ?? 0)
        Thread.sleep(forTimeInterval: 0.002)
      }
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      #expect(try file.rows("SELECT count(*) FROM Issue") == ["\(pageLimit * 500)"])
      return most
    }
    let (few, many) = (try peak(5), try peak(Self.pageCount))
    #expect(few > 0 && many < few + (12 << 20), "\(few) and \(many) bytes")
  }

  /// The peak of a process's memory in bytes.
  private static func peakMemory(of process: Int32) -> Int? {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
      .map { $0 << 10 }
  }
}
#endif
