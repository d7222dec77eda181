/// The conclusions that the documents contradict, with the reasons.
struct Exclusions {
  /// The members that are no identities, by the path of a place.
  var identities: [String: [String: String]] = [:]
  /// The paths of properties that values do not fit, by the path of a place.
  var misfits: [String: [String: String]] = [:]

  var isEmpty: Bool { identities.isEmpty && misfits.isEmpty }

  /// Adds others; the first reason stays.
  mutating func formUnion(_ other: Exclusions) {
    identities.merge(other.identities) { $0.merging($1) { first, _ in first } }
    misfits.merge(other.misfits) { $0.merging($1) { first, _ in first } }
  }
}
