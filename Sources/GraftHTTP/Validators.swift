import Foundation
import Graft

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What tells whether an answer has changed (RFC 9110, 8.8): a tag, or else the time of its last change.
struct Validators: Codable, Equatable {
  var etag: String?
  var lastModified: String?
  /// A hash of the model that has read the answer: another one may read more of the same answer.
  var model: UInt64?

  init() {}

  init(_ response: ImportResponse, readBy model: GraphModel) {
    (etag, lastModified) = (response["ETag"], response["Last-Modified"])
    self.model = Self.hash(of: model)
  }

  /// Returns whether a model would read from the same answer what it has read already.
  func areKnown(to model: GraphModel) -> Bool { self.model == Self.hash(of: model) }

  private static func hash(of model: GraphModel) -> UInt64 {
    model.schemaFile.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Reads a note; nil if it is none.
  init?(_ text: String) {
    guard let validators = try? JSONDecoder().decode(Validators.self, from: Data(text.utf8)) else {
      return nil
    }
    self = validators
  }

  /// The note; nil if the answer tells nothing.
  var text: String? {
    guard etag != nil || lastModified != nil, let data = try? JSONEncoder().encode(self) else {
      return nil
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// Lets a request ask for its answer only if that has changed, unless the request has conditions of its own.
  func apply(to request: inout URLRequest) {
    let names = ["If-None-Match", "If-Modified-Since"]
    guard names.allSatisfy({ request.value(forHTTPHeaderField: $0) == nil }) else { return }
    for (name, value) in zip(names, [etag, lastModified]) {
      if let value { request.setValue(value, forHTTPHeaderField: name) }
    }
  }
}
