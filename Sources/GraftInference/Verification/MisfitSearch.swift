import Graft

/// Finds the properties that values of the documents do not fit, by the places at which an import skips something.
///
/// Of `{"ports": {"80": {…}, "443": {…}}}` the keys are integers. If another document has `{"ports": {"http": {…}}}` there,
/// an import skips that port, and the key has to be a string. Other properties are kept as JSON.
struct MisfitSearch {
  /// A property at one of the places of its entity.
  private struct Candidate {
    /// The path from the document to the values.
    let steps: [JSONPath.Step]
    /// The path of the place.
    let place: String
    let property: PropertyDraft
  }

  private let candidates: [Candidate]

  /// - Parameter model: The draft by which the documents were imported.
  init(_ model: ModelDraft) {
    candidates = model.reachable.flatMap { draft in
      draft.places.flatMap { place -> [Candidate] in
        let path = model.table[place].path
        guard let outer = try? JSONPath(path) else { return [] }
        return draft.properties.filter(Self.canBeKept).map {
          Candidate(steps: outer.steps + $0.path, place: path, property: $0)
        }
      }
    }
  }

  /// Returns whether a property can become an attribute: not the members of the object itself.
  private static func canBeKept(_ property: PropertyDraft) -> Bool {
    guard !property.isKept, property.misfit == nil else { return false }
    switch property.path.first {
    case .member, .key: return true
    default: return false
    }
  }

  /// Adds the property in which an import skips something, with the reason.
  ///
  /// - Parameters:
  ///   - issue: The issue of an import by the model.
  ///   - exclusions: Gets the property, and the identity that it is a part of.
  func note(_ issue: ImportIssue, in exclusions: inout Exclusions) {
    guard let path = try? JSONPath(issue.error.path) else { return }
    var best: (candidate: Candidate, length: Int, isNamed: Bool)?
    for candidate in candidates {
      guard let length = Self.match(candidate.steps[...], path.steps[...]) else { continue }
      let isNamed = candidate.property.name == issue.error.property
      if let best, (best.length, best.isNamed ? 1 : 0) >= (length, isNamed ? 1 : 0) { continue }
      best = (candidate, length, isNamed)
    }
    // A value deep inside says nothing about all that is around it.
    guard let best, path.steps.count - best.length <= 1 else { return }
    let property = best.candidate.property
    exclusions.misfits[best.candidate.place, default: [:]][property.place] = issue.error.message
    exclusions.identities[best.candidate.place, default: [:]][property.key] = issue.error.message
  }

  /// Returns the number of steps in the path of a value that the path of a property matches; nil if it leads elsewhere.
  private static func match(
    _ pattern: ArraySlice<JSONPath.Step>, _ steps: ArraySlice<JSONPath.Step>
  ) -> Int? {
    guard let first = pattern.first else {
      // The elements of a list belong to its property.
      if case .element? = steps.first { return 1 }
      return 0
    }
    let rest = pattern.dropFirst()
    switch (first, steps.first) {
    case (.key, _), (.value, _), (.index, _): return match(rest, steps)
    case (.eachElement, .element?), (.elements, .element?), (.eachMember, .member?):
      return match(rest, steps.dropFirst()).map { $0 + 1 }
    // A single object in place of a list.
    case (.eachElement, _): return match(rest, steps)
    case (_, let step?) where step == first:
      return match(rest, steps.dropFirst()).map { $0 + 1 }
    default: return nil
    }
  }
}
