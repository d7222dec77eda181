// Uses two threads: one reads and scans a file, the other imports the scanned chunks. Between them
// are a few chunks, which go around: filled by the one, emptied by the other, in the order of the
// file.

import Foundation

/// Reads and scans a file on a thread of its own.
final class ReadAhead: Sendable {
  /// Files of fewer bytes are not worth a thread.
  static let leastByteCount = 1 << 20
  private static let chunkCount = 8

  private let file: FileSource
  private let chunks: ChunkQueue

  /// Prepares to read a file.
  ///
  /// - Parameters:
  ///   - file: The file; not a pipe, because the thread might wait for bytes after the import has
  ///     stopped.
  ///   - options: The options of the scanner.
  ///   - chunkBytes: The most bytes of a chunk.
  init(_ file: FileSource, _ options: ParserOptions, chunkBytes: Int = 64 << 10) {
    self.file = file
    chunks = ChunkQueue(
      (0..<Self.chunkCount).map { _ in ScannedChunk(capacity: chunkBytes, options) })
  }

  /// Reads to the end.
  ///
  /// - Parameter consumer: Takes a chunk, on the thread of the caller.
  /// - Throws: ``ImportSourceError`` if reading fails; what `consumer` throws.
  func read(_ consumer: (ScannedChunk) throws -> Void) throws {
    let thread = Thread { [self] in
      do {
        try fill()
        chunks.finish(nil)
      } catch {
        chunks.finish(error)
      }
    }
    thread.stackSize = 1 << 20
    thread.start()
    // The file is the caller's again only when the thread no longer reads it.
    defer { chunks.cancelAndWait() }
    while let chunk = try chunks.nextFull() {
      try consumer(chunk)
      chunks.giveBack(chunk)
    }
  }

  /// Fills chunk after chunk to the end of the file.
  private func fill() throws {
    var border = ScannedChunk.Border.beginning
    while let chunk = chunks.nextEmpty() {
      let end = try unsafe chunk.fill(after: border) { try unsafe file.read(into: $0) }
      if chunk.count > 0 { chunks.add(chunk) } else { chunks.giveBack(chunk) }
      guard let end else { return }
      border = end
    }
  }
}

/// Chunks on their way between two threads, in both directions.
///
/// Unchecked: all that changes is changed under the condition's lock.
private final class ChunkQueue: @unchecked Sendable {
  private let condition = NSCondition()
  private var empty: [ScannedChunk]
  private var full: [ScannedChunk] = []
  private var isFinished = false
  private var isCancelled = false
  private var error: (any Error)?
  /// The number of empty chunks at which a waiting thread is woken.
  private let wakingCount: Int

  init(_ chunks: [ScannedChunk]) {
    empty = chunks
    wakingCount = chunks.count / 2
  }

  /// Waits for a chunk to fill; nil if no more are wanted.
  func nextEmpty() -> ScannedChunk? {
    condition.withLock {
      while empty.isEmpty, !isCancelled { condition.wait() }
      return isCancelled ? nil : empty.removeLast()
    }
  }

  func add(_ chunk: ScannedChunk) {
    condition.withLock {
      full.append(chunk)
      condition.signal()
    }
  }

  /// Ends the queue, with the reason if the reading has failed.
  func finish(_ error: (any Error)?) {
    condition.withLock {
      self.error = error
      isFinished = true
      condition.broadcast()
    }
  }

  /// Waits for the next chunk; nil at the end.
  ///
  /// - Throws: The error with which the chunks have ended.
  func nextFull() throws -> ScannedChunk? {
    try condition.withLock {
      while full.isEmpty, !isFinished { condition.wait() }
      if !full.isEmpty { return full.removeFirst() }
      if let error { throw error }
      return nil
    }
  }

  func giveBack(_ chunk: ScannedChunk) {
    condition.withLock {
      empty.append(chunk)
      // Waking a thread costs more than filling a chunk, so it is done for several at once.
      if empty.count >= wakingCount { condition.signal() }
    }
  }

  /// Cancels the filling of chunks, and waits until none is being filled.
  func cancelAndWait() {
    condition.withLock {
      isCancelled = true
      condition.broadcast()
      while !isFinished { condition.wait() }
    }
  }
}
