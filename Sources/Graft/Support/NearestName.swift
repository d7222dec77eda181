// A misspelt name is reported with the name that was probably meant. Whether letters are capitals
// counts least: "hero" is nearer to "Hero" than to "hera". The names come from documents, so the work
// is bounded: long names are not compared, and a table of edits is filled in near its diagonal only,
// as far from it as edits are allowed.

/// The longest name that is compared, in characters.
private let comparedLength = 100

/// The most names that one is compared with; beyond, a suggestion is not worth its time.
private let comparedCount = 1000

/// Finds the name that a misspelt one probably meant.
///
/// - Parameters:
///   - name: The name as it was written.
///   - candidates: The names that are known.
/// - Returns: The nearest of them, or nil if none is near: at most 3 edits away, and at most a
///   third of the name's length.
/// - Complexity: O(*n* · *l*) for *n* candidates of length *l*; at most 1000 are compared.
package func nearestName(to name: String, in candidates: some Sequence<String>) -> String? {
  nearest(to: name, in: Array(candidates.prefix(comparedCount)))
}

private func nearest(to name: String, in candidates: [String]) -> String? {
  let written = letters(of: name)
  guard !written.isEmpty, written.count <= comparedLength else { return nil }
  let lowered = letters(of: name.lowercased())
  let limit = max(1, min(3, written.count / 3))
  // Two letters that are exchanged are a likelier slip than one that is missing: `modle` is `model` and not `mode`.
  var best: (distance: Int, missing: Int, caseDistance: Int, name: String)?
  for candidate in candidates {
    let other = letters(of: candidate)
    let missing = abs(other.count - written.count)
    guard missing <= limit else { continue }
    let distance = editDistance(lowered, letters(of: candidate.lowercased()), limit)
    guard distance <= limit else { continue }
    let caseDistance = editDistance(written, other, max(written.count, other.count))
    let next = (distance, missing, caseDistance, candidate)
    if let best, best <= next { continue }
    best = next
  }
  return best?.name
}

/// Returns the text ", did you mean …?" for a misspelt name, or nothing if no known name is near.
package func suggestion(for name: String, in candidates: some Sequence<String>) -> String {
  nearestName(to: name, in: candidates).map { ", did you mean \"\($0)\"?" } ?? ""
}

/// Returns the end of a message about an unknown name: the nearest known name, or the known names.
func remedy(for name: String, in known: [String]) -> String {
  if let nearest = nearestName(to: name, in: known) { return ", did you mean \"\(nearest)\"?" }
  return known.isEmpty ? "; it has none" : "; known: \(known.sorted().prefix(12).quoted)"
}

extension Sequence<String> {
  /// The strings in quotation marks, separated by commas.
  package var quoted: String { map { "\"\($0)\"" }.joined(separator: ", ") }
}

/// Returns numbers for the characters of a name, equal for equal ones.
///
/// Comparing two characters costs as much as comparing two strings.
private func letters(of name: String) -> [Int] {
  // Without looking for the borders of characters, which takes longer than all the rest.
  if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.utf8.map { Int($0) } }
  return name.map { $0.asciiValue.map { Int($0) } ?? $0.hashValue }
}

/// Returns the fewest edits from one text to the other: to insert, remove, replace or swap
/// characters; any number above the limit if there are more.
private func editDistance(_ first: [Int], _ second: [Int], _ limit: Int) -> Int {
  guard abs(first.count - second.count) <= limit else { return limit + 1 }
  var last = Array(0...second.count)
  var row = last.map { _ in limit + 1 }
  var beforeLast = row
  var leastOfLast = 0
  for (i, letter) in first.enumerated() {
    // With as many edits as the limit, a character moves by as many places at most.
    let columns = max(0, i - limit)..<min(second.count, i + limit + 1)
    row[columns.lowerBound] = min(i, limit) + 1
    var leastOfRow = row[columns.lowerBound]
    for j in columns {
      var least = min(last[j] + (letter == second[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, letter == second[j - 1], first[i - 1] == second[j] {
        least = min(least, beforeLast[j - 1] + 1)
      }
      row[j + 1] = least
      leastOfRow = min(leastOfRow, least)
    }
    // A row is made of the two before it, and no number becomes less.
    guard min(leastOfRow, leastOfLast) <= limit else { return limit + 1 }
    leastOfLast = leastOfRow
    swap(&beforeLast, &last)
    swap(&last, &row)
  }
  return last[second.count]
}
