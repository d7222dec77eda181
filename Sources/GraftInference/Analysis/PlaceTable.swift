import Graft

/// A place whose values may be objects of an entity.
///
/// A class, because each place is compared with many others: a copy would count the references of all its parts.
final class Place {
  /// The form of the values as the entity reads them.
  enum Form: Equatable {
    case object
    /// A string, number or boolean under the key of a dictionary.
    case value
    /// An array of objects, or of identifiers, under the key of a dictionary or in an array.
    case array
    /// A dictionary under the key of another one, or in an array.
    case dictionary
    /// An array with another meaning at each position.
    case row
  }

  /// The number of values that an object has at the place.
  enum Link: Equatable {
    case one
    case elements
    case members
  }

  let shape: Shape
  let form: Form
  /// The place of the enclosing object; nil for the document's own.
  let parent: Int?
  let link: Link
  /// The path from the enclosing object.
  let steps: [JSONPath.Step]
  /// The last key of that path; empty if there is none.
  let key: String
  /// The dictionary whose members the values are.
  let dictionary: Shape?
  /// The path from the root of the document.
  let path: String
  /// The keys of the objects, in ascending order.
  let keys: ContiguousArray<UInt64>

  init(
    _ shape: Shape, _ form: Form, parent: Int?, link: Link, steps: [JSONPath.Step], key: String,
    dictionary: Shape?, path: String
  ) {
    self.shape = shape
    self.form = form
    self.parent = parent
    self.link = link
    self.steps = steps
    self.key = key
    self.dictionary = dictionary
    self.path = path
    keys = ContiguousArray(shape.members.map(\.hash).sorted())
  }

  /// Returns the keys that objects of both places have.
  ///
  /// Most places have none in common with most others, and no set is made for these.
  func commonKeys(with other: Place) -> Set<UInt64> {
    var common: Set<UInt64> = []
    forEachCommonKey(with: other) { common.insert($0) }
    return common
  }

  /// Returns the number of the keys that objects of both places have.
  func commonKeyCount(with other: Place) -> Int {
    var count = 0
    forEachCommonKey(with: other) { _ in count += 1 }
    return count
  }

  @inline(__always)
  private func forEachCommonKey(with other: Place, _ body: (UInt64) -> Void) {
    var index = 0
    for key in keys {
      while index < other.keys.count, other.keys[index] < key { index += 1 }
      guard index < other.keys.count else { return }
      if other.keys[index] == key { body(key) }
    }
  }
}

/// The objects around other objects that contain only these: `[{"team": {…}}, {"team": {…}}]`.
///
/// The teams are the elements, found at `[*].team`. `[{"user": {…}}, {"team": {…}}]` is no list of wrappers, and nor is
/// `[{"rank": 1, "team": {…}}]`, whose objects say something of their own.
private struct Wrapper {
  /// The shape of the content.
  let content: Shape
  /// The keys on the path to the content.
  let keys: [String]
  /// The key that names the content; nil if the keys are general.
  let name: String?

  init?(_ shape: Shape) {
    var content = shape
    var keys: [String] = []
    while content.members.count == 1, content.eachMember == nil, content.substituteCount == 0,
      let only = content.members.first,
      Composition(only.shape) == .object, only.shape.nullCount == 0,
      only.shape.objectCount == content.objectCount, !only.shape.members.isEmpty
    {
      keys.append(only.key)
      content = only.shape
    }
    guard !keys.isEmpty else { return nil }
    self.content = content
    self.keys = keys
    // One letter, as in {"L": [{"M": {…}}]}, names nothing.
    name = keys.last { key in
      key.count > 1 && !IdentityNames.general.contains(key.lowercased())
        && !IdentityNames.namesPart(Words(key).singular.parts)
    }
  }

  /// Returns whether what is inside may be the element of a list, by its name or as it has an identifier: `{"teams": [{"team":
  /// {…}}]}`.
  ///
  /// Each of the `notes` in `{"notes": [{"pitch": {"step": "C"}}]}` is a note, and has a pitch.
  func holdsElement(of key: String) -> Bool {
    let list = Words(key).singular.parts
    guard let name, let last = list.last, Words(key).isPlural,
      !content.members.contains(where: { $0.name.isStrong }),
      !IdentityNames.general.contains(last), !IdentityNames.namesPart(list)
    else { return true }
    return Words(name).singular.parts.contains(last)
  }
}

