// A date pattern is made of letters. Unicode Technical Standard #35 says what each one means.
// A text that cannot be a pattern is an error. A valid pattern that hardly means what its author
// meant is a warning that suggests the likely pattern, because other libraries use other letters,
// and a letter of the other case has another meaning:
//
//   YYYY-mm-dd    the year of the week, the minutes, the day

/// The reason why a string is not a Unicode date pattern (UTS 35).
struct DatePatternFault {
  let message: String

  /// The letters that mean fields of a date.
  private static let fields = "GyYuUrQqMLlwWdDFgEecabBhHKkjJCmsSAzZOvVXx"

  /// Looks for the first fault; nil if the pattern is sound.
  init?(in pattern: String) {
    var isQuoted = false
    var hasField = false
    for character in pattern {
      if character == "'" {
        isQuoted.toggle()
      } else if !isQuoted, character.isASCII, character.isLetter {
        guard Self.fields.contains(character) else {
          message = "the letter \"\(character)\" means nothing; quote plain text: 'T'"
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

/// The reasons why a Unicode date pattern probably has another meaning than intended, and the
/// likely pattern.
struct DatePatternDoubt: CustomStringConvertible {
  /// A run of one letter; quoted text is a run for each character.
  private struct Run {
    var letter: Character
    var width: Int
    var isField: Bool
  }

  private(set) var reasons: [String] = []
  private var runs: [Run] = []

  /// The pattern that was probably meant.
  var likely: String {
    runs.map { String(repeating: $0.letter, count: $0.width) }.joined()
  }

  var description: String {
    "reads \(AnnotationReader.enumeration(of: reasons, with: "and")), did you mean \"\(likely)\"?"
  }

  /// Finds letters that contradict one another; nil if there are none.
  init?(in pattern: String) {
    readRuns(of: pattern)
    if !has("w") { doubt(runs("Y").first, "the year to which the week belongs", meant: "y") }
    doubt(runs("d").first { runs[$0].width > 2 }, "the weekday's number", meant: "E", atMost: 4)
    // Months after hours: "HH:MM".
    doubt(runs("M").first { runs[$0].width < 3 && isAfterHour($0) }, "the month", meant: "m")
    // Minutes where there are no months: "yyyy-mm-dd".
    if has("dy"), !has("ML") {
      doubt(runs("m").first { !isAfterHour($0) }, "minutes", meant: "M")
    }
    if has("ML") { doubt(runs("D").first, "the day of the year", meant: "d", atMost: 2) }
    if !has("sA") { doubt(runs("S").first, "a fraction of a second", meant: "s", atMost: 2) }
    if !has("S") { doubt(runs("s").dropFirst().first, "seconds again", meant: "S") }
    if !has("abB") {
      let hour = runs("h").first ?? runs("K").first
      doubt(hour, "an hour from 1 to 12 without the half of the day", meant: "H")
    }
    if has("a"), !has("hK") {
      doubt(runs("H").first, "an hour from 0 to 23 beside the half of the day", meant: "h")
    }
    if reasons.isEmpty { return nil }
  }

  @inline(never)
  private mutating func readRuns(of pattern: String) {
    var isQuoted = false
    for character in pattern {
      if character == "'" { isQuoted.toggle() }
      let isField = !isQuoted && character.isASCII && character.isLetter
      if isField, let last = runs.last, last.isField, last.letter == character {
        runs[runs.count - 1].width += 1
      } else {
        runs.append(Run(letter: character, width: 1, isField: isField))
      }
    }
  }

  /// Replaces the letters of a doubtful run by the likely ones.
  @inline(never)
  private mutating func doubt(
    _ index: Int?, _ meaning: String, meant letter: Character, atMost width: Int = .max
  ) {
    guard let index else { return }
    let letters = String(repeating: runs[index].letter, count: runs[index].width)
    reasons.append("\(letters) as \(meaning)")
    runs[index].letter = letter
    runs[index].width = min(runs[index].width, width)
  }

  /// Returns the positions of a field's runs.
  @inline(never)
  private func runs(_ letter: Character) -> [Int] {
    runs.indices.filter { runs[$0].isField && runs[$0].letter == letter }
  }

  /// Returns whether the pattern has any of some fields.
  @inline(never)
  private func has(_ letters: String) -> Bool {
    runs.contains { $0.isField && letters.contains($0.letter) }
  }

  /// Returns whether the field before a run is an hour.
  private func isAfterHour(_ index: Int) -> Bool {
    runs[..<index].last { $0.isField }.map { "HhKk".contains($0.letter) } ?? false
  }
}
