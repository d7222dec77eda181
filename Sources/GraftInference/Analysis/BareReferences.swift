// Finds objects with nothing but an identifier that name objects of one other place: in `"derivesFrom": [{"@id": "#a"}]` all
// name sources, and in `"inputs": [{"@id": "#a"}, {"@id": "#x"}]` some name samples. Such objects have the same keys, but are
// references to things of two kinds.

import Graft

/// Finds the places of objects that are references to those of one other place.
enum BareReferences {
  /// The least share of identifiers that must be found at one place.
  private static let leastFound = 0.9

  /// Returns the places of objects with nothing but an identifier, where most name objects of one other place.
  ///
  /// Small numbers are equal to others by chance.
  static func places(in table: PlaceTable) -> Set<Int> {
    let candidates = (0..<table.count).filter { number in
      guard table[number].form == .object, onlyRefer(table[number]),
        table[number].shape.members.count == 1, let member = table[number].shape.members.first
      else { return false }
      return !member.shape.scalars.areSmall
    }
    guard candidates.count > 1 else { return [] }
    var known: [UInt64: (sketches: [ValueSketch], index: SketchIndex)] = [:]
    return Set(
      candidates.filter { number in
        guard let member = table[number].shape.members.first else { return false }
        if known[member.hash] == nil {
          let sketches = identities(under: member.hash, in: table)
          known[member.hash] = (sketches, SketchIndex(sketches))
        }
        guard let (sketches, index) = known[member.hash] else { return false }
        let sketch = member.shape.scalars.sketch
        return index.sketches(near: sketch).contains { other in
          let overlap = sketch.overlap(with: sketches[other])
          return Double(overlap.common) >= leastFound * Double(overlap.compared)
        }
      })
  }

  /// Returns the values that objects with more than an identifier have under a key, for each place where they differ.
  private static func identities(under key: UInt64, in table: PlaceTable) -> [ValueSketch] {
    table.places.compactMap { place in
      guard place.form == .object, place.shape.members.count > 1, !onlyRefer(place),
        let member = place.shape.member(key), member.identity?.contradictedKeys.isEmpty == true
      else { return nil }
      return member.scalars.sketch
    }
  }

  /// Returns whether the objects of a place have an identifier and no contents: `{"id": "s1", "type": "section"}`.
  private static func onlyRefer(_ place: Place) -> Bool {
    let members = place.shape.members
    return place.parent != nil && members.count { $0.name.isStrong } == 1
      && members.allSatisfy { member in
        (member.name.isStrong || IdentityNames.isMark(member.key))
          && Composition(member.shape).isScalar
      }
  }
}
