public import Foundation

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
  /// whoever reads the file finds all or nothing of the export. Where the file is a symbolic link,
  /// the file that it leads to is replaced.
  ///
  /// - Parameters:
  ///   - content: The objects.
  ///   - file: The file, which is replaced if it is there.
  /// - Throws: ``ExportError``, ``StoreError`` for an unknown entity, or `CocoaError` where
  ///   the file cannot be written, which names the path and the reason and has the POSIX error under
  ///   it. The file is then as it was.
  public func write(_ content: ExportContent, to file: URL) throws {
    var replacement = try ReplacementFile(for: file)
    try write(content) { try replacement.write($0) }
    try replacement.replace()
  }
}
