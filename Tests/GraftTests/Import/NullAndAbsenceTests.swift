import Testing

@testable import Graft

/// What `null` and the absence of a key do, by an annotation or by the import's options.
@Suite struct `Null and absence` {
  /// Where a policy is said: the property's annotation, or the options.
  enum Level: CaseIterable {
    case annotation
    case options
  }

  private static let first = #"{"id":1,"note":"old","size":5,"boss":2,"team":[3,4]}"#

  private func trial(_ userInfo: [String: String]) throws -> ImportTrial {
    let size = AttributeDescription(
      name: "size", type: .integer64, isOptional: false, defaultValue: .integer(10),
      userInfo: userInfo)
    // A relationship has no default to take.
    let links = userInfo.mapValues { $0 == "default" ? "clear" : $0 }
    let trial = try ImportTrial([
      .make(
        "Hero", [.make("note", .string, userInfo), size],
        [.make("boss", to: "Hero", links), .make("team", to: "Hero", many: true, links)])
    ])
    try trial.load("[2,3,4]")
    try trial.load(Self.first)
    return trial
  }

  /// The values of hero 1 in a fixed order.
  private func hero(_ trial: ImportTrial) throws -> String {
    let hero = try #require(
      try trial.store.graph.object("Hero", identifiedBy: ["id": .integer(1)]))
    let note = if case .string(let text)? = hero["note"] { text } else { "-" }
    let size = if case .integer(let number)? = hero["size"] { "\(number)" } else { "-" }
    return
      "\(note) \(size) \(hero.object("boss") == nil ? "-" : "boss") \(hero.objects("team").count)"
  }

  @Test(
    arguments: [
      (NullPolicy.clear, "- 10 - 0"), (.keep, "old 5 boss 2"), (.default, "- 10 - 0"),
      (.error, "error"),
    ], Level.allCases)
  func `null`(of policy: (NullPolicy, String), level: Level) throws {
    let trial = try trial(level == .annotation ? ["JSONNull": policy.0.rawValue] : [:])
    let options = ImportOptions.with {
      guard level == .options else { return }
      $0.attributeNull = policy.0
      $0.relationshipNull = policy.0
    }
    for key in ["note", "size", "boss", "team"] where policy.1 == "error" {
      let message = trial.failure(#"{"id":1,"\#(key)":null}"#, options)
      #expect(message.hasPrefix("1:\(key.utf8.count + 12): $.\(key): expected "), "\(message)")
      #expect(message.hasSuffix(", found null"))
    }
    guard policy.1 != "error" else { return }
    try trial.load(#"{"note":null,"size":null,"boss":null,"team":null,"id":1}"#, options)
    #expect(try hero(trial) == policy.1)
  }

  @Test(
    arguments: [
      (AbsentPolicy.keep, "old 5 boss 2"), (.clear, "- 10 - 0"), (.default, "- 10 - 0"),
      (.error, "error"),
    ], Level.allCases)
  func `absence`(of policy: (AbsentPolicy, String), level: Level) throws {
    let trial = try trial(level == .annotation ? ["JSONAbsent": policy.0.rawValue] : [:])
    let options = ImportOptions.with {
      guard level == .options else { return }
      $0.attributeAbsent = policy.0
      $0.relationshipAbsent = policy.0
    }
    guard policy.1 != "error" else {
      #expect(
        trial.failure(#"[{"id":1}]"#, options)
          == "1:2: $[0]: expected note of Hero to be present, found no key for it")
      return
    }
    try trial.load(#"{"id":1}"#, options)
    #expect(try hero(trial) == policy.1)
  }

  @Test func `the annotation comes before the options`() throws {
    let trial = try trial(["JSONNull": "keep", "JSONAbsent": "keep"])
    let options = ImportOptions.with {
      $0.attributeNull = .error
      $0.relationshipNull = .error
      $0.attributeAbsent = .error
      $0.relationshipAbsent = .error
    }
    try trial.load(#"{"id":1,"note":null,"boss":null}"#, options)
    #expect(try hero(trial) == "old 5 boss 2")
  }

  @Test func `a new object takes its defaults where keys are absent`() throws {
    let trial = try trial([:])
    try trial.load(#"{"id":9}"#)
    #expect(trial.lines.last == "Hero/5 id: 9, size: 10")
  }

  @Test func `null for a required attribute without a default is an error`() throws {
    let trial = try ImportTrial([
      .make("Hero", [AttributeDescription(name: "name", type: .string, isOptional: false)])
    ])
    #expect(
      trial.failure(#"{"id":1,"name":null}"#) == "1:16: $.name: expected a text, found null")
    #expect(
      trial.failure(#"[{"id":1}]"#)
        == #"1:2: $[0]: expected a value for name of Hero (required, read from "name"), found none"#
    )
    try trial.load(#"{"id":1,"name":"Ada"}"#)
    try trial.load(#"{"id":1}"#)
    #expect(trial.lines == [#"Hero/1 id: 1, name: "Ada""#])
  }

  @Test func `the later of a key that stands twice counts, be it null`() throws {
    let trial = try trial([:])
    try trial.load(#"{"id":1,"note":"new","note":null,"size":null,"size":6,"boss":null,"boss":3}"#)
    #expect(try hero(trial) == "- 6 boss 2")
  }
}
