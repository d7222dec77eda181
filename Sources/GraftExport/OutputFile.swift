// The file is written through write(2). FileHandle reports neither why a file cannot be made nor
// that closing it failed, but a full network volume may only report so when the file is closed.
//
// `descriptor` is open until `finish` closes it or the value is destroyed. A replacement at
// `temporaryPath` exists from `init` on, until it takes the target's place or the value is
// destroyed. The bytes of a chunk are read only while the chunk is lent.

package import Foundation
import Graft

/// A file that is written as a whole.
///
/// A regular file is replaced at the end and keeps its mode and owner, so that a reader finds
/// either all of the old content or all of the new. If the path is a symbolic link, its target is
/// replaced, and the link stays. Other files, such as a FIFO, a terminal, `/dev/null` or
/// `/dev/stdout`, are written directly.
package struct OutputFile: ~Copyable {
  /// The file that is written; for a symbolic link, the file at its end.
  private let target: String
  /// The file that will take the target's place; nil if the target itself is written to.
  private var temporaryPath: String?
  /// The status of the target when writing began; nil if there was no file.
  private var previous: stat?
  private var descriptor: Int32

  /// Opens a file, or prepares a new one.
  ///
  /// - Parameter file: The file. One that is neither regular nor missing is opened for writing,
  ///   which for a FIFO waits for a reader.
  /// - Throws: `CocoaError` with the path and the reason.
  package init(for file: URL) throws {
    let end = try Self.end(ofLinksFrom: file.path)
    let opened = try Self.open(end.path, isDescriptor: end.descriptor)
    target = end.path
    descriptor = opened.descriptor
    temporaryPath = opened.temporaryPath
    previous = opened.previous
  }

  /// Opens the file to write: the target, or a replacement beside it.
  private static func open(
    _ target: String, isDescriptor number: Int32?
  ) throws -> (descriptor: Int32, temporaryPath: String?, previous: stat?) {
    if let number { return (try opened(dup(number), target), nil, nil) }
    var status = stat()
    let isThere = unsafe stat(target, &status) == 0
    guard isThere || errno == ENOENT else { throw CocoaError(errno, writing: target) }
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      let descriptor = unsafe Foundation.open(target, O_WRONLY | O_APPEND | O_CLOEXEC)
      return (try opened(descriptor, target), nil, nil)
    }
    let url = URL(fileURLWithPath: target)
    let path = url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent.prefix(64)).\(UUID().uuidString)").path
    // Other users must not read a replacement before it has the mode and owner of the target.
    let descriptor = unsafe Foundation.open(
      path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, isThere ? 0o600 : 0o666)
    return (try opened(descriptor, target), path, isThere ? status : nil)
  }

  deinit {
    if descriptor >= 0 { _ = close(descriptor) }
    if let temporaryPath { _ = unsafe unlink(temporaryPath) }
  }

  /// Writes all of a chunk.
  ///
  /// - Throws: `CocoaError` with the path and the reason.
  package func write(_ chunk: RawSpan) throws {
    try Self.write(chunk, to: descriptor, target)
  }

  /// Ends the file; a replacement takes the place of the target.
  ///
  /// - Throws: `CocoaError` with the path and the reason.
  package mutating func finish() throws {
    if let previous, try !adopt(previous) { return try copyToTarget() }
    let status = close(descriptor)
    descriptor = -1
    // An interrupted close has closed the file.
    guard status == 0 || errno == EINTR else { throw CocoaError(errno, writing: target) }
    guard let temporaryPath else { return }
    guard unsafe rename(temporaryPath, target) == 0 else {
      throw CocoaError(errno, writing: target)
    }
    self.temporaryPath = nil
  }

  /// Gives the replacement the owner and mode of the target.
  ///
  /// - Returns: Whether that is allowed: only root can give files away.
  private func adopt(_ previous: stat) throws -> Bool {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw CocoaError(errno, writing: target) }
    if status.st_uid != previous.st_uid || status.st_gid != previous.st_gid {
      guard fchown(descriptor, previous.st_uid, previous.st_gid) == 0 else { return false }
    }
    // After the owner: a change of owner takes the bits for set-user-id away.
    guard fchmod(descriptor, previous.st_mode & 0o7777) == 0 else {
      throw CocoaError(errno, writing: target)
    }
    return true
  }

  /// Overwrites a target whose owner a replacement cannot have, once all of the new content is
  /// written to the replacement.
  private mutating func copyToTarget() throws {
    let output = try Self.opened(
      unsafe Foundation.open(target, O_WRONLY | O_TRUNC | O_CLOEXEC), target)
    defer { _ = close(output) }
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw CocoaError(errno, writing: target) }
    let source = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    while let chunk = try source.read(upToCount: 65_536), !chunk.isEmpty {
      try chunk.withRawSpan { try Self.write($0, to: output, target) }
    }
    guard fsync(output) == 0 || errno == EINVAL else { throw CocoaError(errno, writing: target) }
  }

  private static func write(_ chunk: RawSpan, to descriptor: Int32, _ target: String) throws {
    var rest = chunk
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw CocoaError(count < 0 ? errno : EIO, writing: target) }
      rest = rest.extracting(droppingFirst: count)
    }
  }

  private static func opened(_ descriptor: Int32, _ target: String) throws -> Int32 {
    guard descriptor >= 0 else { throw CocoaError(errno, writing: target) }
    return descriptor
  }

  /// Follows symbolic links, also to where nothing is yet.
  ///
  /// - Returns: The path at their end; a descriptor of this process where a link, or the path itself,
  ///   is the name of one, such as `/dev/stdout`. What is open there may be a regular file, which
  ///   another process has opened to append to it, and must not be replaced.
  private static func end(
    ofLinksFrom path: String
  ) throws -> (path: String, descriptor: Int32?) {
    var end = path
    for _ in 0..<40 {
      if let descriptor = descriptor(named: end) { return (end, descriptor) }
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: end) else {
        return (end, nil)
      }
      // A URL would resolve `..` by the names in the path, and not by where links lead.
      let folder = end.lastIndex(of: "/").map { end[...$0] } ?? ""
      end = next.hasPrefix("/") ? next : folder + next
    }
    throw CocoaError(ELOOP, writing: path)
  }

  private static func descriptor(named path: String) -> Int32? {
    switch path {
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
      return folder.flatMap { Int32(path.dropFirst($0.count)) }
    }
  }
}

extension CocoaError {
  /// Creates the error for a file that cannot be written.
  fileprivate init(_ code: Int32, writing path: String) {
    let kind: CocoaError.Code =
      switch code {
      case ENOENT: .fileNoSuchFile
      case EACCES, EPERM: .fileWriteNoPermission
      case EROFS: .fileWriteVolumeReadOnly
      case ENOSPC, EDQUOT: .fileWriteOutOfSpace
      default: .fileWriteUnknown
      }
    let reason = unsafe String(cString: strerror(code))
    self.init(
      kind,
      userInfo: [
        NSFilePathErrorKey: path,
        NSLocalizedDescriptionKey: "cannot write \(path): \(reason)",
        NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(code)),
      ])
  }
}
