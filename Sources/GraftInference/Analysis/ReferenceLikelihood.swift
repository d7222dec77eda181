import Foundation
import Graft

/// Estimates whether values are identities, or are equal to some by chance.
///
/// A `{"numberOfTests": 353}` beside a test with the number 353 proves nothing, because half of the
/// numbers in the range may be identities. Twelve strings of twenty characters do not occur by
/// chance.
struct ReferenceLikelihood {
  let certainty: InferenceFinding.Certainty
  /// The probability of chance, as the end of a sentence; empty if it is next to impossible.
  let text: String

  /// - Parameters:
  ///   - values: The values that may refer to objects.
  ///   - identities: The identities of the objects; nil if the values name another member.
  ///   - score: The score of the property's name; see ``ReferenceName``. A `parent` of the same entity has 3.
  ///   - common: The number of distinct values that are identities.
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

  /// Returns the share of possible values that are identities, from 0 to 1.
  private static func density(
    of identities: ScalarStatistics, around values: ScalarStatistics
  ) -> Double {
    let count = Double(max(identities.sketch.distinctCount, 1))
    if identities.integerCount > 0 {
      let least = min(identities.minimum, values.integerCount > 0 ? values.minimum : .max)
      // A value beyond all identities makes the others no more certain.
      let greatest = identities.maximum
      // Small numbers are more frequent than large ones, because counters begin at 0.
      let range = max(Double(greatest) - Double(min(least, max(greatest / 100, 0))), 1)
      return min(count / range, 1)
    }
    // Only a few strings are words: about as many as there are strings of half the length.
    let length = Double(min(values.usualLength, 24)) / 2
    return min(count / pow(36, length), 1)
  }
}

extension InferenceFinding.Certainty {
  /// The order of certainty; a higher rank is more certain.
  var rank: Int {
    switch self {
    case .loss: 0
    case .guess: 1
    case .likely: 2
    case .certain: 3
    }
  }
}
