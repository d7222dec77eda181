import Graft

/// The words by which the objects of all places are called, which every comparison of two places needs.
struct PlaceNames {
  /// The words of the places' keys in the singular.
  private let wordsOfKeys: [String: Words]
  /// A number for the words that name the objects of each place.
  private let numbers: [Int]
  /// The last words of the keys of all places whose objects have a member, by the member.
  private let lastWordsOfHolders: [UInt64: Set<String>]
  /// The last words of the keys of all places that hold objects.
  private let lastWords: Set<String>

  init(_ table: PlaceTable) {
    let words = Dictionary(
      (0..<table.count).map { (table[$0].key, Self.words(of: table[$0].key)) },
      uniquingKeysWith: { first, _ in first })
    wordsOfKeys = words
    numbers = Self.numbers(table, words)
    var holders: [UInt64: Set<String>] = [:]
    var lastWords: Set<String> = []
    for place in table.places where place.form == .object {
      let last = words[place.key]?.parts.last
      if let last { lastWords.insert(last) }
      for member in place.shape.members where Composition(member.shape) == .object {
        holders[member.hash, default: []].insert(last ?? "")
      }
    }
    self.lastWords = lastWords
    lastWordsOfHolders = holders
  }

  /// Returns the words of a place's key in the singular.
  subscript(place: Place) -> [String] { words(of: place.key).parts }

  /// Returns the words of a key in the singular, without a word for a container.
  func words(of key: String) -> Words { wordsOfKeys[key] ?? Self.words(of: key) }

  /// Returns whether the objects of two places have the same name: the `nodes` of `comments` count as comments.
  func areEqual(_ first: Int, _ second: Int) -> Bool { numbers[first] == numbers[second] }

  /// Returns whether objects are called by a word somewhere.
  func areCalled(_ word: String) -> Bool { lastWords.contains(word) }

  /// Returns whether all objects that have an object as a member are called alike.
  func areHoldersCalledAlike(_ member: UInt64) -> Bool { lastWordsOfHolders[member]?.count == 1 }

  /// Returns whether objects are at a key that names a person, such as `author`.
  func arePerson(_ place: Place) -> Bool { IdentityNames.isPerson(self[place]) }

  /// Words for containers, which do not name their content: the `fnMap` holds functions, the `branchMap` branches, and a
  /// `locL` locations.
  private static let containers: Set<String> = [
    "map", "list", "l", "dict", "dictionary", "table", "lookup", "array", "collection",
  ]

  private static func words(of key: String) -> Words {
    let words = Words(key).singular
    guard words.parts.count > 1, let last = words.parts.last, containers.contains(last) else {
      return words
    }
    return Words(parts: words.parts.dropLast()).singular
  }

  /// Returns a number for each place; places whose objects have the same name share it.
  private static func numbers(_ table: PlaceTable, _ wordsOfKeys: [String: Words]) -> [Int] {
    var numbers: [Words: Int] = [:]
    return (0..<table.count).map { place in
      let words = name(of: place, table, wordsOfKeys)
      let number = numbers[words] ?? numbers.count
      numbers[words] = number
      return number
    }
  }

  private static func name(
    of place: Int, _ table: PlaceTable, _ wordsOfKeys: [String: Words]
  ) -> Words {
    func words(_ place: Int) -> Words { wordsOfKeys[table[place].key] ?? Words(parts: []) }
    let own = words(place)
    var (name, number) = (own, place)
    while name.parts.count == 1, IdentityNames.general.contains(name.parts[0]) {
      guard let parent = table[number].parent, isWrapper(table[parent]) else { return own }
      number = parent
      name = words(number)
    }
    return name.isEmpty ? own : name
  }

  /// The most members of an object around a list, such as the `pageInfo` beside `nodes`.
  private static let listMemberLimit = 3

  /// Returns whether the objects of a place mainly contain others: the `values` of an enumeration are no enumerations.
  ///
  /// Objects with an identity are more than that: `{"id": "FREQ", "name": "Frequency", "values": […]}`.
  private static func isWrapper(_ place: Place) -> Bool {
    place.link == .one
      || place.shape.members.count <= listMemberLimit
        && !place.shape.members.contains { $0.name.isStrong }
  }
}
