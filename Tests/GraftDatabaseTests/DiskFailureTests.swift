import CFaultyFiles
import Foundation
import GraftSQLite
import Synchronization
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// The disk fails at every call in turn; then it works again, and the import is resumed.
@Suite struct `A database whose disk fails` {
  enum Fault: CaseIterable {
    case oneWrite, everyWrite, oneRead, lossOfPower, lossOfPowerBetweenSyncs

    var mode: faulty_files_mode {
      switch self {
      case .oneWrite: FAULTY_FILES_ONCE
      case .everyWrite: FAULTY_FILES_FROM
      case .oneRead: FAULTY_FILES_READ_ONCE
      case .lossOfPower, .lossOfPowerBetweenSyncs: FAULTY_FILES_POWER_LOSS
      }
    }

    /// Whether a completed save may be lost, because it is not synced.
    var losesSaves: Bool { self == .lossOfPowerBetweenSyncs }
  }

  private let model: GraphModel
  private let lines: [String]
  private let options: ImportOptions
  /// The content after each save; the last one is the content at the end.
  private let contents: [[String: Int]]
  private let document: URL
  private static let saveInterval = 5

  init() throws {
    model = try GraphModel(
      entities: [
        .make(
          "List", [.make("name")],
          [
            RelationshipDescription(
              name: "items", destination: "Item", isToMany: true, isOrdered: true),
            .make("note", to: "Note"),
          ]),
        .make("Item", [.make("text")]),
        .make("Note", identity: "", [.make("text")]),
      ], dialect: .graft)
    lines = (0..<17).map { number in
      let items = (0..<3).map { #"{"id": \#((number * 3 + $0 * 2) % 13), "text": "t\#(number)"}"# }
      // Every list is found twice, the second time as one that a save may have brought to the disk.
      return
        #"{"id": \#(number % 9), "name": "n\#(number)", "items": [\#(items.joined(separator: ", "))], "note": {"text": "\#(number)"}}"#
        + "\n"
    }
    options = .with {
      $0.parser.format = .ndjson
      $0.chunkSize = 64
    }
    document = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    try lines.joined().write(to: document, atomically: true, encoding: .utf8)
    let counts = Array(stride(from: 0, to: lines.count, by: Self.saveInterval)) + [lines.count]
    let (model, lines, options) = (model, lines, options)
    contents = try counts.map { count in
      let store = GraphStore(model: model)
      try store.importJSON(
        [ImportRoot("List")], from: Data(lines[..<count].joined().utf8), options: options)
      return try store.graph.content(depth: 2)
    }
  }

  @Test(arguments: Fault.allCases)
  func `loses nothing that was saved, whichever call fails, and the import can be resumed`(
    fault: Fault
  ) async throws {
    defer { try? FileManager.default.removeItem(at: document) }
    var call = 1
    while try await fails(fault, at: call) { call += 1 }
    #expect(call > (fault == .oneRead ? 3 : 40))
  }

  /// Imports with a fault, and resumes without.
  ///
  /// - Returns: Whether the fault occurred, after enough calls.
  private func fails(_ fault: Fault, at call: Int) async throws -> Bool {
    let file = TemporaryDatabase()
    let place = "\(fault) at call \(call)"
    let (failure, byteCount, hasOccurred) = try await importWithFault(fault, at: call, file)
    if let failure {
      let isClear =
        failure.contains(file.url.path) && Self.remedies.contains { failure.contains($0) }
      try #require(isClear, "\(place): \(failure)")
    } else if !hasOccurred {
      #expect(byteCount == lines.joined().utf8.count)
    }

    try #require(try file.integrityFaults() == [], "\(place)")
    // A file system without faults, which need not wait for the disk.
    let sound = FaultyFiles(FAULTY_FILES_ONCE)
    let database = try GraphDatabase(
      model: model, at: file.url, configuration: sound.configuration)
    let content = try await database.graph().content(depth: 2)
    let saves = contents.firstIndex(of: content)
    try #require(saves != nil, "\(place): not the content after any save: \(content)")
    try #require(saves ?? 0 >= (fault.losesSaves ? 0 : savesReturned(byteCount)), "\(place)")
    if failure == nil, !fault.losesSaves { try #require(content == contents.last, "\(place)") }

    try await database.importJSON(
      [ImportRoot("List")], from: .url(document), options: .with { $0.parser.format = .ndjson },
      resuming: true)
    try #require(try await database.graph().content(depth: 2) == contents.last, "\(place)")
    try #require(try file.integrityFaults() == [], "\(place)")
    return hasOccurred
  }

  private static let remedies = [
    "make room and resume the import", "check it, and resume the import",
    "check that its folder exists and can be written",
  ]

  private func importWithFault(
    _ fault: Fault, at call: Int, _ file: TemporaryDatabase
  ) async throws -> (failure: String?, byteCount: Int, hasOccurred: Bool) {
    let files = FaultyFiles(fault.mode, call: call)
    var configuration = files.configuration
    if fault.losesSaves { configuration.synchronous = .normal }
    let byteCount = Mutex(0)
    var failure: String?
    do {
      let database = try GraphDatabase(model: model, at: file.url, configuration: configuration)
      try await database.importJSON(
        [ImportRoot("List")], from: .url(document), options: options,
        saveEvery: Self.saveInterval
      ) { progress in
        byteCount.withLock { $0 = progress.byteCount }
      }
    } catch {
      failure = "\(error)"
    }
    try #require(files.openCount == 0, "a file was not closed")
    return (failure, byteCount.withLock { $0 }, files.callCount >= call)
  }

  /// Returns how many saves have ended after a number of bytes of the document; the last may still be under way.
  private func savesReturned(_ byteCount: Int) -> Int {
    var (end, count) = (0, 0)
    for line in lines {
      end += line.utf8.count
      if end <= byteCount { count += 1 }
    }
    return max(0, count / Self.saveInterval - 1)
  }
}
