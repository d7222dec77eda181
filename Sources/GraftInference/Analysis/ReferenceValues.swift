// Tells from values by themselves whether they equal identities by chance: `"count": 3` may be the identity of a page, and
// a UUID is never that of two things.

import Graft

extension ScalarStatistics {
  /// Whether values are scattered so widely that others are not among them by chance.
  var areWide: Bool {
    if integerCount > 0 {
      return maximum >= 10_000 && range >= 4 * Double(sketch.distinctCount) || minimum >= 100_000
    }
    return usualLength >= 3 || longest >= 12
  }

  /// Whether the values are so few in their range that other numbers are unlikely to equal one by chance.
  var areSparse: Bool {
    integerCount > 0 && minimum >= 100 && range >= 4 * Double(sketch.distinctCount)
  }

  private var range: Double { Double(maximum) - Double(minimum) + 1 }

  /// Whether strings have digits and no spaces, as no words have.
  var areCodes: Bool {
    let texts = texts
    return !texts.isEmpty
      && texts.allSatisfy { $0.contains(where: \.isNumber) && !$0.contains(" ") }
  }

  /// Whether strings have both letters and digits, as no words and no years have: `BX-10`.
  var areSigns: Bool { areCodes && texts.allSatisfy { $0.contains(where: \.isLetter) } }

  /// Whether all strings are one word or letter with a number: `d1`, `d2` and `d3`.
  var areNumbered: Bool {
    let texts = texts
    guard texts.count >= 2, integerCount == 0 else { return false }
    let words = Set(texts.map { $0.prefix { !$0.isNumber } })
    return words.count == 1 && words.first?.isEmpty == false
      && texts.allSatisfy { text in
        let number = text.drop { !$0.isNumber }
        return !number.isEmpty && number.allSatisfy(\.isNumber)
      }
  }

  /// Returns whether numbers count the things that their plural name says: `"children": 2`.
  func areCounts(of name: Words) -> Bool { areSmall && name.isPlural }
}