/// All places of a document whose values may be objects of an entity.
struct PlaceTable {
  private(set) var places: [Place] = []
  /// The children of each place by their steps.
  private(set) var children: [[[JSONPath.Step]: Int]] = []
  /// The place of the objects at the root of each document; nil where a document has none.
  private(set) var roots: [Int?] = []

  /// The wrappers around the elements of arrays, by the key of the arrays; empty for none.
  private var wrappers: [String: [String]] = [:]

  /// Whether each value of a list in a dictionary at the root has a place.
  private let opensLists: Bool

  /// - Parameters:
  ///   - shapes: The places of the documents themselves.
  ///   - opensLists: Whether each value of a list in a dictionary at the root has a place.
  init(_ shapes: [Shape], opensLists: Bool = false) {
    self.opensLists = opensLists
    for shape in shapes { noteWrappers(in: shape, under: "") }
    for shape in shapes {
      let number = places.count
      visit(shape, parent: nil, steps: [], key: "", path: "$")
      roots.append(places.count > number ? number : nil)
    }
  }

  subscript(number: Int) -> Place { places[number] }

  var count: Int { places.count }

  /// Returns the place of the objects at a path from those of another place; nil where there are none.
  func place(at path: [JSONPath.Step], from place: Int) -> Int? {
    if path.isEmpty { return place }
    for (steps, child) in children[place] where path.starts(with: steps) {
      if let found = self.place(at: Array(path.dropFirst(steps.count)), from: child) {
        return found
      }
    }
    return nil
  }

  /// Returns the places of the objects at a path from those of another place, or inside the values there.
  func places(below path: [JSONPath.Step], of place: Int) -> [Int] {
    children[place].flatMap { steps, child in
      if steps.starts(with: path) { return [child] }
      return path.starts(with: steps)
        ? places(below: Array(path.dropFirst(steps.count)), of: child) : []
    }
  }

  /// Notes the wrappers around the elements of all arrays inside.
  ///
  /// Arrays with one key may belong to one entity, which reads all of them at one path. So a
  /// wrapper around the elements of only some arrays is kept as an object.
  private mutating func noteWrappers(in shape: Shape, under key: String) {
    guard shape.hasPlacesInside else { return }
    if let element = shape.element {
      if Composition(shape) == .objects {
        // A relationship holds an object once; a wrapper keeps the second mention.
        let isList = !shape.hasRepeatedElements && shape.singleCount == 0
        let wrapper = isList ? Wrapper(element) : nil
        let keys = wrapper.map { $0.holdsElement(of: key) ? $0.keys : [] } ?? []
        if let known = wrappers[key], known != keys {
          wrappers[key] = []
        } else {
          wrappers[key] = keys
        }
      }
      noteWrappers(in: element, under: "")
    }
    for column in shape.rows?.columns ?? [] { noteWrappers(in: column, under: "") }
    if let each = shape.eachMember { noteWrappers(in: each, under: "") }
    for member in shape.members { noteWrappers(in: member.shape, under: member.key) }
  }

