// The file is written through write(2), because FileHandle reports neither why a file cannot be made
// nor that closing it failed, which is when a network volume reports that it is full.
//
// Raw memory: C reads what is given to it only during the call.
//
// `descriptor` is open until `replace` closes it or the value goes away; the file at `path` exists
// from `init` on, until it takes the target's place or the value goes away. What is written is read
// from a chunk only while it is lent.

import Foundation

/// A file beside another, whose place it takes when all is written.
struct ReplacementFile: ~Copyable {
  /// The file that is replaced; for a symbolic link, the file at its end.
  private let target: String
  private let path: String
  private var descriptor: Int32
  private var isInPlace: Bool

  /// Makes an empty file beside another, which need not be there.
  ///
  /// - Throws: `CocoaError` with the path and the reason.
  init(for file: URL) throws {
    let target = try Self.end(ofLinksFrom: file.path)
    let url = URL(fileURLWithPath: target)
    let path = url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent.prefix(64)).\(UUID().uuidString)").path
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw CocoaError(errno, writing: target) }
    self.target = target
    self.path = path
    self.descriptor = descriptor
    isInPlace = false
  }

  deinit {
    if descriptor >= 0 { _ = close(descriptor) }
    if !isInPlace { _ = unsafe unlink(path) }
  }

  /// Writes all of a chunk.
  ///
  /// - Throws: `CocoaError` with the path and the reason.
  func write(_ chunk: RawSpan) throws {
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

  /// Puts the file in the place of the other.
  ///
  /// - Throws: `CocoaError` with the path and the reason.
  mutating func replace() throws {
    let status = close(descriptor)
    descriptor = -1
    // An interrupted close has closed the file.
    guard status == 0 || errno == EINTR else { throw CocoaError(errno, writing: target) }
    guard unsafe rename(path, target) == 0 else { throw CocoaError(errno, writing: target) }
    isInPlace = true
  }

  /// Follows symbolic links, also to where nothing is yet.
  private static func end(ofLinksFrom path: String) throws -> String {
    var end = path
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: end) else {
        return end
      }
      // A URL would resolve `..` by the names in the path, and not by where links lead.
      let folder = end.lastIndex(of: "/").map { end[...$0] } ?? ""
      end = next.hasPrefix("/") ? next : folder + next
    }
    throw CocoaError(ELOOP, writing: path)
  }
}

extension CocoaError {
  /// Why a file cannot be written.
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
