import Graft

/// Measures how far objects with the same identity agree.
struct Agreement {
  let sample: IdentitySample
  let keyCount: Int
  /// The number of identities in the sample that occur more than once.
  let repeated: Int
  private let differing: Int
  private let contradicting: Int
  /// The probability that objects of one identity are equal by chance; 1 where none are, or not all.
  private let chance: Double
  private let members: [UInt64]

  /// - Parameters:
  ///   - sample: The objects by their identities.
  ///   - members: The fingerprints of the members that have the identities; none for a key.
  ///   - keyCount: The number of the objects' keys.
  init(_ sample: IdentitySample, of members: [UInt64], keyCount: Int) {
    self.sample = sample
    self.keyCount = keyCount
    var (repeated, differing, contradicting) = (0, 0, 0)
    for record in sample.records {
      if record.count > 1 { repeated += 1 }
      if record.differing > 0 { differing += 1 }
      if record.contradicting > 0 { contradicting += 1 }
    }
    (self.repeated, self.differing, self.contradicting) = (repeated, differing, contradicting)
    chance = repeated > 0 && differing == 0 ? sample.chanceOfAgreement(on: members) : 1
    self.members = members
  }

  /// Whether most identities have a content of their own: that each dependency is of version 1 says nothing.
  var haveOwnContents: Bool { repeated > 0 && sample.hasOwnContents(besides: members) }

  /// Whether objects of one identity differ only in members that some of them lack.
  var hasFewerKeys: Bool { differing > contradicting }

  /// Whether objects of one identity have nothing else in common.
  ///
  /// The tiles 0 of two tile sets, `{"id": 0, "type": "frost"}` and `{"id": 0, "properties": […]}`, are two.
  var isNeverTheSame: Bool {
    repeated > 0 && differing == repeated && sample.records.allSatisfy { $0.agreeing == 0 }
  }

  /// Whether half of the objects or more have an identity that occurs again.
  var areMostlyRepeated: Bool {
    let counts = sample.records.map(\.count)
    return counts.reduce(0) { $1 > 1 ? $0 + $1 : $0 } * 2 >= counts.reduce(0, +)
  }

  /// Whether most repeated identities have one content.
  var isRarelyOther: Bool { contradicting * Self.rareShare <= repeated }

  /// The fewest repeated identities for each one that has two contents, if that is rare.
  static let rareShare = 4

  /// Whether no identity has two contents.
  var isExact: Bool { differing == 0 }

  /// The greatest probability of chance at which equal objects prove an identity.
  private static let greatestChance = 0.05

  /// Whether objects of one identity are equal, and not by chance.
  var isProof: Bool { chance < Self.greatestChance }

  /// Whether objects of one identity are equal, but so are some of others.
  var mayBeChance: Bool { Self.greatestChance..<1 ~= chance }

  func isIdentity(isStrong: Bool, isVolatile: (UInt64) -> Bool) -> Bool {
    if differing == 0 { return true }
    if contradicting == 0 { return isStrong || differing * 2 <= repeated }
    guard isStrong, keyCount >= 6 else { return false }
    let keys = sample.contradictedKeys
    return keys.count * 3 <= keyCount && keys.keys.allSatisfy(isVolatile)
  }

  /// Describes the evidence in words.
  ///
  /// - Parameters:
  ///   - objects: The number of objects.
  ///   - values: Their identities, which are only estimated where they are many.
  /// - Returns: `173 objects, 115 identities, all equal`.
  func text(objects: Int, _ values: ValueSketch) -> String {
    let distinct = values.distinctCount
    let count = "\(distinct) \(distinct == 1 ? "identity" : "identities")"
    return text(objects: objects, values.isComplete ? count : "about " + count)
  }

  /// Describes the evidence for identities that are only counted while they are few.
  func text(objects: Int, identities: Int?) -> String {
    text(objects: objects, identities.map { "\($0) identities" } ?? "many identities")
  }

  private func text(objects: Int, _ identities: String) -> String {
    let count = "\(objects) \(objects == 1 ? "object" : "objects"), \(identities)"
    return sample.isComplete ? text(after: count) : text(after: count) + " (estimated)"
  }

  private func text(after text: String) -> String {
    if repeated == 0 { return text + ", none repeated" }
    if differing == 0 { return text + ", all equal" }
    if contradicting == 0 { return text + ", some with fewer keys than others" }
    return text + ", equal but for what changes (\(contradicting) of \(repeated) repeated ones)"
  }
}