  // Most members are not places, so their paths are not made.
  private mutating func visit(
    _ shape: Shape, parent: Int?, steps: [JSONPath.Step], key: String,
    path: @autoclosure () -> String
  ) {
    switch Composition(shape) {
    case .object:
      guard shape.objectCount > 0 else { return }
      add(shape, .object, parent, .one, steps, key, path())
    case .objects:
      guard let element = shape.element, element.objectCount > 0 else { return }
      let isWrapped = parent != nil && wrappers[key]?.isEmpty == false
      let wrapper = isWrapped ? Wrapper(element) : nil
      let content = wrapper?.content ?? element
      let inside: [JSONPath.Step] =
        wrapper.map { [.eachElement] + $0.keys.map(JSONPath.Step.member) } ?? []
      add(
        content, .object, parent, .elements, steps + inside,
        wrapper?.name ?? name(of: key, in: parent),
        path() + "[*]" + (wrapper?.keys.map { ".\($0)" }.joined() ?? ""))
    case .grid:
      guard let element = shape.element, element.nullCount == 0 else { return }
      switch Composition(element) {
      case .row:
        let isBelowHeader = element.rows?.header.isEmpty == false
        add(
          element, .row, parent, .elements, steps + (isBelowHeader ? [.elements(from: 1)] : []),
          key, path() + "[*]")
      case .objects: add(element, .array, parent, .elements, steps, key, path() + "[*]")
      case .dictionary where element.eachMember.flatMap(Self.form) != nil:
        add(element, .dictionary, parent, .elements, steps, key, path() + "[*]")
      default: break
      }
    case .dictionary:
      guard let each = shape.eachMember, let form = PlaceTable.form(ofMembers: each) else { return }
      add(each, form, parent, .members, steps + [.eachMember], key, path() + ".*", of: shape)
    case .mixed:
      guard parent == nil, let (list, position) = shape.listBesideHeader else { return }
      add(
        list, .object, nil, .elements, [.element(position)], key, "\(path())[\(position)][*]")
    default: break
    }
  }

  /// Returns the key that names the objects of a list: not the `L` of `{"tags": {"L": [{"S": "a"}]}}`.
  private func name(of key: String, in parent: Int?) -> String {
    guard MemberName.namesType(key), let parent, !places[parent].key.isEmpty else { return key }
    return places[parent].key
  }

  /// The key of JSON-LD's vocabulary, which says what keys mean and holds no things; it is kept as JSON.
  private static let vocabulary = "@context"

  /// Returns the form of a dictionary's members; nil if they are kept as JSON.
  static func form(ofMembers each: Shape) -> Place.Form? {
    guard each.nullCount == 0, each.mentionCount == 0 else { return nil }
    switch Composition(each) {
    case .boolean, .number, .string: return .value
    case .object: return .object
    case .objects: return .array
    case .scalars:
      return each.hasRepeatedElements || (each.element?.nullCount ?? 0) > 0 ? nil : .array
    case .dictionary:
      return each.eachMember.flatMap(form) == nil ? nil : .dictionary
    case .null, .emptyObject, .emptyArray, .grid, .row, .mixed, .unknown: return nil
    }
  }

  private static func path(of key: String, in path: String) -> String {
    let name = JSONPath([.member(key)]).description
    return name.hasPrefix("[") ? path + name : "\(path).\(name)"
  }

  private mutating func add(
    _ shape: Shape, _ form: Place.Form, _ parent: Int?, _ link: Place.Link,
    _ steps: [JSONPath.Step], _ key: String, _ path: String, of dictionary: Shape? = nil
  ) {
    let number = places.count
    places.append(
      Place(
        shape, form, parent: parent, link: link, steps: steps, key: key, dictionary: dictionary,
        path: path))
    children.append([:])
    if let parent { children[parent][steps] = number }
    switch form {
    case .object:
      for member in shape.members where member.key != Self.vocabulary {
        visit(
          member.shape, parent: number, steps: [.member(member.key)], key: member.key,
          path: Self.path(of: member.key, in: path))
      }
      // The members other than those with fixed keys.
      if let each = shape.eachMember, let form = Self.form(ofMembers: each) {
        add(each, form, number, .members, [.eachMember], key, path + ".*", of: shape)
      }
    case .array:
      guard let element = shape.element else { return }
      switch Composition(element) {
      case .object: add(element, .object, number, .elements, [.eachElement], key, path + "[*]")
      case .boolean, .number, .string:
        guard opensLists, parent == nil else { return }
        add(element, .value, number, .elements, [.eachElement], "value", path + "[*]")
      default: break
      }
    case .dictionary:
      guard let each = shape.eachMember, let form = Self.form(ofMembers: each) else { return }
      add(each, form, number, .members, [.eachMember], key, path + ".*", of: shape)
    case .row:
      for (position, column) in (shape.rows?.columns ?? []).enumerated() {
        visit(
          column, parent: number, steps: [.element(position)],
          key: shape.rows?.name(of: position) ?? "", path: "\(path)[\(position)]")
      }
    case .value: break
    }
  }
}
