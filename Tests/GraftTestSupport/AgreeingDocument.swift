@testable import Graft

/// A random document in which objects are found many times and never disagree, unless told otherwise.
struct AgreeingDocument {
  static let model: [EntityDescription] = [
    .make(
      "Person",
      [
        .make("name"), .make("age", .integer64), .make("joined", .date),
        AttributeDescription(name: "score", type: .double, defaultValue: .double(1)),
      ],
      [
        .make("team", to: "Team"), .make("friends", to: "Person", many: true),
        .make("note", to: "Note"),
      ]),
    .make("Team", identity: "slug", [.make("slug"), .make("city"), .make("size", .integer32)]),
    .make("Note", identity: "", [.make("text")]),
  ]

  private var elements: [String] = []
  private var planted: [String] = []
  private var position = 0

  init(_ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 2...12, using: &random) {
      elements.append(Self.person(depth: 0, &random))
    }
    let id = Int.random(in: 0..<5, using: &random)
    let values = [
      (#""name": "Ann\#(id)""#, #""name": "Bob""#), (#""age": \#(id)"#, #""age": "99""#),
      (#""score": 1"#, #""score": 2.5"#), (#""score": \#(id).5"#, #""score": 1"#),
      (#""joined": "2012-09-24""#, #""joined": 0"#),
    ]
    // An object of its own, so that it alone differs from itself.
    let (first, second) = values.randomElement(using: &random) ?? values[0]
    planted = ["{\"id\": 77, \(first)}", "{\(second), \"id\": \"77\"}"]
    if Bool.random(using: &random) { planted.swapAt(0, 1) }
    position = Int.random(in: 0...elements.count, using: &random)
  }

  func text(isPlanted: Bool) -> String {
    var all = elements
    if isPlanted {
      all.insert(planted[0], at: position)
      // Others may come between the two.
      all.insert(planted[1], at: min(all.count, position + 1 + elements.count / 3))
    }
    return "[" + all.joined(separator: ",\n ") + "]"
  }

  private static func person(depth: Int, _ random: inout SeededGenerator) -> String {
    let id = Int.random(in: 0..<5, using: &random)
    var members = [#""id": \#(spelled(id, &random))"#]
    let attributes = [
      #""name": "Ann\#(id)""#, #""age": \#(spelled(id, &random))"#, #""score": \#(id).5"#,
      ["\"joined\": \"2012-09-24\"", "\"joined\": 1348444800"].randomElement(using: &random) ?? "",
      #""note": {"text": "\#(Int.random(in: 0..<9, using: &random))"}"#,
      #""team": \#(team(&random))"#,
    ]
    members += attributes.filter { _ in Bool.random(using: &random) }
    if depth < 2 {
      let friends = (0..<Int.random(in: 0...2, using: &random)).map { _ in
        Bool.random(using: &random)
          ? person(depth: depth + 1, &random)
          : spelled(Int.random(in: 0..<7, using: &random), &random)
      }
      members.append("\"friends\": [\(friends.joined(separator: ", "))]")
    }
    return "{" + members.shuffled(using: &random).joined(separator: ", ") + "}"
  }

  private static func team(_ random: inout SeededGenerator) -> String {
    let slug = ["a", "b", "c"].randomElement(using: &random) ?? "a"
    return [
      "null", "\"\(slug)\"", #"{"slug": "\#(slug)", "city": "city of \#(slug)"}"#,
      #"{"size": 11, "slug": "\#(slug)", "city": null}"#,
    ].randomElement(using: &random) ?? "null"
  }

  private static func spelled(_ number: Int, _ random: inout SeededGenerator) -> String {
    Bool.random(using: &random) ? "\(number)" : "\"\(number)\""
  }
}
