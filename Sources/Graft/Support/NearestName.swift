// A misspelt name is reported with the name that was probably meant. Whether letters are capitals
// counts least: "hero" is nearer to "Hero" than to "hera". The work is bounded, since the names
// come from documents: long names are not compared, and a table is as large as the two names.

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
/// - Complexity: O(*n* · *l*²) for *n* candidates of length *l*; at most 1000 are compared.
package func nearestName(to name: String, in candidates: some Sequence<String>) -> String? {
  nearest(to: name, in: Array(candidates.prefix(comparedCount)))
}

private func nearest(to name: String, in candidates: [String]) -> String? {
  let written = numbers(of: name)
  guard !written.isEmpty, written.count <= comparedLength else { return nil }
  let lowered = numbers(of: name.lowercased())
  let limit = max(1, min(3, written.count / 3))
  let sketch = NameSketch(name)
  // Two letters that are exchanged are a likelier slip than one that is missing: `modle` is `model` and not `mode`.
  var best: (distance: Int, missing: Int, caseDistance: Int, name: String)?
  for candidate in candidates where sketch.mayBeNear(NameSketch(candidate), limit) {
    let letters = numbers(of: candidate.lowercased())
    guard abs(letters.count - lowered.count) <= limit else { continue }
    let distance = editDistance(lowered, letters, limit)
    guard distance <= limit else { continue }
    let caseDistance = editDistance(written, numbers(of: candidate), .max)
    let next = (distance, abs(letters.count - lowered.count), caseDistance, candidate)
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

/// A summary of a name's characters, enough to reject most distant names without a table of edits.
private struct NameSketch {
  /// The bytes of the name; nil if a character may be several bytes.
  private var length: Int? = 0
  /// A bit for each letter that occurs, capital or not.
  private var letters: UInt64 = 0

  init(_ name: String) {
    var length = 0
    for byte in name.utf8 {
      guard byte < 0x80, byte != UInt8(ascii: "\r") else {
        self.length = nil
        return
      }
      let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      letters |= 1 << UInt64((isCapital ? byte | 0x20 : byte) & 63)
      length += 1
    }
    self.length = length
  }

  /// Returns whether a few edits may turn one name into the other.
  ///
  /// An edit removes at most one letter and adds at most one.
  func mayBeNear(_ other: NameSketch, _ limit: Int) -> Bool {
    guard let length, let otherLength = other.length else { return true }
    return abs(length - otherLength) <= limit
      && (letters ^ other.letters).nonzeroBitCount <= 2 * limit
  }
}

/// Returns numbers for the characters of a name, equal for equal ones.
///
/// Comparing two characters costs as much as comparing two strings, and a table of edits compares
/// each with each.
private func numbers(of name: String) -> [Int] {
  // Without looking for the borders of characters, which takes longer than all the rest.
  if name.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\r") }) {
    return name.utf8.map { Int($0) }
  }
  return name.map { character in
    if let byte = character.utf8.first, character.utf8.count == 1 { return Int(byte) }
    return character.hashValue
  }
}

/// Returns the fewest edits from one text to the other: to insert, remove, replace or swap
/// characters; any number above the limit if there are more.
private func editDistance(_ first: [Int], _ second: [Int], _ limit: Int) -> Int {
  var (first, second) = (first[...], second[...])
  // A common beginning or end needs no edits.
  while let character = first.first, character == second.first {
    first.removeFirst()
    second.removeFirst()
  }
  while let character = first.last, character == second.last {
    first.removeLast()
    second.removeLast()
  }
  return editDistance(ofDistinct: Array(first), Array(second), limit)
}

private func editDistance(ofDistinct first: [Int], _ second: [Int], _ limit: Int) -> Int {
  guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
  var beforeLast = Array(0...second.count)
  var last = beforeLast
  var leastOfLast = 0
  for i in 1...first.count {
    var row = [i]
    row.reserveCapacity(second.count + 1)
    var leastOfRow = i
    for j in 1...second.count {
      let replaced = last[j - 1] + (first[i - 1] == second[j - 1] ? 0 : 1)
      var least = min(replaced, last[j] + 1, row[j - 1] + 1)
      if i > 1, j > 1, first[i - 1] == second[j - 2], first[i - 2] == second[j - 1] {
        least = min(least, beforeLast[j - 2] + 1)
      }
      row.append(least)
      leastOfRow = min(leastOfRow, least)
    }
    // A row is made of the two before it, and no value becomes less.
    guard min(leastOfRow, leastOfLast) <= limit else { return leastOfRow }
    leastOfLast = leastOfRow
    beforeLast = last
    last = row
  }
  return last[second.count]
}
