public import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension JSONExporter {
  /// Writes objects into memory.
  ///
  /// - Parameter content: The objects.
  /// - Returns: The text, in UTF-8.
  /// - Throws: ``ExportError``, or ``StoreError`` for an unknown entity.
  /// - Complexity: O(*n*) in the size of the text, in memory too.
  public func data(_ content: ExportContent) throws -> Data {
    var data = Data()
    try write(content) { chunk in
      chunk.withUnsafeBytes { data.append(contentsOf: $0) }
    }
    return data
  }

  /// Writes objects to a file.
  ///
  /// They are written to another file beside it, which takes its place when all are written:
  /// whoever reads the file finds all or nothing of the export.
  ///
  /// - Parameters:
  ///   - content: The objects.
  ///   - file: The file, which is replaced if it is there.
  /// - Throws: ``ExportError``, ``StoreError`` for an unknown entity, or an error of Foundation's
  ///   where the file cannot be written. The file is then as it was.
  public func write(_ content: ExportContent, to file: URL) throws {
    let beside = file.deletingLastPathComponent()
      .appending(path: ".\(file.lastPathComponent).\(UUID().uuidString)")
    guard FileManager.default.createFile(atPath: beside.path, contents: nil) else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
    }
    do {
      let handle = try FileHandle(forWritingTo: beside)
      defer { try? handle.close() }
      try write(content) { chunk in
        try handle.write(contentsOf: chunk.withUnsafeBytes { Data($0) })
      }
      guard rename(beside.path, file.path) == 0 else {
        throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
      }
    } catch {
      try? FileManager.default.removeItem(at: beside)
      throw error
    }
  }
}
