/// Why a text is not a Unicode date pattern (UTS 35), if it is none.
struct DatePatternFault {
  let message: String

  /// The letters that stand for fields of a date.
  private static let fields = Set("GyYuUrQqMLlwWdDFgEecabBhHKkjJCmsSAzZOvVXx")

  /// Looks for the first fault; nil if the pattern is sound.
  init?(in pattern: String) {
    var isQuoted = false
    var hasField = false
    for character in pattern {
      if character == "'" {
        isQuoted.toggle()
      } else if !isQuoted, character.isASCII, character.isLetter {
        guard Self.fields.contains(character) else {
          message = "the letter \"\(character)\" stands for nothing; quote plain text: 'T'"
          return
        }
        hasField = true
      }
    }
    if isQuoted {
      message = "a quote is not closed"
    } else if !hasField {
      message = "it has no field such as yyyy"
    } else {
      return nil
    }
  }
}
