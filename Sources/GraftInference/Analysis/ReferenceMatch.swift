/// An entity to whose objects the values of a property may refer, with the evidence for it.
struct ReferenceMatch {
  /// The strength of the evidence.
  enum Standing {
    /// It is enough by itself.
    case accepted
    /// It is enough if the values are identities of no other entity.
    case acceptedAlone
    /// Most values are identities, and some are none.
    case doubtful
    /// All values are identities, but the name fits no better than others.
    case possible
  }

  let target: EntityDraft
  /// The score of the property's name; see ``ReferenceName``.
  let score: Int
  /// The share of the property's distinct values that are identities of the target, from 0 to 1.
  var share = 1.0
  /// The number of values that are identities of the target, and the number of values compared.
  let common: Int
  let compared: Int
  var standing = Standing.accepted
  /// The member with the values, if it is not the identity.
  var relatedKey: String?

  /// The evidence in words.
  var evidence: String { Self.evidence(common: common, compared: compared) }

  /// Returns the evidence for a reference in words.
  static func evidence(common: Int, compared: Int) -> String {
    "\(common) of \(compared) \(compared == 1 ? "value is an identity" : "values are identities")"
  }
}

extension Sequence<ReferenceMatch> {
  /// The best match: better names come first, then more values, then the larger of two copies of a thing.
  var best: ReferenceMatch? { self.max { $0.rank < $1.rank } }
}

extension ReferenceMatch {
  fileprivate var rank: (Int, Double, Int, Int, Int, String) {
    (score, share, common, target.shape.members.count, -target.number, relatedKey ?? "")
  }
}
