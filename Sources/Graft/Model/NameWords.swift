/// The words of a name that is written in camelCase.
enum NameWords {
  /// Returns the snake_case form of a name.
  static func snakeCase(_ name: String) -> String {
    words(of: name).joined(separator: "_")
  }

  /// Returns the words of a camelCase name in small letters; a run of capitals is one word:
  /// `userIDs` is `user` and `ids`.
  static func words(of name: String) -> [String] {
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

  /// Returns whether a word begins at an index.
  ///
  /// A capital begins a word after a small letter or a digit. In a run of capitals, the last one
  /// begins a word if a small letter follows, except for the plural s of an acronym.
  private static func startsWord(at index: Int, in characters: [Character]) -> Bool {
    guard characters[index - 1].isUppercase else { return true }
    guard index + 1 < characters.count, characters[index + 1].isLowercase else { return false }
    let isPlural =
      characters[index + 1] == "s"
      && (index + 2 == characters.count || characters[index + 2].isUppercase)
    return !isPlural
  }
}
