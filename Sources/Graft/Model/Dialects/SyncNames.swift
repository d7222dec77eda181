// Sync writes a local name such as `remoteURL` as `remote_url`, and reads `remote_url` back as
// `remoteURL`, because it knows some acronyms. Here only local names are at hand, so the JSON keys
// are derived from them: the snake_case form, the name as it is, and the camelCase form without
// capital acronyms (`remoteUrl`).

/// The JSON keys that Sync's naming gives to a local name.
enum SyncNames {
  /// Words that clash with members of managed objects; in the entity `User` they become `userType`
  /// and so on.
  static let reserved = ["type", "description", "signed"]

  /// The keys of a property, those most likely first.
  ///
  /// - Parameters:
  ///   - property: The local name.
  ///   - entity: The name of the entity that has the property.
  /// - Returns: The keys without repetition.
  static func keys(of property: String, in entity: String) -> [String] {
    let words = words(of: property)
    let snake = words.joined(separator: "_")
    var keys = [snake, property, camelCase(words)]
    let prefix = entity.prefix(1).lowercased() + entity.dropFirst()
    for word in reserved where property == prefix + word.prefix(1).uppercased() + word.dropFirst() {
      keys.append(word)
    }
    var known: Set<String> = []
    return keys.filter { known.insert($0).inserted }
  }

  /// The snake_case form of a name.
  static func snakeCase(_ name: String) -> String {
    words(of: name).joined(separator: "_")
  }

  /// The words of a camelCase name in small letters; a run of capitals is one word: `userIDs` is
  /// `user` and `ids`.
  private static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    let characters = Array(name)
    for (index, character) in characters.enumerated() {
      let isStart = character.isUppercase && index > 0 && startsWord(at: index, in: characters)
      if isStart || character == "_" {
        if !word.isEmpty { words.append(word.lowercased()) }
        word = ""
      }
      if character != "_" { word.append(character) }
    }
    if !word.isEmpty { words.append(word.lowercased()) }
    return words.isEmpty ? [name] : words
  }

  /// A capital starts a word after a small letter or digit, or as the last of a run that a small
  /// letter follows, except for the plural s of an acronym.
  private static func startsWord(at index: Int, in characters: [Character]) -> Bool {
    guard characters[index - 1].isUppercase else { return true }
    guard index + 1 < characters.count, characters[index + 1].isLowercase else { return false }
    let isPlural =
      characters[index + 1] == "s"
      && (index + 2 == characters.count || characters[index + 2].isUppercase)
    return !isPlural
  }

  private static func camelCase(_ words: [String]) -> String {
    words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
