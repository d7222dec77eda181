import Testing

/// A room of the library: a folder with a meaning, and the rooms whose types it may mention.
struct Room: Sendable, CustomTestStringConvertible {
  let name: String
  let mayMention: [String]

  static let all = [
    Room(name: "Text", mayMention: []),
    Room(name: "Model", mayMention: ["Text"]),
    Room(name: "Parsing", mayMention: ["Text"]),
    Room(name: "ModelFiles", mayMention: ["Text", "Model", "Parsing"]),
    Room(name: "Store", mayMention: ["Text", "Model"]),
    Room(name: "Import", mayMention: ["Text", "Model", "Store", "Parsing"]),
    Room(name: "Export", mayMention: ["Text", "Model", "Store", "Parsing"]),
    // What it offers are methods of the store, and what it drives is the import's API.
    Room(name: "Networking", mayMention: ["Text", "Import", "Model", "Store"]),
  ]

  var testDescription: String { name }

  /// The room's files among some files.
  func files(in files: [SourceFile]) -> [SourceFile] {
    files.filter { $0.path.hasPrefix("Sources/Graft/\(name)/") }
  }

  /// The types that the room declares for the whole module.
  func types(in files: [SourceFile]) -> Set<String> {
    Set(self.files(in: files).flatMap(\.code).compactMap(SourceText.declaredType))
  }

  /// Mentions, in this room, of types of rooms that it must not know: place, type and its room.
  func trespasses(in files: [SourceFile]) -> [String] {
    var owners: [String: String] = [:]
    for room in Self.all where room.name != name && !mayMention.contains(room.name) {
      for type in room.types(in: files) {
        owners[type] = room.name
      }
    }
    return self.files(in: files).flatMap { file in
      file.code.enumerated().flatMap { index, code in
        SourceText.typeNames(in: code).compactMap { type in
          owners[type].map { "\(file.place(index)): \(type) of room \($0)" }
        }
      }
    }
  }
}
