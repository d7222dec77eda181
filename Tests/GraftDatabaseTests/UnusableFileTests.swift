import CFaultyFiles
import CSQLite
import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftSQLite
@testable import GraftTestSupport

/// A file that cannot be opened or written is left as it is, and the error names the reason.
@Suite struct `A file that cannot be used as a database` {
  private let model: GraphModel
  private let file = TemporaryDatabase()
  private static let text = #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#

  init() throws {
    model = try GraphModel(entities: [.make("Thing", [.make("name")])], dialect: .graft)
  }

  private func fill() throws {
    try load(GraphDatabase(model: model, at: file.url), Self.text)
  }

  private func load(_ database: GraphDatabase, _ text: String) throws {
    let importer = try database.makeImporter([ImportRoot("Thing")])
    try importer.parse(Data(text.utf8))
    _ = try importer.finish()
  }

  private func error(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  /// The error of opening the file, with its name left out; the file's bytes must stay as they are.
  private func errorOfOpening() throws -> String {
    let before = try Data(contentsOf: file.url)
    let text = error { _ = try GraphDatabase(model: model, at: file.url) }
    #expect(try Data(contentsOf: file.url) == before)
    #expect(error { _ = try GraphDatabase(contentsOf: file.url) } != "no error")
    #expect(try Data(contentsOf: file.url) == before)
    #expect(text.contains(file.url.path), "\(text)")
    return text.replacing(file.url.path, with: "FILE")
  }

  @Test func `may be a database of something else`() throws {
    try file.run("CREATE TABLE birds (name TEXT); INSERT INTO birds VALUES ('wren')")
    #expect(
      try errorOfOpening()
        == "FILE: is a database of something else: it has the table \"birds\" and no \"graft_model\";"
        + " name one that is empty or does not exist yet")
    #expect(try file.rows("SELECT name FROM birds") == ["wren"])
    #expect(try file.rows("PRAGMA journal_mode") == ["delete"])
  }

