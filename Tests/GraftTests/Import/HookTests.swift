import Foundation
import Synchronization
import Testing

@testable import Graft
@testable import GraftTestSupport

/// The program's own say in an import, and what else goes on around objects.
@Suite struct `An import` {
  struct Refusal: Error, CustomStringConvertible {
    var description: String { "not this one" }
  }

  private let trial: ImportTrial

  init() throws {
    trial = try ImportTrial([
      .make("Hero", [.make("name"), .make("age", .integer64)], [.make("boss", to: "Hero")])
    ])
  }

  @Test func `asks whether an object is to be imported`() throws {
    let options = ImportOptions.with {
      $0.hooks["Hero"] = ImportHooks(shouldImport: { $0.values["name"] != .string("Eve") })
    }
    try trial.load(
      #"[{"name":"Eve","id":1},{"id":2,"name":"Ada","boss":{"id":3,"name":"Eve"}}]"#, options)
    #expect(trial.lines == [#"Hero/1 id: 2, name: "Ada""#])
  }

  @Test(arguments: [true, false])
  func `lets go of its hooks when it ends, by which an importer may hold itself`(
    isCancelled: Bool
  ) throws {
    weak var left: ImporterHolder?
    do {
      let holder = ImporterHolder()
      left = holder
      let importer = try trial.store.makeImporter(
        [ImportRoot("Hero")],
        options: .with { $0.hooks["Hero"] = holder.hooks(isCancelling: isCancelled) })
      holder.hold(importer)
      if isCancelled {
        #expect(throws: ImportError.self) {
          try importer.parse(Data(#"[{"id":1}]"#.utf8))
          _ = try importer.finish()
        }
      } else {
        try importer.parse(Data(#"[{"id":1}]"#.utf8))
        #expect(try importer.finish().insertedCount == 1)
      }
    }
    #expect(left == nil)
  }

  @Test func `lets values be changed, and changed back is unchanged`() throws {
    let options = ImportOptions.with {
      $0.hooks["Hero"] = ImportHooks(
        willImport: { $0.values["name"] = .string("[\($0.path)]") },
        validators: ["age": { value in value == .integer(0) ? nil : value }])
    }
    for _ in 0..<2 { try trial.load(#"[{"id":1,"age":0,"name":"x"},{"id":2,"age":7}]"#, options) }
    #expect(
      trial.lines == [#"Hero/1 id: 1, name: "[$[0]]""#, #"Hero/2 age: 7, id: 2, name: "[$[1]]""#])
    #expect(try trial.load(#"{"id":1,"age":0}"#, .with { _ in }).updatedCount == 1)
  }

  @Test(arguments: [
    (
      "code", AttributeValue.string("x1"),
      #"expected a string that matches "[A-Z]+" as a whole, found "x1" from a hook"#
    ),
    ("code", .string("TOOLONG"), "expected between 0 and 5 characters, found 7 from a hook"),
    ("age", .integer(-1), "expected at least 0, found -1 from a hook"),
    ("age", .string("x"), #"expected an integer of 64 bits, found "x" from a hook"#),
  ])
  func `refuses a value of a hook that breaks a rule, as one of the document`(
    name: String, value: AttributeValue, message: String
  ) throws {
    struct Hero: Entity {
      let id = Attribute<String>()
      let age = Attribute<Int?>(minimum: 0)
      let code = Attribute<String?>(length: 0...5, pattern: "[A-Z]+")
      static let identity = [\Self.id]
    }
    let store = try GraphStore(for: Hero.self)
    let options = ImportOptions.with {
      $0.hooks["Hero"] = ImportHooks(willImport: { hero in
        if hero.values["id"] == .string("b") { hero.values[name] = value }
      })
      $0.errorPolicy = .skipObject
    }
    let json = #"[{"id":"a","age":1,"code":"A"},{"id":"b","age":1,"code":"B"}]"#
    let report = try store.importJSON(Hero.self, from: Data(json.utf8), options: options)
    #expect(report.issues.map(\.error.message) == ["\(name): \(message)"])
    #expect(report.insertedCount == 1)
  }

  @Test func `tells of each object that has been written`() throws {
    let log = Mutex<[String]>([])
    let options = ImportOptions.with {
      $0.hooks["Hero"] = ImportHooks(didImport: { object in
        log.withLock { $0.append("\(object.path) \(object.outcome.rawValue)") }
      })
    }
    let json = #"[{"id":1,"boss":{"id":2}},{"id":2,"name":"x"},{"id":2}]"#
    try trial.load(json, options)
    #expect(
      log.withLock { $0 } == [
        "$[0].boss inserted", "$[0] inserted", "$[1] inserted", "$[2] inserted",
      ])
  }

  @Test func `asks whether a relationship is to be written`() throws {
    let options = ImportOptions.with {
      $0.hooks["Hero"] = ImportHooks(shouldImportRelationship: { name, _ in name != "boss" })
    }
    try trial.load(#"{"id":1,"boss":{"id":2}}"#, options)
    #expect(trial.lines == ["Hero/1 id: 2", "Hero/2 id: 1"])
  }

  /// Imports heroes and refuses some of their relationships.
  private func lines(
    refusing refused: Set<String>, _ json: String
  ) throws -> [String] {
    let trial = try ImportTrial([
      .make(
        "Hero", [.make("age", .integer64)],
        [
          .make("boss", to: "Hero"), .make("friend", to: "Hero"), .make("child", to: "Hero"),
          .make("pet", to: "Pet"), .make("cat", to: "Pet"),
          .make("patients", to: "Pet", many: true, inverse: "vet"),
        ]),
      .make(
        "Pet", identity: "", [.make("name")],
        [
          .make("vet", to: "Hero", inverse: "patients"), .make("mate", to: "Pet"),
        ]),
    ])
    try trial.load(
      json,
      .with {
        $0.errorPolicy = .skipObject
        $0.hooks["Hero"] = ImportHooks(shouldImportRelationship: { name, _ in
          !refused.contains(name)
        })
      })
    return trial.lines
  }

  @Test(
    arguments: [
      // Nothing else leads to it.
      (["boss"], #"{"id":1,"boss":7}"#, [1], []),
      (["pet"], #"{"id":1,"pet":{"name":"a","mate":{"name":"b","vet":7}}}"#, [1], []),
      // Another relationship does, directly or not, of this object or another.
      (["boss"], #"{"id":1,"boss":7,"friend":7}"#, [7, 1], []),
      (["boss"], #"{"id":1,"boss":7,"cat":{"name":"a","vet":7}}"#, [7, 1], ["a"]),
      (
        ["boss"], #"{"id":1,"boss":7,"cat":{"name":"a","mate":{"name":"b","vet":7}}}"#, [7, 1],
        ["b", "a"]
      ),
      (["boss"], #"[{"id":1,"friend":7},{"id":2,"boss":7}]"#, [7, 1, 2], []),
      (["boss"], #"[{"id":1,"boss":7},{"id":2,"friend":7}]"#, [1, 7, 2], []),
      (["boss"], #"[{"id":1,"boss":2},{"id":2}]"#, [1, 2], []),
      // Only an object that is there leads back to what was refused.
      (["pet"], #"{"id":1,"pet":{"name":"a","vet":7},"cat":{"name":"b","vet":7}}"#, [7, 1], ["b"]),
      (
        ["pet"], #"{"id":1,"friend":2,"child":{"id":2},"pet":{"name":"a","vet":2}}"#, [2, 1], []
      ),
      // What has an identity is imported by itself.
      (["boss"], #"{"id":1,"boss":{"id":7,"cat":{"name":"a"}}}"#, [7, 1], ["a"]),
      // The object around is skipped, and the one inside keeps what it names.
      (
        ["boss"], #"{"id":1,"friend":7,"child":{"id":2,"boss":7,"friend":7},"age":"x"}"#, [7, 2], []
      ), (["boss"], #"{"id":1,"friend":7,"child":{"id":2,"boss":7},"age":"x"}"#, [2], []),
    ] as [(Set<String>, String, [Int], [String])])
  func `leaves nothing that only a refused relationship leads to, unless it has an identity`(
    refused: Set<String>, json: String, heroes: [Int], pets: [String]
  ) throws {
    let lines = try lines(refusing: refused, json)
    func values(_ entity: String, _ name: String) -> [String] {
      lines.filter { $0.hasPrefix(entity) }.compactMap { line in
        line.firstRange(of: "\(name): ").map { line[$0.upperBound...].prefix { $0 != "," } }
      }.map(String.init)
    }
    #expect(values("Hero", "id").map { $0.prefix { $0.isNumber } } == heroes.map { "\($0)" })
    #expect(values("Pet", "name") == pets.map { "\"\($0)\"" })
  }

  @Test(arguments: [
    ("nmae", "no attribute of Hero, did you mean \"name\"?"),
    ("boss", "a relationship of Hero, and validators are for attributes"),
  ])
  func `refuses a validator of anything but an attribute`(name: String, message: String) throws {
    let options = ImportOptions.with { $0.hooks["Hero"] = ImportHooks(validators: [name: { $0 }]) }
    let error = #expect(throws: ImportError.self) {
      try trial.load(#"{"id": 1}"#, options)
    }
    #expect(error?.kind == .model)
    #expect(error?.message == "a validator is given for \"\(name)\", which is \(message)")
  }

  @Test func `fails with the place when a hook throws`() {
    let options = ImportOptions.with {
      $0.hooks["Hero"] = ImportHooks(shouldImport: { _ in throw Refusal() })
    }
    #expect(
      trial.failure("[\n {\"id\":1}]", options)
        == "2:2: $[0]: a hook threw an error: not this one")
  }

  /// Refuses heroes that are bosses before they are of age.
  private static let rules = ImportHooks(validate: { hero in
    guard case .integer(let age)? = hero.values["age"] else { return }
    if hero.values["name"] == .string("Boss"), age < 18 { throw Refusal() }
  })

  @Test func `validates an object with all that it will have`() throws {
    let options = ImportOptions.with { $0.hooks["Hero"] = Self.rules }
    try trial.load(#"[{"id":1,"age":7},{"id":2,"name":"Boss","age":40}]"#, options)
    #expect(
      trial.failure("[\n {\"id\":1,\"name\":\"Boss\"}]", options)
        == "2:2: $[0]: a hook threw an error: not this one")
    #expect(
      trial.failure(#"{"id":3,"boss":{"id":2,"age":9}}"#, options)
        == "1:16: $.boss: a hook threw an error: not this one")
    try trial.load(#"{"id":2,"age":null}"#, options)
    try trial.load(
      #"{"id":2,"age":9}"#,
      .with {
        $0.hooks["Hero"] = Self.rules
        $0.validates = false
      })
    #expect(trial.lines == ["Hero/1 age: 7, id: 1", #"Hero/2 age: 9, id: 2, name: "Boss""#])
  }

  @Test func `passes over an object that is not valid, and nothing else`() throws {
    try trial.load(#"{"id":2,"age":40}"#)
    let report = try trial.load(
      #"[{"id":1,"boss":{"id":2,"age":9,"name":"Boss","boss":{"id":3}}},{"id":4,"boss":5},{"id":5,"age":3,"name":"Boss"}]"#,
      .with {
        $0.hooks["Hero"] = Self.rules
        $0.errorPolicy = .skipObject
        $0.deletesMissing = true
      })
    #expect(report.issues.map(\.error.path) == ["$[0].boss", "$[2]"])
    #expect(
      trial.lines == [
        "Hero/1 age: 40, id: 2", "Hero/2 id: 3", "Hero/3 id: 1", "Hero/4 id: 5",
        "Hero/5 boss: Hero/4, id: 4",
      ])
    #expect(report.unfilledStubCount == 1)
  }

  @Test(arguments: [ImportOptions.ErrorPolicy.skipValue, .skipObject])
  func `lists what a hook says against an object that has been written, and keeps it`(
    policy: ImportOptions.ErrorPolicy
  ) throws {
    let report = try trial.load(
      #"{"id":1,"boss":{"id":2}}"#,
      .with {
        $0.errorPolicy = policy
        $0.hooks["Hero"] = ImportHooks(didImport: { object in
          if object.path == "$.boss" { throw Refusal() }
        })
      })
    #expect(
      report.issues.map(\.description) == ["1:16: $.boss: a hook threw an error: not this one"])
    #expect(trial.lines == ["Hero/1 id: 2", "Hero/2 boss: Hero/1, id: 1"])
  }

  @Test(arguments: [
    (
      AttributeValue.string("old"),
      #"age: expected a decimal number of up to 38 digits, found "old" from a hook"#
    ),
    (.integer(100), "age: expected at most 99, found 100 from a hook"),
    (.decimal(.nan), "age: expected a decimal number of up to 38 digits, found NaN from a hook"),
  ])
  func `leaves out a value of a hook that the attribute does not take, and no more`(
    value: AttributeValue, message: String
  ) throws {
    let trial = try ImportTrial([
      .make(
        "Hero",
        [
          AttributeDescription(name: "age", type: .decimal, maximum: "99"), .make("name"),
        ])
    ])
    try trial.load(#"{"id":1,"age":7,"name":"Ada"}"#)
    let options = ImportOptions.with {
      $0.errorPolicy = .skipValue
      $0.hooks["Hero"] = ImportHooks(willImport: { $0.values["age"] = .some(value) })
    }
    let report = try trial.load(#"[{"id":1,"age":8,"name":"Eve"},{"id":2,"name":"Bob"}]"#, options)
    #expect(report.issues.map(\.error.message) == [message, message])
    #expect(report.issues.map(\.error.path) == ["$[0]", "$[1]"])
    #expect(
      trial.lines == [#"Hero/1 age: 7, id: 1, name: "Eve""#, #"Hero/2 id: 2, name: "Bob""#])
  }

  @Test func `names the same of several values that cannot be taken`() {
    let options = ImportOptions.with {
      $0.hooks["Hero"] = ImportHooks(willImport: { hero in
        for name in "abcdefghijklmnop" { hero.values[String(name)] = .some(.integer(1)) }
      })
    }
    #expect(
      trial.failure(#"{"id":1}"#, options).contains(#"a hook gave a value for "a""#))
  }

  @Test func `validates the defaults of a new object, and not what stays as it is`() throws {
    let trial = try ImportTrial([
      .make(
        "Hero",
        [
          AttributeDescription(name: "age", type: .integer64, defaultValue: .integer(3)),
          .make("name"),
        ])
    ])
    let options = ImportOptions.with { $0.hooks["Hero"] = Self.rules }
    #expect(trial.failure(#"{"id":1,"name":"Boss"}"#, options) != "")
    try trial.load(#"{"id":1,"name":"Boss"}"#)
    try trial.load(
      #"{"id":1,"age":4}"#,
      .with {
        $0.hooks["Hero"] = Self.rules
        $0.mode = .insertOnly
      })
    try trial.load(
      #"{"id":1,"age":4}"#,
      .with {
        $0.hooks["Hero"] = ImportHooks(validators: ["age": { _ in throw Refusal() }])
        $0.validates = false
      })
    #expect(trial.lines == [#"Hero/1 age: 4, id: 1, name: "Boss""#])
  }

  @Test func `publishes in steps where that is asked for, and keeps them when it fails`() throws {
    let options = ImportOptions.with { $0.savePolicy.objects = 2 }
    let json = "[{\"id\":1},{\"id\":2},{\"id\":3},{\"id\":4},{\"id\":5},{\"id\":\"x\"}]"
    #expect(throws: ImportError.self) { try trial.load(json, options) }
    #expect(trial.lines.count == 4)
  }

  @Test func `reports, refuses or passes over keys that no property reads`() throws {
    let json = #"{"id":1,"nmae":"x","other":{"deep":1}}"#
    let report = try trial.load(json, .with { $0.unknownKeys = .report })
    #expect(
      report.notices.map(\.description) == [
        #"1:9: $.nmae: no property of Hero reads the key "nmae", did you mean "name"?"#,
        #"1:20: $.other: no property of Hero reads the key "other""#,
      ])
    #expect(
      trial.failure(json, .with { $0.unknownKeys = .error }).hasPrefix("1:9: $.nmae: no property"))
  }

  @Test func `refuses a key that stands twice where that is asked for`() throws {
    let json = #"{"id":1,"boss":{"id":2},"name":"a","name":"b"}"#
    try trial.load(json)
    #expect(
      trial.failure(json, .with { $0.refusesDuplicateKeys = true })
        == #"1:36: $.name: the key "name" occurs twice in one object; remove one of the two"#)
  }
}

/// A relationship that is read from the very object of its owner.
@Suite struct `An object in its owner's fields` {
  @Test func `is shared by those who say the same of it`() throws {
    let trial = try ImportTrial([
      .make(
        "Person", [.make("name")],
        [
          RelationshipDescription(
            name: "address", destination: "Address", userInfo: ["JSONKeyPath": "$"])
        ]),
      .make("Address", identity: "street city", [.make("street"), .make("city")]),
    ])
    let report = try trial.load(
      #"[{"id":1,"street":"S","city":"C"},{"city":"C","name":"Bo","id":2,"street":"S"}]"#)
    #expect(report.insertedCount == 3)
    #expect(
      trial.lines == [
        #"Address/1 city: "C", street: "S""#, "Person/1 address: Address/1, id: 1",
        #"Person/2 address: Address/1, id: 2, name: "Bo""#,
      ])
  }
}
