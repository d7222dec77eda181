import Foundation
import Synchronization
import Testing

@testable import Graft
@testable import GraftTestSupport

/// Objects and values that hooks refuse, and the objects that they may have meant.
@Suite struct `What a hook refuses` {
  private struct Refusal: Error, CustomStringConvertible { let description = "not this one" }

  private let trial: ImportTrial

  init() throws {
    trial = try ImportTrial([
      .make("Hero", [.make("name"), .make("age", .integer64)], [.make("boss", to: "Hero")])
    ])
    try trial.load(#"[{"id":1},{"id":2},{"id":3}]"#)
  }

  private static let rulesOfIdentity: [ImportHooks] = [
    ImportHooks(validators: ["id": { $0 == .integer(2) ? nil : $0 }]),
    ImportHooks(validators: ["id": { $0 == .integer(2) ? .string("zz") : $0 }]),
    ImportHooks(validators: ["id": { if $0 == .integer(2) { throw Refusal() } else { $0 } }]),
    ImportHooks(validators: [
      "id": { $0 == .integer(2) ? .integer(7) : $0 },
      "name": { if $0 == .string("x") { throw Refusal() } else { $0 } },
    ]),
    ImportHooks(willImport: { if $0["id"] == .integer(2) { $0["id"] = nil } }),
    ImportHooks(willImport: {
      if $0["id"] == .integer(2) {
        $0["id"] = .integer(7)
        throw Refusal()
      }
    }),
  ]

  @Test func `may be the object that a validator has named`() throws {
    try trial.load(
      #"[{"id":1},{"id":102,"name":"Test"}]"#,
      .with {
        $0.deletesMissing = true
        $0.hooks["Hero"] = ImportHooks(
          shouldImport: { $0["name"] != .string("Test") },
          validators: ["id": { $0 == .integer(102) ? .integer(2) : $0 }])
      })
    #expect(try trial.store.graph.count(of: "Hero") == 3)
  }

  @Test(
    arguments: rulesOfIdentity.indices, [ImportOptions.ErrorPolicy.skipValue, .skipObject])
  func `may have meant any object, so that none is deleted as missing`(
    rule: Int, policy: ImportOptions.ErrorPolicy
  ) throws {
    let report = try trial.load(
      #"[{"id":1},{"id":2,"name":"x"}]"#,
      .with {
        $0.deletesMissing = true
        $0.errorPolicy = policy
        $0.hooks["Hero"] = Self.rulesOfIdentity[rule]
      })
    // An object whose own identity was refused is known by it, as is one that is imported without a refused value; others
    // are missing.
    let isKnown = rule == 2 || rule == 3 && policy == .skipValue
    #expect(try trial.store.graph.count(of: "Hero") == (isKnown ? 2 : 3))
    #expect(report.issueCount == 1)
    let notices = report.notices.map(\.error.message).count {
      $0.contains("nothing that is missing was deleted")
    }
    #expect(notices == 1 || isKnown, "\(report.notices)")
  }

  @Test func `because of another value is known by its identity, and others are deleted`() throws {
    try trial.load(
      #"[{"id":1},{"id":2,"age":-1}]"#,
      .with {
        $0.deletesMissing = true
        $0.errorPolicy = .skipObject
        $0.hooks["Hero"] = ImportHooks(validators: [
          "age": { if $0 == .integer(-1) { throw Refusal() } else { $0 } }
        ])
      })
    #expect(trial.lines.map { $0.suffix(1) } == ["1", "2"])
  }

  @Test func `on purpose is not missed`() throws {
    try trial.load(
      #"[{"id":1},{"name":"header"}]"#,
      .with {
        $0.deletesMissing = true
        $0.errorPolicy = .skipObject
        $0.hooks["Hero"] = ImportHooks(shouldImport: { $0["name"] == nil })
      })
    #expect(try trial.store.graph.count(of: "Hero") == 1)
  }

  @Test func `after a transformer has failed may be another object than it seems`() throws {
    let rewrite = DictionaryTransformer { object in
      guard object["legacy"] != 2 else { throw Refusal() }
      var object = object
      object["id"] = object["legacy"]
      return object
    }
    let trial = try ImportTrial(
      [
        .make("Hero", [.make("name")], [], ["JSONDictionaryTransformerName": "legacy"])
      ], extensions: ModelExtensions(dictionaryTransformers: ["legacy": rewrite]))
    let options = ImportOptions.with {
      $0.deletesMissing = true
      $0.errorPolicy = .skipObject
    }
    try trial.load(#"[{"legacy":1},{"legacy":3},{"legacy":4}]"#)
    for seeming in [902, 3] {
      let report = try trial.load(
        #"[{"id":901,"legacy":1},{"id":\#(seeming),"legacy":2}]"#, options)
      #expect(try trial.store.graph.count(of: "Hero") == 3)
      #expect(report.issueCount == 1)
    }
  }

  @Test func `is a value where values are skipped, and names its attribute`() throws {
    let hooks = ImportHooks(validators: [
      "age": { if $0 == .integer(2) { throw Refusal() } else { $0 } }
    ])
    try trial.load(#"[{"id":2,"age":40}]"#)
    let report = try trial.load(
      #"[{"id":1,"age":1},{"id":2,"age":2,"name":"x"},{"id":4,"age":2}]"#,
      .with {
        $0.errorPolicy = .skipValue
        $0.hooks["Hero"] = hooks
      })
    #expect(
      trial.lines == [
        "Hero/1 age: 1, id: 1", #"Hero/2 age: 40, id: 2, name: "x""#, "Hero/3 id: 3",
        "Hero/4 id: 4",
      ])
    let message = #"the validator of "age" threw an error for the value 2: not this one"#
    #expect(report.issues.map(\.error.message) == [message, message])
    #expect(report.issues.map(\.error.property) == ["age", "age"])
    #expect(
      trial.failure(#"{"id":5,"age":2}"#, .with { $0.hooks["Hero"] = hooks })
        == "1:1: $: " + message)
  }

  @Test func `is a whole import, from inside`() throws {
    let importer = Mutex<JSONImporter?>(nil)
    let seen = Mutex<[Int]>([])
    let options = ImportOptions.with {
      $0.hooks["Hero"] = ImportHooks(didImport: { _ in
        let current = importer.withLock(\.self)
        seen.withLock { $0.append(current?.byteCount ?? -1) }
        current?.cancel()
      })
    }
    let made = try trial.store.makeImporter([ImportRoot("Hero")], options: options)
    importer.withLock { $0 = made }
    // The hook keeps the importer, which keeps the hook.
    defer { importer.withLock { $0 = nil } }
    try made.parse(Data(#"[{"id":4}"#.utf8))
    #expect(made.byteCount == 9)
    let error = #expect(throws: ImportError.self) { try made.parse(Data(",".utf8)) }
    #expect(error?.kind == .cancelled)
    #expect(throws: ImportError.self) { try made.finish() }
    #expect(seen.withLock(\.self) == [0])
    #expect(try trial.store.graph.count(of: "Hero") == 3)
  }

  @Test func `is its object alone where a hook takes a value away that must be there`() throws {
    let trial = try ImportTrial([
      .make(
        "Hero",
        [
          AttributeDescription(name: "name", type: .string, isOptional: false),
          AttributeDescription(
            name: "age", type: .integer64, isOptional: false, defaultValue: .integer(3)),
        ])
    ])
    try trial.load(#"{"id":1,"name":"a","age":1}"#)
    let json =
      #"[{"id":1,"name":"b","age":2},{"id":2,"name":"c","age":2},{"id":3,"name":"d","age":2}]"#
    func options(_ policy: ImportOptions.ErrorPolicy) -> ImportOptions {
      .with {
        $0.errorPolicy = policy
        $0.hooks["Hero"] = ImportHooks(willImport: { hero in
          hero["age"] = nil
          if hero["name"] != .string("d") { hero["name"] = nil }
        })
      }
    }
    #expect(
      trial.failure(json, options(.fail))
        == "1:2: $[0]: name: expected a value (required), found none from a hook")
    let report = try trial.load(json, options(.skipObject))
    #expect(
      trial.lines == [#"Hero/1 age: 1, id: 1, name: "a""#, #"Hero/2 age: 3, id: 3, name: "d""#])
    #expect(report.issueCount == 2)
    let kept = try trial.load(json, options(.skipValue))
    #expect(
      trial.lines == [#"Hero/1 age: 3, id: 1, name: "a""#, #"Hero/2 age: 3, id: 3, name: "d""#])
    #expect(
      kept.issues.map(\.description) == [
        "1:2: $[0]: name: expected a value (required), found none from a hook",
        "1:30: $[1]: name: expected a value (required), found none from a hook",
        #"1:30: $[1]: expected a value for name of Hero (required, read from "name"), found none"#,
      ])
  }

  @Test func `is a whole import, from inside its end`() throws {
    let importer = Mutex<JSONImporter?>(nil)
    let seen = Mutex<[Int]>([])
    let options = ImportOptions.with {
      $0.parser.format = .ndjson
      $0.brokenLines = .skip
      $0.hooks["Hero"] = ImportHooks(didImport: { hero in
        let current = importer.withLock(\.self)
        seen.withLock { $0.append(current?.byteCount ?? -1) }
        if hero.path == "$", seen.withLock(\.count) == 2 { current?.cancel() }
      })
    }
    let made = try trial.store.makeImporter([ImportRoot("Hero")], options: options)
    importer.withLock { $0 = made }
    // The hook keeps the importer, which keeps the hook.
    defer { importer.withLock { $0 = nil } }
    try made.parse(Data("{\"id\":4}\n".utf8))
    // The last line ends with the document.
    try made.parse(Data(#"{"id":5}"#.utf8))
    let error = #expect(throws: ImportError.self) { try made.finish() }
    #expect(error?.kind == .cancelled)
    #expect(seen.withLock(\.self).last == 17)
    #expect(try trial.store.graph.count(of: "Hero") == 3)
  }
}