  @Test(arguments: [20, 3000]) func `may be no database`(count: Int) throws {
    try String(repeating: "{\"id\": 1}\n", count: count / 10)
      .write(to: file.url, atomically: true, encoding: .utf8)
    #expect(
      try errorOfOpening().hasSuffix("the file is no database of SQLite; name another one"))
  }

  @Test(arguments: [1, 2, 3]) func `may be truncated`(pages: Int) throws {
    try fill()
    let whole = try Data(contentsOf: file.url)
    try whole.prefix(pages * 4096).write(to: file.url)
    #expect(
      try errorOfOpening().hasSuffix(
        "the database is damaged (database disk image is malformed); restore it from a copy"))
    try whole.write(to: file.url)
    #expect(try GraphDatabase(contentsOf: file.url).count(of: "Thing") == 2)
  }

  @Test(arguments: [2, 15, 16, 50, 99, 100, 511, 1000, 4095])
  func `may be truncated within its first page`(count: Int) throws {
    try fill()
    try Data(contentsOf: file.url).prefix(count).write(to: file.url)
    let text = try errorOfOpening()
    #expect(
      text.hasSuffix("name another one") || text.hasSuffix("restore it from a copy"), "\(text)")
  }

  @Test func `may be damaged in its middle`() throws {
    try fill()
    var bytes = try Data(contentsOf: file.url)
    for index in 4096..<bytes.count { bytes[index] = 0xA5 }
    try bytes.write(to: file.url)
    #expect(
      try errorOfOpening().hasSuffix(
        "the database is damaged (database disk image is malformed); restore it from a copy"))
  }

  @Test func `may not be there, or be no regular file`() throws {
    let text = error { _ = try GraphDatabase(contentsOf: file.url) }
    #expect(
      text
        == "\(file.url.path): cannot open it: there is no such file, or it cannot be read; check its path"
    )
    #expect(!FileManager.default.fileExists(atPath: file.url.path))
    let pipe = file.url.appendingPathExtension("pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    defer { try? FileManager.default.removeItem(at: pipe) }
    for url in [FileManager.default.temporaryDirectory, pipe, URL(filePath: "/dev/null")] {
      #expect(
        error { _ = try GraphDatabase(model: model, at: url) }
          .hasSuffix("cannot open it: it is no regular file; name another one"), "\(url)")
    }
    let inner = file.url.appending(path: "a.sqlite")
    #expect(
      error { _ = try GraphDatabase(model: model, at: inner) }
        .hasSuffix(
          "cannot open it: the file cannot be opened or made; check that its folder exists and can be"
            + " written"))
  }

  @Test func `may be read-only, and can be read`() throws {
    try fill()
    let files = FaultyFiles(FAULTY_FILES_READ_ONLY)
    do {
      let database = try GraphDatabase(
        model: model, at: file.url, configuration: files.configuration)
      #expect(try database.count(of: "Thing") == 2)
      #expect(
        error { try load(database, #"{"id": 3}"#) }
          == "\(file.url.path): cannot write to it: the file cannot be written; check its permissions"
      )
    }
    #expect(files.openCount == 0)
    #expect(try GraphDatabase(contentsOf: file.url).count(of: "Thing") == 2)
  }

  @Test func `may be in a folder that is read-only`() throws {
    try fill()
    let files = FaultyFiles(FAULTY_FILES_READ_ONLY_FOLDER)
    let text = error {
      let database = try GraphDatabase(
        model: model, at: file.url, configuration: files.configuration)
      try load(database, #"{"id": 3}"#)
    }
    #expect(
      text.contains("check that its folder exists and can be written")
        || text.contains("check its permissions"), "\(text)")
    #expect(files.openCount == 0)
    #expect(try GraphDatabase(contentsOf: file.url).count(of: "Thing") == 2)
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may write any file"))
  func `may have no permission to be written`() throws {
    try fill()
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: file.url.path)
    let database = try GraphDatabase(model: model, at: file.url)
    #expect(
      error { try load(database, #"{"id": 3}"#) }.contains(
        "the file cannot be written; check its permissions"))
    #expect(try database.count(of: "Thing") == 2)
  }

  @Test func `may be locked by another writer, until that has ended`() throws {
    try fill()
    var configuration = SQLiteConfiguration()
    configuration.lockTimeout = .milliseconds(50)
    let database = try GraphDatabase(model: model, at: file.url, configuration: configuration)
    try database.write { graph in
      try graph.insert("Thing", ["id": .integer(3)])
      let who =
        FileManager.default.fileExists(atPath: "/proc/locks")
        ? "another connection of this process" : "another process or connection"
      #expect(
        error { try load(database, #"{"id": 4}"#) }
          == "\(file.url.path): cannot write to it: \(who) is writing; try again when it has ended,"
          + " or wait longer (lockTimeout)")
      // Readers see what was there before, and need not wait.
      #expect(try database.count(of: "Thing") == 2)
    }
    try load(database, #"{"id": 4}"#)
    #expect(try database.count(of: "Thing") == 4)
  }

  @Test func `may be no file`() throws {
    let url = try #require(URL(string: "https://example.org/graft-no-file"))
    let error = #expect(throws: StoreError.self) { try GraphDatabase(contentsOf: url) }
    #expect(error?.message.contains("the scheme \"https\"; give the URL of a file") == true)
  }

  @Test(arguments: [2, 4]) func `may be of another version of Graft`(format: Int) throws {
    try fill()
    try file.run("UPDATE graft_model SET format = \(format)")
    #expect(
      try errorOfOpening()
        == "FILE: was made by another version of Graft (format \(format)); use that, or import into"
        + " a new database")
    try file.run("UPDATE graft_model SET format = 3")
    #expect(try GraphDatabase(contentsOf: file.url).count(of: "Thing") == 2)
  }

  @Test(arguments: [
    ("UPDATE graft_model SET model = '{'", "has a model that cannot be read: "),
    ("UPDATE graft_model SET model = 'é\u{1}'", "has a model that cannot be read: "),
    ("DELETE FROM graft_model", "has an empty table \"graft_model\""),
    ("ALTER TABLE graft_model DROP COLUMN model", "no such column"),
  ])
  func `may say nothing of its model that can be understood`(sql: String, message: String) throws {
    try fill()
    try file.run(sql)
    let text = try errorOfOpening()
    #expect(text.contains(message), "\(text)")
  }

  @Test func `may be given a value that is longer than SQLite takes`() throws {
    let connection = try SQLiteConnection(path: file.url.path, SQLiteConfiguration())
    try connection.execute("CREATE TABLE t (value BLOB)")
    let statement = try connection.prepare("INSERT INTO t VALUES ($1)")
    // The memory is never touched, so the machine need not have this much.
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_000_000_001, alignment: 1)
    defer { bytes.deallocate() }
    statement.bind(0, .binary, bytes: UnsafeRawBufferPointer(bytes).bytes)
    #expect(
      error { try statement.run() }.hasSuffix(
        "a value is longer than SQLite takes; limit the length of strings"))
    statement.bind(0, .binary, bytes: UnsafeRawBufferPointer(rebasing: bytes[..<0]).bytes)
    try statement.run()
    #expect(try file.rows("SELECT count(*) FROM t") == ["1"])
  }
}
