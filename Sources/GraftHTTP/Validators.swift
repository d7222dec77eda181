import Foundation
import Graft
import GraftExport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The marks by which a server sees whether an answer has changed (RFC 9110, 8.8): a tag, or else the time of its
/// last change.
struct Validators: SavedNote, Equatable {
  var etag: String?
  var lastModified: String?
  /// A hash of the model and mode that have read the answer: others may read more of the same answer.
  var model: UInt64?

  init() {}

  init(_ response: ImportResponse, readBy model: GraphModel, _ mode: ImportOptions.Mode) {
    (etag, lastModified) = (response["ETag"], response["Last-Modified"])
    self.model = Self.hash(of: model, mode)
  }

  /// Returns whether an import with a model and mode would read from the same answer what it has read already.
  func areKnown(to model: GraphModel, _ mode: ImportOptions.Mode) -> Bool {
    self.model == Self.hash(of: model, mode)
  }

  private static func hash(of model: GraphModel, _ mode: ImportOptions.Mode) -> UInt64 {
    (mode.rawValue + model.schemaFile).withBorrowedUTF8 { StableHash($0).value }
  }

  /// Whether the answer has no mark by which a change can be noticed.
  var isEmpty: Bool { etag == nil && lastModified == nil }

  /// Makes a request conditional on a change of its answer, unless it has conditions of its own.
  func apply(to request: inout URLRequest) {
    let names = ["If-None-Match", "If-Modified-Since"]
    guard names.allSatisfy({ request.value(forHTTPHeaderField: $0) == nil }) else { return }
    for (name, value) in zip(names, [etag, lastModified]) {
      if let value { request.setValue(value, forHTTPHeaderField: name) }
    }
  }
}
