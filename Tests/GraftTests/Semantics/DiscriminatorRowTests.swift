import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

@Suite struct `Discriminator` {
  private static func model(isAbstract: Bool) -> [EntityDescription] {
    [
      .make(
        "Shape", isAbstract: isAbstract, [.make("name")], [.make("inner", to: "Shape")],
        ["JSONDiscriminator": "meta.type"]),
      .make("Circle", identity: "", parent: "Shape", [.make("size", .double)]),
      .make(
        "Label", identity: "", parent: "Shape", [.make("size")], [], ["JSONDiscriminatorValue": "7"]
      ),
    ]
  }

  @Test(arguments: [
    #"{"id":1,"size":2}"#, #"{"id":1,"meta":{"type":null}}"#, #"{"id":1,"meta":{}}"#,
  ])
  func `that is absent means the entity itself`(json: String) throws {
    #expect(try outcome(of: json, for: Self.model(isAbstract: false)) == ["Shape/1 id: 1"])
    #expect(
      try outcome(of: json, for: Self.model(isAbstract: true)).first?.contains("is abstract")
        == true)
  }

  @Test(arguments: [
    #"{"meta":{"type":"Circle"},"id":1,"size":2}"#, #"{"size":2,"id":1,"meta":{"type":"Circle"}}"#,
    #"{"size":2,"meta":{"x":[],"type":"Circle"},"id":1}"#,
  ])
  func `names a sub-entity, first or last`(json: String) throws {
    for isAbstract in [true, false] {
      #expect(
        try outcome(of: json, for: Self.model(isAbstract: isAbstract)) == [
          "Circle/1 id: 1, size: 2"
        ])
    }
  }

  @Test(arguments: ["7", #""7""#])
  func `has the value that is annotated, as a text or a number`(value: String) throws {
    #expect(
      try outcome(
        of: #"{"size":"x","meta":{"type":\#(value)},"id":1}"#, for: Self.model(isAbstract: true))
        == [#"Label/1 id: 1, size: "x""#])
  }

  @Test(arguments: ImportOptions.ErrorPolicy.allCases)
  func `of an unknown value is an error of that object`(policy: ImportOptions.ErrorPolicy) throws {
    let trial = try ImportTrial(Self.model(isAbstract: false))
    let options = ImportOptions.with { $0.errorPolicy = policy }
    let json = #"[{"id":1,"meta":{"type":"Square"}},{"id":2,"meta":{"type":"Circle"}}]"#
    guard policy != .fail else {
      #expect(
        try trial.outcome(of: json, options) == [
          "! 1:25: $[0].meta.type: expected a sub-entity of Shape"
            + #" ("7", "Circle", "Shape"), found the string "Square""#
        ])
      return
    }
    #expect(try trial.load(json, options).issueCount == 1)
    #expect(trial.lines == ["Circle/1 id: 2"])
  }

  @Test func `need not stand again where identity finds the object`() throws {
    #expect(
      try outcome(
        of: #"{"id":1,"size":2,"meta":{"type":"Circle"}}"#, #"{"size":3,"id":"1"}"#,
        for: Self.model(isAbstract: true)) == ["Circle/1 id: 1, size: 3"])
  }

  private static func animals(
    _ discriminator: String, unknown: String? = nil
  ) -> [EntityDescription] {
    var notes = ["JSONDiscriminator": discriminator]
    notes["JSONUnknownValue"] = unknown
    return [
      .make("Animal", [], [], notes),
      .make(
        "Dog", identity: "", parent: "Animal", [.make("tail", .integer64)], [],
        ["JSONDiscriminatorValue": "dog"]),
      .make(
        "Cat", identity: "", parent: "Animal", [.make("fur", .integer64)], [],
        ["JSONDiscriminatorValue": "cat"]),
      .make("Owner", [], [.make("pets", to: "Animal", many: true, ["JSONKeyPath": "pets.*"])]),
    ]
  }

  @Test(arguments: ["@key", "type | @key", "@key | type", "no.type | @key"])
  func `is the key of the object, where that is said`(path: String) throws {
    for chunk in [1, 1_000] {
      let trial = try ImportTrial(Self.animals(path))
      try trial.load(
        #"{"id":1,"pets":{"dog":{"tail":3,"id":5},"cat":{"id":6,"fur":4},"Animal":{"id":7}}}"#,
        as: "Owner", chunk: chunk)
      #expect(
        trial.lines == [
          "Animal/1 id: 7", "Cat/1 fur: 4, id: 6", "Dog/1 id: 5, tail: 3",
          "Owner/1 id: 1, pets: [Animal/1, Cat/1, Dog/1]",
        ])
    }
  }

  @Test(arguments: [
    (#"[{"kind":"dog","tail":1,"id":1}]"#, "Dog/1 id: 1, tail: 1"),
    (#"[{"kind":"cat","tail":1,"id":1,"type":"dog"}]"#, "Dog/1 id: 1, tail: 1"),
    (#"[{"type":null,"tail":1,"id":1,"kind":"dog"}]"#, "Animal/1 id: 1"),
    (#"[{"tail":1,"id":1}]"#, "Animal/1 id: 1"),
    (#"[{"meta":{"kind":"cat"},"fur":1,"id":1}]"#, "Cat/1 fur: 1, id: 1"),
  ])
  func `is at the first of several paths that is present`(json: String, line: String) throws {
    for chunk in [1, 1_000] {
      let trial = try ImportTrial(Self.animals("type | kind | meta.kind | @key"))
      try trial.load(json, chunk: chunk)
      #expect(trial.lines == [line])
    }
  }

  @Test func `is an error where the key names no entity, or the declared one`() throws {
    let json = #"{"dog":{"id":1},"fish":{"id":2}}"#
    #expect(
      try ImportTrial(Self.animals("@key")).failure(json, at: "*")
        == #"1:24: $.fish: expected a sub-entity of Animal ("Animal", "cat", "dog"), found the key "fish""#
    )
    let trial = try ImportTrial(Self.animals("@key", unknown: "Cat"))
    let report = try trial.load(json, at: "*")
    #expect(trial.lines == ["Cat/1 id: 2", "Dog/1 id: 1"])
    #expect(report.noticeCount == 1)
  }

  @Test func `at the key is none in an array, where identity finds the object`() throws {
    let trial = try ImportTrial(Self.animals("@key"))
    try trial.load(#"{"dog":{"id":1,"tail":2}}"#, at: "*")
    try trial.load(#"[{"tail":3,"id":1},{"id":2,"tail":4}]"#)
    #expect(trial.lines == ["Animal/1 id: 2", "Dog/1 id: 1, tail: 3"])
  }

  @Test func `may be in a row`() throws {
    let trial = try ImportTrial([
      .make(
        "Animal", [.make("id", .integer64, ["JSONKeyPath": "[1]"])], [],
        ["JSONDiscriminator": "[0]"]),
      .make(
        "Dog", identity: "", parent: "Animal", [.make("tail", .integer64, ["JSONKeyPath": "[2]"])]),
    ])
    try trial.load(#"[["Dog",1,5],["Animal",2,6]]"#)
    #expect(trial.lines == ["Animal/1 id: 2", "Dog/1 id: 1, tail: 5"])
  }

  @Test func `comes back under its key from an export, or a notice says that it does not`() throws {
    let trial = try ImportTrial(Self.animals("@key"))
    try trial.load(
      #"{"id":1,"pets":{"dog":{"tail":3,"id":5},"cat":{"id":6,"fur":4},"Animal":{"id":7}}}"#,
      as: "Owner")
    let exporter = try JSONExporter(model: trial.store.model)
    func text(_ content: ExportContent) throws -> (String, ExportReport) {
      var report = ExportReport()
      let data = try exporter.data(content, report: &report)
      return (String(decoding: data, as: UTF8.self), report)
    }
    let (owners, report) = try text(.objects(try trial.store.graph.objects("Owner")))
    #expect(report.losses.isEmpty)
    let again = try ImportTrial(Self.animals("@key"))
    try again.load(owners, as: "Owner")
    #expect(again.lines == trial.lines)
    #expect(try text(.graph(trial.store.graph)).1.losses.isEmpty)
    let (dog, lost) = try text(.object(#require(try trial.store.graph.objects("Dog").first)))
    #expect(dog == #"{"id":5,"tail":3}"#)
    #expect(
      lost.losses.map(\.message).first?.hasPrefix("Dog: the sub-entity is not written") == true)
  }
}
