// A place may have one object where others have a list, as converters from XML write it:
//
//   [{"title": "A", "author": {"name": "Ann", "born": 1970}},
//    {"title": "B", "author": [{"name": "Ben", "born": 1980}, {"name": "Eve", "born": 1990}]}]
//
// The single object is a list of one, which an import reads with the policy `wrap`; an export writes the list. Were the
// two told apart, neither would be an entity. An object without the keys of the listed ones, such as the summary in
// {"pages": {"total": 3}} beside {"pages": [{"no": 1}, …]}, is no element: both are kept as JSON. So is a string beside
// lists, unless it may be in place of an object: see `MentionedObjects`.

import Graft

/// Treats a single object as a list of one, if the same place elsewhere has a list of such objects.
enum SingleObjects {
  /// The least share of the keys that single and listed objects have in common.
  private static let leastShare = 0.6

  /// Wraps the single objects at all places inside.
  static func wrap(in shape: Shape) {
    guard shape.hasPlacesInside else { return }
    if let element = shape.element { wrap(in: element) }
    for column in shape.rows?.columns ?? [] { wrap(in: column) }
    if let each = shape.eachMember { wrap(in: each) }
    for member in shape.members {
      wrap(in: member.shape)
      member.shape.readEmptyStrings()
      if areElements(member.shape) { member.shape.wrapSingleObjects() }
    }
  }

  private static func areElements(_ shape: Shape) -> Bool {
    guard shape.arrayCount > 0, shape.arrayCount + shape.nullCount < shape.count,
      shape.eachMember == nil, shape.rows == nil, let element = shape.element,
      element.eachMember == nil, element.nullCount == 0, Composition(element) == .object,
      shape.objectCount + shape.arrayCount + shape.nullCount == shape.count
        || MentionedObjects.areSubstitutes(shape, for: element)
    else { return false }
    if shape.objectCount == 0 { return true }
    guard shape.objectCount > shape.emptyObjectCount else { return false }
    let common = shape.members.count { element.member($0.hash) != nil }
    let all = shape.members.count + element.members.count - common
    return common > 0 && Double(common) >= leastShare * Double(all)
  }
}
