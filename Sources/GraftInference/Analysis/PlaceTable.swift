import Graft

/// A place whose values may be objects of an entity.
struct Place {
  /// What the values are, seen from the entity.
  enum Form: Equatable {
    case object
    /// A string, number or boolean under the key of a dictionary.
    case value
    /// An array of objects, or of identifiers, under the key of a dictionary.
    case array
    /// A dictionary under the key of another one.
    case dictionary
  }

  /// How many values an object has there.
  enum Link: Equatable {
    case one
    case elements
    case members
  }

  let shape: Shape
  let form: Form
  /// The place of the object around it; nil for the document's own.
  let parent: Int?
  let link: Link
  /// The way from the object around it.
  let steps: [JSONPath.Step]
  /// The nearest key on that way; empty where there is none.
  let key: String
  /// The dictionary whose members the values are.
  let dictionary: Shape?
  /// The path from the root of the document.
  let path: String
  /// The keys of the objects.
  let keys: Set<UInt64>
}

/// All places of a document whose values may be objects of an entity.
struct PlaceTable {
  private(set) var places: [Place] = []
  /// The children of each place by their steps.
  private(set) var children: [[[JSONPath.Step]: Int]] = []
  /// The place of the objects at the root of each document; nil where a document has none.
  private(set) var roots: [Int?] = []

  init(_ shapes: [Shape]) {
    for shape in shapes {
      let number = places.count
      visit(shape, parent: nil, steps: [], key: "", path: "$")
      roots.append(places.count > number ? number : nil)
    }
  }

  subscript(number: Int) -> Place { places[number] }

  var count: Int { places.count }

  private mutating func visit(
    _ shape: Shape, parent: Int?, steps: [JSONPath.Step], key: String, path: String
  ) {
    switch Composition(shape) {
    case .object:
      add(shape, .object, parent, .one, steps, key, path)
    case .objects:
      guard let element = shape.element else { return }
      add(element, .object, parent, .elements, steps, key, path + "[*]")
    case .dictionary:
      guard let each = shape.eachMember, let form = PlaceTable.form(ofMembers: each) else { return }
      add(each, form, parent, .members, steps + [.eachMember], key, path + ".*", of: shape)
    default: break
    }
  }

  /// What the members of a dictionary are to an entity; nil where they are kept as JSON.
  static func form(ofMembers each: Shape) -> Place.Form? {
    guard each.nullCount == 0 else { return nil }
    switch Composition(each) {
    case .boolean, .number, .string: return .value
    case .object: return .object
    case .objects: return .array
    case .scalars:
      return each.hasRepeatedElements || (each.element?.nullCount ?? 0) > 0 ? nil : .array
    case .dictionary:
      return each.eachMember.flatMap(form) == nil ? nil : .dictionary
    case .null, .emptyObject, .emptyArray, .grid, .mixed, .unknown: return nil
    }
  }

  private mutating func add(
    _ shape: Shape, _ form: Place.Form, _ parent: Int?, _ link: Place.Link,
    _ steps: [JSONPath.Step], _ key: String, _ path: String, of dictionary: Shape? = nil
  ) {
    let number = places.count
    places.append(
      Place(
        shape: shape, form: form, parent: parent, link: link, steps: steps, key: key,
        dictionary: dictionary, path: path, keys: Set(shape.members.map(\.hash))))
    children.append([:])
    if let parent { children[parent][steps] = number }
    switch form {
    case .object:
      for member in shape.members {
        let name = JSONPath([.member(member.key)]).description
        visit(
          member.shape, parent: number, steps: [.member(member.key)], key: member.key,
          path: name.hasPrefix("[") ? path + name : "\(path).\(name)")
      }
    case .array:
      guard let element = shape.element, Composition(element) == .object else { return }
      add(element, .object, number, .elements, [.eachElement], key, path + "[*]")
    case .dictionary:
      guard let each = shape.eachMember, let form = Self.form(ofMembers: each) else { return }
      add(each, form, number, .members, [.eachMember], key, path + ".*", of: shape)
    case .value: break
    }
  }
}
