import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

@Suite struct `A file that is written as a whole` {
  private static func write(_ text: String, to path: String) throws {
    var output = try OutputFile(for: URL(fileURLWithPath: path))
    try Array(text.utf8).withUnsafeBytes { try output.write($0.bytes) }
    try output.finish()
  }

  private func mode(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
  }

  @Test(arguments: [0o600, 0o640, 0o755, 0o666])
  func `keeps its mode`(mode: Int) throws {
    let file = try TemporaryFile("before")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    try Self.write("after", to: file.path)
    #expect(try String(contentsOf: file.url, encoding: .utf8) == "after")
    #expect(try self.mode(of: file.path) == mode)
  }

  @Test func `keeps its mode where a link leads to it`() throws {
    let file = try TemporaryFile("before")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    let link = file.url.deletingLastPathComponent().appendingPathComponent("link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "document.json")
    try Self.write("after", to: link)
    #expect(try String(contentsOf: file.url, encoding: .utf8) == "after")
    #expect(try mode(of: file.path) == 0o600)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "document.json")
  }

  @Test(.enabled(if: getuid() == 0, "only root can give files away"))
  func `keeps its owner`() throws {
    let file = try TemporaryFile("before")
    #expect(chown(file.path, 12, 34) == 0)
    #expect(chmod(file.path, 0o4750) == 0)
    try Self.write("after", to: file.path)
    var status = stat()
    #expect(stat(file.path, &status) == 0)
    #expect(status.st_uid == 12 && status.st_gid == 34)
    #expect(status.st_mode & 0o7777 == 0o4750)
  }

  @Test func `leaves the old one, and nothing else, where writing is given up`() throws {
    let file = try TemporaryFile("before")
    do {
      let output = try OutputFile(for: file.url)
      try [UInt8](repeating: 0, count: 9).withUnsafeBytes { try output.write($0.bytes) }
    }
    #expect(try String(contentsOf: file.url, encoding: .utf8) == "before")
    let folder = file.url.deletingLastPathComponent().path
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["document.json"])
  }

  @Test(arguments: [false, true])
  func `is written to where it is a FIFO, or leads to one`(isLinked: Bool) throws {
    let file = try TemporaryFile("")
    let folder = file.url.deletingLastPathComponent()
    let fifo = folder.appendingPathComponent("fifo").path
    #expect(mkfifo(fifo, 0o600) == 0)
    let link = folder.appendingPathComponent("link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "fifo")
    let path = isLinked ? link : fifo
    // Both ends wait for each other, so the writer is on a thread of its own.
    Thread.detachNewThread { try? Self.write("through", to: path) }
    let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: fifo))
    #expect(try reader.readToEnd() == Data("through".utf8))
    var status = stat()
    #expect(lstat(fifo, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test func `is written to where it is a device`() throws {
    try Self.write("away", to: "/dev/null")
    var status = stat()
    #expect(lstat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }

  @Test func `that is open already is written where the writing has come to`() throws {
    let file = try TemporaryFile("before ")
    let open = try FileHandle(forWritingTo: file.url)
    try open.seekToEnd()
    try Self.write("after", to: "/dev/fd/\(open.fileDescriptor)")
    #expect(try String(contentsOf: file.url, encoding: .utf8) == "before after")
  }
}
