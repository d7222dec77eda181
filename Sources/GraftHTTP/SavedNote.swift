import Foundation
import Graft

/// A value that a target keeps between imports, as a note in JSON.
protocol SavedNote: Codable {}

extension SavedNote {
  /// Reads a note; nil if it is none.
  init?(note: String) {
    guard let value = try? JSONDecoder().decode(Self.self, from: Data(note.utf8)) else {
      return nil
    }
    self = value
  }

  /// The value as a note.
  var note: String? {
    (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) }
  }
}
