// A date pattern is made of letters, each of which has a meaning in Unicode Technical Standard #35.
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
  let reasons: [String]
  /// The pattern that was probably meant.
  let likely: String

  var description: String {
    "reads \(AnnotationReader.enumeration(of: reasons, with: "and")), did you mean \"\(likely)\"?"
  }

  /// Finds letters that contradict one another; nil if there are none.
  init?(in pattern: String) {
    var runs = Self.runs(of: pattern)
    var reasons: [String] = []
    for rule in Self.rules {
      guard let index = rule.doubtful(runs) else { continue }
      let run = runs[index]
      let letters = String(repeating: run.letter, count: run.width)
      if !reasons.contains("\(letters) as \(rule.meaning)") {
        reasons.append("\(letters) as \(rule.meaning)")
      }
      runs[index].letter = rule.replacement
      if let width = rule.width { runs[index].width = width(run.width) }
    }
    guard !reasons.isEmpty else { return nil }
    self.reasons = reasons
    likely = runs.map { String(repeating: $0.letter, count: $0.width) }.joined()
  }

  /// A run of one letter; quoted text is a run for each character.
  fileprivate struct Run {
    var letter: Character
    var width: Int
    var isField: Bool
  }

  private static func runs(of pattern: String) -> [Run] {
    var runs: [Run] = []
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
    return runs
  }

  /// A letter that is doubtful beside others, and the letter that was probably meant.
  private struct Rule: Sendable {
    let meaning: String
    let replacement: Character
    /// Returns the width of the replacement from the width of the doubtful run; nil keeps the
    /// width.
    var width: (@Sendable (Int) -> Int)?
    /// The index of the doubtful run.
    let doubtful: @Sendable ([Run]) -> Int?
  }

  private static let rules: [Rule] = [
    Rule(meaning: "the year to which the week belongs", replacement: "y") { runs in
      runs.has("w") ? nil : runs.first("Y")
    },
    Rule(
      meaning: "the weekday's number", replacement: "E", width: { $0 == 3 ? 3 : 4 },
      doubtful: { runs in
        runs.firstIndex { $0.isField && $0.letter == "d" && $0.width > 2 }
      }),
    // Months after hours: "HH:MM".
    Rule(meaning: "the month", replacement: "m") { runs in
      runs.all("M").first { index in
        runs[index].width < 3 && runs.field(before: index).map { "HhKk".contains($0) } ?? false
      }
    },
    // Minutes where there are no months: "yyyy-mm-dd".
    Rule(meaning: "minutes", replacement: "M") { runs in
      guard runs.has("d") || runs.has("y"), !runs.has("M"), !runs.has("L") else { return nil }
      return runs.all("m").first { runs.field(before: $0).map { !"HhKk".contains($0) } ?? true }
    },
    Rule(
      meaning: "the day of the year", replacement: "d", width: { min($0, 2) },
      doubtful: { runs in
        runs.has("M") || runs.has("L") ? runs.first("D") : nil
      }),
    Rule(
      meaning: "a fraction of a second", replacement: "s", width: { min($0, 2) },
      doubtful: { runs in
        runs.has("s") || runs.has("A") ? nil : runs.first("S")
      }),
    Rule(meaning: "seconds again", replacement: "S") { runs in
      runs.has("S") ? nil : runs.all("s").dropFirst().first
    },
    Rule(meaning: "an hour from 1 to 12 without the half of the day", replacement: "H") { runs in
      runs.has("a") || runs.has("b") || runs.has("B") ? nil : runs.first("h") ?? runs.first("K")
    },
    Rule(meaning: "an hour from 0 to 23 beside the half of the day", replacement: "h") { runs in
      runs.has("a") && !runs.has("h") && !runs.has("K") ? runs.first("H") : nil
    },
  ]
}

extension [DatePatternDoubt.Run] {
  fileprivate func all(_ letter: Character) -> [Int] {
    indices.filter { self[$0].isField && self[$0].letter == letter }
  }

  fileprivate func first(_ letter: Character) -> Int? { all(letter).first }

  fileprivate func has(_ letter: Character) -> Bool { first(letter) != nil }

  /// Returns the letter of the field before a run.
  fileprivate func field(before index: Int) -> Character? {
    self[..<index].last { $0.isField }?.letter
  }
}
