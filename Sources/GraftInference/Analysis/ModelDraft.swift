import Graft

/// A document after it was read.
struct SurveyedDocument {
  let survey: ShapeSurvey
  /// The name of the objects at its root; nil if unknown.
  let rootName: String?
  /// The name of the file that it comes from; nil for none.
  let fileName: String?
  /// The options of its parser.
  let options: ParserOptions
}

/// The entities of a document, as drafts that each step improves.
final class ModelDraft {
  let table: PlaceTable
  let options: InferenceOptions
  let documents: [SurveyedDocument]
  /// The identities that the user has named, by the path of a place; an empty array for none.
  let identities: [String: [String]]
  private(set) var drafts: [EntityDraft] = []
  /// The draft of each place.
  private var draftOfPlace: [Int] = []
  /// The drafts that the model has, in the order in which they are reached from the root.
  private(set) var reachable: [EntityDraft] = []
  /// The error for an unknown name in the options; nil if all names are known.
  var fault: InferenceError?

  /// Makes a draft for each kind of object.
  ///
  /// - Parameters:
  ///   - documents: The documents.
  ///   - table: The places of their objects.
  ///   - grouping: The places that hold the same kind of object.
  ///   - unread: The places whose objects are kept as JSON, with all places inside, and have drafts of their own.
  ///   - identities: The identities that the user has named, by the path of a place; an empty array for none.
  ///   - options: The user's knowledge of the documents.
  init(
    _ documents: [SurveyedDocument], _ table: PlaceTable, _ grouping: EntityGrouping,
    without unread: Set<Int>, identities: [String: [String]], options: InferenceOptions
  ) {
    self.options = options
    self.documents = documents
    self.identities = identities
    self.table = table
    makeDrafts(of: grouping, without: unread)
  }

  /// The drafts of the objects at the root of each document.
  var roots: [EntityDraft?] { table.roots.map { $0.map(draft) } }

  /// The entities of the objects at the root of each document, and the paths to these.
  var rootPaths: [(entity: String, path: JSONPath)?] {
    zip(roots, table.roots).map { root, place in
      guard let root, let place else { return nil }
      return (root.name, JSONPath(table[place].steps))
    }
  }

  /// Returns the number of the first document at whose root a draft's objects are.
  func rootNumber(of draft: EntityDraft) -> Int? { roots.firstIndex { $0 === draft } }

  private func makeDrafts(of grouping: EntityGrouping, without unread: Set<Int>) {
    var groups: [Int: [Int]] = [:]
    var unread = unread
    for number in 0..<table.count {
      if let parent = table[number].parent, unread.contains(parent) { unread.insert(number) }
      // Beyond the numbers of the groups, each such place is alone.
      let group = unread.contains(number) ? table.count + number : grouping.group(of: number)
      groups[group, default: []].append(number)
    }
    draftOfPlace = Array(repeating: 0, count: table.count)
    for (number, group) in groups.keys.sorted().enumerated() {
      let places = groups[group] ?? []
      drafts.append(EntityDraft(number: number, places: places, in: table))
      for place in places { draftOfPlace[place] = number }
    }
    for number in 0..<table.count {
      if let parent = table[number].parent { draft(at: number).noteOuter(draftOfPlace[parent]) }
    }
    for (index, root) in roots.enumerated() {
      let file = FileWords(documents[index].fileName)?.name(isDocument: false)
      root?.addAliases(rootName: documents[index].rootName ?? file)
    }
  }

  /// Returns whether the user has named the identity of an entity.
  func isIdentityGiven(_ draft: EntityDraft) -> Bool {
    draft.places.contains { identities[table[$0].path] != nil }
  }

  /// Returns the draft for the objects of a place.
  func draft(at place: Int) -> EntityDraft { drafts[draftOfPlace[place]] }

  /// Returns the draft for the objects at some steps from a draft's objects.
  func child(of draft: EntityDraft, at steps: [JSONPath.Step]) -> EntityDraft? {
    for place in draft.places {
      if let number = table.children[place][steps] { return self.draft(at: number) }
    }
    return nil
  }

  /// Returns the draft of an array's elements, and the path to them through their wrappers; nil if
  /// objects have different paths.
  func list(
    of draft: EntityDraft, under key: String
  ) -> (child: EntityDraft, steps: [JSONPath.Step])? {
    var found: (EntityDraft, [JSONPath.Step])?
    for place in draft.places {
      let lists = table.children[place].filter { steps, number in
        steps.first == .member(key) && table[number].link == .elements
      }
      guard let (steps, number) = lists.first else { continue }
      if let found, found.1 != steps { return nil }
      found = (self.draft(at: number), steps)
    }
    return found
  }

  /// The places whose objects are kept as JSON, because another place of the same property has values of another kind:
  /// the objects at `$.args[*].type` where `$.fields[*].type` has strings.
  ///
  /// They say nothing about the objects that an import reads at other places.
  var unreadPlaces: Set<Int> {
    var unread: Set<Int> = []
    for draft in reachable {
      for property in draft.properties where property.composition == .mixed {
        guard case .attribute = property.role else { continue }
        for place in draft.places {
          unread.formUnion(table.places(below: property.path, of: place))
        }
      }
    }
    return unread
  }

  /// Counts the objects without keys at places that are read as objects of a draft, though none of theirs has keys.
  func countEmptyObjects() {
    for draft in reachable {
      for property in draft.properties where property.composition == .object {
        guard case .relationship(let target, .one) = property.role else { continue }
        for place in draft.places {
          let value = property.path.reduce(table[place].shape as Shape?) { shape, step in
            if case .member(let key) = step { shape?.member(named: key) } else { nil }
          }
          guard let value, Composition(value) == .emptyObject else { continue }
          drafts[target].emptyCount += value.objectCount
        }
      }
    }
  }

  /// Finds the reachable drafts again, after properties have changed.
  func collectReachable() {
    reachable = []
    var known: Set<Int> = []
    for root in roots.compactMap(\.self) where known.insert(root.number).inserted {
      reachable.append(root)
    }
    var index = 0
    while index < reachable.count {
      for property in reachable[index].properties {
        if let target = property.target, known.insert(target).inserted {
          reachable.append(drafts[target])
        }
      }
      index += 1
    }
  }
}
