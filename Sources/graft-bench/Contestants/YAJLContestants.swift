#if canImport(CYAJL)
import CYAJL
import Foundation
import Graft

// Raw memory: a reader owns its handle. The callbacks are called with no context, and do nothing.

extension Contestant {
  /// YAJL itself, as it comes, with callbacks that do nothing: the speed that no reader on YAJL
  /// exceeds.
  static let yajl = Contestant(name: "yajl", title: "YAJL, empty callbacks", readsChunks: true) {
    _ in
    try YAJLReader()
  }
}

@safe private final class YAJLReader: DocumentReader {
  private let handle: yajl_handle

  /// The table that YAJL keeps a pointer to: written once before its first use, never changed or
  /// freed.
  private nonisolated(unsafe) static let callbacks = {
    let table = UnsafeMutablePointer<yajl_callbacks>.allocate(capacity: 1)
    unsafe table.initialize(
      to: yajl_callbacks(
        yajl_null: { _ in 1 },
        yajl_boolean: { _, _ in 1 },
        yajl_integer: nil,
        yajl_double: nil,
        yajl_number: { _, _, _ in 1 },
        yajl_string: { _, _, _ in 1 },
        yajl_start_map: { _ in 1 },
        yajl_map_key: { _, _, _ in 1 },
        yajl_end_map: { _ in 1 },
        yajl_start_array: { _ in 1 },
        yajl_end_array: { _ in 1 }
      ))
    return unsafe table
  }()

  init() throws {
    guard let handle = unsafe yajl_alloc(unsafe Self.callbacks, nil, nil) else {
      throw ContestantError(description: "YAJL could not allocate a parser")
    }
    unsafe self.handle = handle
  }

  deinit {
    unsafe yajl_free(handle)
  }

  func read(_ bytes: Data) throws {
    let status = unsafe bytes.withUnsafeBytes { bytes in
      unsafe yajl_parse(
        handle, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count)
    }
    try check(status)
  }

  func finish() throws {
    try check(unsafe yajl_complete_parse(handle))
  }

  private func check(_ status: yajl_status) throws {
    guard status == yajl_status_ok else {
      let offset = unsafe yajl_get_bytes_consumed(handle)
      throw ContestantError(
        description: "YAJL refused the document, at byte \(offset) of a chunk")
    }
  }
}
#endif
