public import Foundation
import Synchronization

/// One import: takes the bytes of a document as they come, and publishes what they hold when the
/// document has ended.
///
/// ```swift
/// let importer = try store.makeImporter(entity: "Tweet", at: "statuses")
/// try importer.parse(chunk)                   // as often as bytes arrive
/// let report = try importer.finish()
/// ```
///
/// Until ``finish()`` succeeds nothing is published; after an error, or ``cancel()``, nothing ever
/// will be. An importer may be handed from thread to thread, and called from any, as the delegate
/// of a download is.
public final class JSONImporter: Sendable {
  private let session: Mutex<ImportSession>

  init(store: GraphStore, roots: [ImportRoot], options: ImportOptions) throws {
    session = Mutex(try ImportSession(store: store, roots: roots, options: options))
  }

  /// Reads the next bytes of the document.
  ///
  /// - Parameter chunk: Bytes that follow those already read; any number of them, cut anywhere,
  ///   even inside a character.
  /// - Throws: ``ImportError`` where the document cannot be imported; every later call throws the
  ///   same.
  /// - Complexity: O(*n*) in the size of the chunk.
  public func parse(_ chunk: UnsafeRawBufferPointer) throws {
    try session.withLock { try $0.parse(chunk) }
  }

  /// Reads the next bytes of the document.
  ///
  /// - Parameter chunk: Bytes that follow those already read.
  /// - Throws: ``ImportError``, as ``parse(_:)-(UnsafeRawBufferPointer)`` does.
  public func parse(_ chunk: RawSpan) throws {
    try chunk.withUnsafeBytes { try parse($0) }
  }

  /// Reads the next bytes of the document.
  ///
  /// - Parameter chunk: Bytes that follow those already read.
  /// - Throws: ``ImportError``, as ``parse(_:)-(UnsafeRawBufferPointer)`` does.
  public func parse(_ chunk: some ContiguousBytes) throws {
    try chunk.withUnsafeBytes { try parse($0) }
  }

  /// Ends the document and publishes what it held.
  ///
  /// - Returns: What the import did.
  /// - Throws: ``ImportError`` where the document is cut short or cannot be imported; nothing is
  ///   published then.
  public func finish() throws -> ImportReport {
    try session.withLock { try $0.finish() }
  }

  /// Gives the import up: nothing is published, and every later call throws an error that says so.
  public func cancel() {
    session.withLock { $0.cancel() }
  }

  /// The bytes read so far.
  public var byteCount: Int { session.withLock { $0.byteCount } }
}
