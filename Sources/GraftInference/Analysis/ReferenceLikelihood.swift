import Foundation
import Graft

/// How far it can be relied on that values are identities, and not the same by chance.
///
/// `{"numberOfTests": 353}` beside tests of which one has the number 353 says nothing: of the numbers between the least and
/// the greatest of theirs half may be identities. Twelve strings of twenty characters are not there by chance.
struct ReferenceLikelihood {
  let certainty: InferenceFinding.Certainty
  /// How probable it is by chance, in words that follow others; empty where it is next to impossible.
  let text: String

  /// - Parameters:
  ///   - values: What may refer to objects.
  ///   - identities: What tells the objects apart; nil where it is another member of theirs.
  ///   - score: How well the names agree; see ``ReferenceName``. That of a `parent` of its own kind is 3.
  ///   - common: How many distinct values are identities.
  init(_ values: ScalarStatistics, _ identities: ScalarStatistics?, score: Int, common: Int) {
    let chance = pow(Self.density(of: identities ?? values, around: values), Double(max(common, 1)))
    let count = values.sketch.distinctCount
    if count >= 10, score >= 2 || chance < 1e-6 {
      certainty = .certain
    } else if count > 1 && (score >= 2 || chance < 0.01) || score > 2 || chance < 1e-3 {
      certainty = .likely
    } else {
      certainty = .guess
    }
    text =
      chance < 1e-6
      ? ""
      : chance > 0.3
        ? ", which may be chance" : ", by chance in 1 of \(Int((1 / chance).rounded()))"
  }

  /// The part of all values that might be there that are identities, from 0 to 1.
  private static func density(
    of identities: ScalarStatistics, around values: ScalarStatistics
  ) -> Double {
    let count = Double(max(identities.sketch.distinctCount, 1))
    if identities.integerCount > 0 {
      let least = min(identities.minimum, values.integerCount > 0 ? values.minimum : .max)
      let greatest = max(identities.maximum, values.integerCount > 0 ? values.maximum : .min)
      // Small numbers are more frequent than large ones: what counts something begins at 0.
      let range = max(Double(greatest) - Double(min(least, max(greatest / 100, 0))), 1)
      return min(count / range, 1)
    }
    // As many words are in use as there are strings of half their length.
    let length = Double(min(values.shortest, 24)) / 2
    return min(count / pow(36, length), 1)
  }
}

extension InferenceFinding.Certainty {
  /// The more, the further it can be relied on.
  var rank: Int {
    switch self {
    case .loss: 0
    case .guess: 1
    case .likely: 2
    case .certain: 3
    }
  }
}
