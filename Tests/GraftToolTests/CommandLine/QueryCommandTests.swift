import Foundation
import Testing

@testable import GraftDatabaseTests
@testable import GraftTestSupport

@Suite(.enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `graft query` {
  private let file = TemporaryDatabase()

  private func imported() async throws {
    let document = try TemporaryFile(
      #"""
      [{"id_str": "1", "text": "t", "retweet_count": 5, "user": {"id_str": "2", "screen_name": "s", "name": "n"},
        "entities": {"hashtags": [{"text": "h"}]}}, {"id_str": "3", "text": "o'clock"}]
      """#)
    let run = try await GraftTool.run([
      "import", "--model", Fixture.timelineModel, "--into", file.url.path, "--entity", "Tweet",
      document.path,
    ])
    #expect(run.status == 0, "\(run.errors)")
  }

  private func query(_ arguments: [String]) async throws -> GraftTool.Outcome {
    try await GraftTool.run(["query", file.url.path] + arguments)
  }

  @Test func `finds objects of an import that bound code to the names of the database's model`()
    async throws
  {
    let model = try TemporaryFile(
      #"""
      {"entities": [
        {"name": "A", "userInfo": {"identityAttributes": "id", "entityMapperName": "kind"}, "attributes": [
          {"name": "id", "type": "Integer 64", "isOptional": false},
          {"name": "text", "type": "String", "userInfo": {"JSONTransformerName": "cut"}}]},
        {"name": "B", "superentity": "A"}]}
      """#)
    let code = ["--transformer", "cut=trim", "--mapper", "kind=type:b=B"]
    for (id, options) in [
      (1, ["--model", model.path] + code), (2, code), (3, code + ["--dry-run"]),
    ] {
      let document = try TemporaryFile(#"[{"id": \#(id), "type": "b", "text": "  x "}]"#)
      let run = try await GraftTool.run(
        ["import", "--into", file.url.path] + options + ["A=\(document.path)"])
      #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    }
    #expect(try await query(["B"]).output == #"[{"id":1,"text":"x"},{"id":2,"text":"x"}]"# + "\n")
    let document = try TemporaryFile(#"[{"id": 4, "text": "  x "}]"#)
    let unbound = try await GraftTool.run(["import", "--into", file.url.path, "A=\(document.path)"])
    #expect(unbound.status == 3 && unbound.errors.contains("\"cut\""), "\(unbound.errors)")
    #expect(try await query(["A", "--count"]).output == "2\n")
  }

  @Test func `finds the database that is named last`() async throws {
    try await imported()
    let run = try await GraftTool.run(["query", "Tweet", file.url.path])
    #expect(run.status == 2)
    #expect(run.errors == "graft: the database comes first: graft query \(file.url.path) Tweet\n")
    let document = try await GraftTool.run(["import", file.url.path])
    #expect(document.status == 2 && document.errors.contains("is a database and no document"))
  }

  @Test func `finds a database as it was after a dry run`() async throws {
    try await imported()
    let before = try await query(["Tweet"]).output
    let document = try TemporaryFile(
      #"[{"id_str": "1", "text": "new"}, {"id_str": "9", "text": "x"}]"#)
    for options in [[], ["--delete-missing"], ["--save-every", "1"]] {
      let run = try await GraftTool.run(
        [
          "import", "--model", Fixture.timelineModel, "--into", file.url.path, "--dry-run",
          "--entity", "Tweet",
        ] + options + [document.path, "--entity", "Tweet", document.path])
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.contains("Tweet"), "\(run.output)")
      #expect(try await query(["Tweet"]).output == before)
    }
  }

  @Test func `finds no table changed by a dry run with another model, and no file made by one`()
    async throws
  {
    try await imported()
    let before = try await query(["Tweet"]).output
    let model = try TemporaryFile(
      #"{"entities": [{"name": "Tweet", "userInfo": {"identityAttributes": "id"}, "attributes": [{"name": "id", "type": "Integer 64"}]}]}"#
    )
    let document = try TemporaryFile(#"[{"id": 1}]"#)
    let refused = try await GraftTool.run([
      "import", "--model", model.path, "--into", file.url.path, "--dry-run", "--entity", "Tweet",
      document.path,
    ])
    #expect(refused.status == 2 && refused.errors.contains("would change the tables"))
    #expect(try await query(["Tweet"]).output == before)
    let other = TemporaryDatabase()
    let run = try await GraftTool.run([
      "import", "--model", model.path, "--into", other.url.path, "--dry-run", "--entity", "Tweet",
      document.path,
    ])
    #expect(run.status == 0 && run.output.contains("Tweet"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: other.url.path))
  }

  @Test(arguments: ["1": "1", "5": "2"]) func `counts no more objects than its limit`(
    limit: String, count: String
  ) async throws {
    try await imported()
    let run = try await query(["Tweet", "--limit", limit, "--count"])
    #expect(run.output == "\(count)\n", "\(run.errors)")
  }

  @Test func `is named where the objects of one import are asked for`() async throws {
    let document = try TemporaryFile(#"[{"id_str": "1"}]"#)
    for command in [["import", "--output", "json"], ["export"]] {
      let run = try await GraftTool.run(
        command + [
          "--model", Fixture.timelineModel, "--into", file.url.path, "--entity", "Tweet",
          document.path,
        ])
      #expect(run.status == 2 && run.errors.contains("graft query"), "\(run.errors)")
      #expect(!FileManager.default.fileExists(atPath: file.url.path))
    }
  }

  @Test func `prints objects that meet a condition`() async throws {
    try await imported()
    let run = try await query([
      "Tweet", "--where", "text = 'o''clock'", "--output", "ndjson",
    ])
    #expect(run.status == 0 && run.errors == "")
    #expect(run.output.contains(#""text":"o'clock""#))
    #expect(run.output.split(separator: "\n").count == 1)
  }

  @Test func `finds objects that nothing refers to, and deletes them if told so`() async throws {
    try await imported()
    let document = try TemporaryFile(
      #"{"id_str": "1", "entities": {"hashtags": [{"text": "g"}]}}"#)
    let again = try await GraftTool.run([
      "import", "--model", Fixture.timelineModel, "--into", file.url.path, "--entity", "Tweet",
      document.path,
    ])
    #expect(again.status == 0, "\(again.errors)")
    let found = try await query(["Hashtag", "--orphans", "--output", "ndjson"])
    #expect(found.output.contains(#""h""#) && !found.output.contains(#""g""#))
    let refused = try await query(["Hashtag", "--delete"])
    #expect(refused.status == 2 && refused.errors.contains("say so with --orphans"))
    let deleted = try await query(["Hashtag", "--orphans", "--delete"])
    #expect(deleted.status == 0 && deleted.output == "1 object of Hashtag deleted\n")
    let none = try await query(["Hashtag", "--orphans"])
    #expect(none.status == 0 && none.output == "[]\n")
  }

  @Test func `orders, limits and follows`() async throws {
    try await imported()
    let run = try await query([
      "Tweet", "--order-by", "retweetCount", "--reverse", "--limit", "1", "--follow",
      "author,hashtags", "--output", "graph",
    ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(#""name": "n""#))
    #expect(!run.output.contains("o'clock"))
    let both = try await query([
      "Tweet", "--where", "retweetCount = 5", "--where", "text = 'o''clock'", "--count",
    ])
    #expect(both.output == "0\n")
    let none = try await query(["Tweet", "--where", "text = ''"])
    #expect(none.status == 0 && none.output == "[]\n")
  }

  @Test func `prints objects without identity with their owners`() async throws {
    let model = try TemporaryFile(
      #"""
      {"entities": [
        {"name": "Shop", "userInfo": {"identityAttributes": "id"},
         "attributes": [{"name": "id", "type": "Integer 64"}],
         "relationships": [
           {"name": "days", "destination": "Day", "isToMany": true}, {"name": "owner", "destination": "Owner"}]},
        {"name": "Day", "attributes": [{"name": "day", "type": "String"}],
         "relationships": [{"name": "hours", "destination": "Hours"}]},
        {"name": "Hours", "attributes": [{"name": "from", "type": "Integer 64"}]},
        {"name": "Owner", "userInfo": {"identityAttributes": "id"},
         "attributes": [{"name": "id", "type": "Integer 64"}],
         "relationships": [{"name": "seat", "destination": "Seat"}]},
        {"name": "Seat", "attributes": [{"name": "row", "type": "Integer 64"}]}]}
      """#, name: "model.json")
    let document = try TemporaryFile(
      #"""
      [{"id": 1, "days": [{"day": "Mo", "hours": {"from": 8}}], "owner": {"id": 7, "seat": {"row": 3}}},
        {"id": 2, "owner": 7}]
      """#)
    let imported = try await GraftTool.run([
      "import", "--model", model.path, "--into", file.url.path, "--entity", "Shop", document.path,
    ])
    #expect(imported.status == 0, "\(imported.errors)")
    let shops = try await query(["Shop", "--order-by", "id", "--output", "ndjson"])
    #expect(
      shops.output == #"{"id":1,"days":[{"day":"Mo","hours":{"from":8}}],"owner":7}"# + "\n"
        + #"{"id":2,"days":[],"owner":7}"# + "\n", "\(shops.errors)")
    let followed = try await query(["Shop", "--follow", "owner", "--where", "id = 2"])
    #expect(
      followed.output == #"[{"id":2,"days":[],"owner":{"id":7,"seat":{"row":3}}}]"# + "\n",
      "\(followed.errors)")
  }

  @Test func `ends where parts share parts, however many ways lead to them`() async throws {
    let parts = (0..<30).map { number in
      let ways =
        number == 29
        ? ""
        : ["left", "right"].map {
          #"{"name": "\#($0)", "destination": "Part\#(number + 1)"}"#
        }.joined(separator: ", ")
      return #"{"name": "Part\#(number)", "relationships": [\#(ways)]}"#
    }
    let model = try TemporaryFile(
      #"""
      {"entities": [{"name": "Whole", "userInfo": {"identityAttributes": "id"},
        "attributes": [{"name": "id", "type": "Integer 64"}],
        "relationships": [{"name": "part", "destination": "Part0"}]}, \#(parts.joined(separator: ",\n"))]}
      """#, name: "model.json")
    let document = try TemporaryFile(#"[{"id": 1, "part": {"left": {"right": {}}}}]"#)
    let imported = try await GraftTool.run([
      "import", "--model", model.path, "--into", file.url.path, "--entity", "Whole", document.path,
    ])
    #expect(imported.status == 0, "\(imported.errors)")
    let run = try await query(["Whole"])
    #expect(run.status == 0 && run.output.contains(#""id":1"#), "\(run.errors)")
  }

  @Test func `follows what is written as another attribute`() async throws {
    let model = try TemporaryFile(
      #"""
      {"entities": [
        {"name": "User", "userInfo": {"identityAttributes": "id"},
         "attributes": [{"name": "id", "type": "Integer 64"}, {"name": "name", "type": "String"}]},
        {"name": "Tweet", "userInfo": {"identityAttributes": "id"},
         "attributes": [{"name": "id", "type": "Integer 64"}],
         "relationships": [
           {"name": "user", "destination": "User"},
           {"name": "answers", "destination": "User", "userInfo": {"JSONRelatedBy": "name"}}]}]}
      """#, name: "model.json")
    let document = try TemporaryFile(
      #"[{"id": 1, "user": {"id": 2, "name": "Ann"}, "answers": "Ann"}, {"id": 3, "user": 2}]"#)
    let imported = try await GraftTool.run([
      "import", "--model", model.path, "--into", file.url.path, "--entity", "Tweet", document.path,
    ])
    #expect(imported.status == 0, "\(imported.errors)")
    let run = try await query(["Tweet", "--limit", "1"])
    #expect(run.output == #"[{"id":1,"user":2,"answers":"Ann"}]"# + "\n", "\(run.errors)")
    let followed = try await query(["Tweet", "--limit", "1", "--follow", "user"])
    #expect(
      followed.status == 0 && followed.output.contains(#""answers":"Ann""#), "\(followed.errors)")
  }

  @Test func `names what has to be followed`() async throws {
    let model = try TemporaryFile(
      #"""
      {"entities": [
        {"name": "Shelf", "userInfo": {"identityAttributes": "name"},
         "attributes": [{"name": "name", "type": "String"}],
         "relationships": [{"name": "books", "destination": "Book", "isToMany": true, "inverse": "shelf"}]},
        {"name": "Book", "userInfo": {"identityAttributes": "id"},
         "attributes": [{"name": "id", "type": "Integer 64"}, {"name": "title", "type": "String"}],
         "relationships": [{"name": "shelf", "destination": "Shelf"}]}]}
      """#, name: "model.json")
    let document = try TemporaryFile(
      #"[{"name": "A", "books": [{"id": 1, "title": "One"}, {"id": 2, "title": "Two"}]}]"#)
    let imported = try await GraftTool.run([
      "import", "--model", model.path, "--into", file.url.path, "--entity", "Shelf", document.path,
    ])
    #expect(imported.status == 0, "\(imported.errors)")
    let books = try await query(["Book", "--limit", "1"])
    #expect(books.output == #"[{"id":1,"title":"One","shelf":"A"}]"# + "\n", "\(books.errors)")
    let shelves = try await query(["Shelf"])
    #expect(shelves.status == 2 && shelves.output == "")
    #expect(
      shelves.errors
        == "graft: books cannot be written, because its objects were not read; give --follow books\n"
    )
    let followed = try await query(["Shelf", "--follow", "books"])
    #expect(followed.status == 0 && followed.output.contains(#""title":"Two""#))
    let graph = try await query(["Shelf", "--output", "graph"])
    #expect(graph.status == 0 && !graph.output.contains("books"), "\(graph.output)")
  }

  /// Media of which photos have a camera and, without identity, a spot; each leads to the next one.
  @Test(arguments: [
    (["Media", "--follow", "spot", "--order-by", "id"], [photo("2", "5"), #"{"id":2,"next":1}"#]),
    (["Media", "--follow", "spot", "--limit", "1", "--order-by", "id"], [photo("2", "5")]),
    (
      ["Photo", "--follow", "camera,spot"],
      [photo("2", #"{"id":5,"name":"L"}"#)]
    ),
    (
      ["Media", "--follow", "next,camera,spot", "--order-by", "id", "--limit", "1"],
      [photo(#"{"id":2,"next":1}"#, #"{"id":5,"name":"L"}"#)]
    ),
  ])
  func `nests what it follows and nothing else, whichever objects it finds`(
    arguments: [String], lines: [String]
  ) async throws {
    let model = try TemporaryFile(
      """
      {"entities": [{"name": "Media", "userInfo": {"identityAttributes": "id"},
        "attributes": [{"name": "id", "type": "Integer 64"}],
        "relationships": [{"name": "next", "destination": "Media"}]},
       {"name": "Photo", "superentity": "Media", "userInfo": {"JSONExport": "nested"}, "relationships": [
        {"name": "camera", "destination": "Camera"}, {"name": "spot", "destination": "Spot"}]},
       {"name": "Camera", "userInfo": {"identityAttributes": "id"}, "attributes": [
        {"name": "id", "type": "Integer 64"}, {"name": "name", "type": "String"}]},
       {"name": "Spot", "attributes": [{"name": "x", "type": "Integer 64"}]}]}
      """)
    let document = try TemporaryFile(
      #"[{"id": 1, "next": {"id": 2, "next": 1}, "camera": {"id": 5, "name": "L"}, "spot": {"x": 1}}]"#
    )
    let run = try await GraftTool.run([
      "import", "--model", model.path, "--into", file.url.path, "--entity", "Photo", document.path,
    ])
    #expect(run.status == 0, "\(run.errors)")
    let found = try await query(arguments + ["--output", "ndjson"])
    #expect(found.output == lines.map { $0 + "\n" }.joined(), "\(found.errors)")
  }

  private static func photo(_ next: String, _ camera: String) -> String {
    #"{"id":1,"next":\#(next),"camera":\#(camera),"spot":{"x":1}}"#
  }

  @Test func `prints what it has followed, although the model exports identifiers`() async throws {
    let model = try TemporaryFile(
      #"""
      {"entities": [
        {"name": "Commit", "userInfo": {"identityAttributes": "id"},
         "attributes": [{"name": "id", "type": "Integer 64"}],
         "relationships": [
           {"name": "repo", "destination": "Repo",
            "userInfo": {"JSONKeyPath": "repo_id", "JSONExport": "identifier"}}]},
        {"name": "Repo", "userInfo": {"identityAttributes": "id"},
         "attributes": [{"name": "id", "type": "Integer 64"}, {"name": "name", "type": "String"}],
         "relationships": [
           {"name": "owner", "destination": "Owner", "userInfo": {"JSONExport": "identifier"}}]},
        {"name": "Owner", "userInfo": {"identityAttributes": "id"},
         "attributes": [{"name": "id", "type": "Integer 64"}, {"name": "login", "type": "String"}]}
      ]}
      """#)
    let document = try TemporaryFile(
      #"""
      {"commits": [{"id": 1, "repo_id": 7}], "repos": [{"id": 7, "name": "graft", "owner": 3}],
       "owners": [{"id": 3, "login": "ada"}]}
      """#)
    let run = try await GraftTool.run([
      "import", "--model", model.path, "--into", file.url.path,
      "Commit@commits,Repo@repos,Owner@owners=\(document.path)",
    ])
    #expect(run.status == 0, "\(run.errors)")
    let plain = try await query(["Commit", "--output", "ndjson"])
    #expect(plain.output == #"{"id":1,"repo_id":7}"# + "\n", "\(plain.errors)")
    let one = try await query(["Commit", "--follow", "repo", "--output", "ndjson"])
    #expect(one.output == #"{"id":1,"repo_id":{"id":7,"name":"graft","owner":3}}"# + "\n")
    let both = try await query(["Commit", "--follow", "repo.owner", "--output", "ndjson"])
    #expect(
      both.output
        == #"{"id":1,"repo_id":{"id":7,"name":"graft","owner":{"id":3,"login":"ada"}}}"# + "\n")
  }

  @Test(arguments: [
    (["Twet"], "graft: unknown entity \"Twet\", did you mean \"Tweet\"?"),
    (
      ["Tweet", "--follow", "autor"],
      "graft: unknown relationship \"autor\" of Tweet, did you mean \"author\"?"
    ),
    (
      ["Tweet", "--order-by", "txt"],
      "graft: unknown attribute \"txt\" of Tweet, did you mean \"text\"?"
    ),
    (
      ["Tweet", "--where", "1; DROP TABLE \"Tweet\""],
      "graft: the condition cannot be used: it contains \";\"; give one condition"
    ),
    (["Tweet", "--reverse"], "graft: --reverse needs an order; give --order-by NAME"),
    (
      ["Tweet", "--where", "text = :a"],
      "graft: the condition cannot be used: it contains the parameter \":\"; interpolate the value"
    ),
    (
      ["Tweet", "--sql", "SELECT 1"],
      "graft: --sql needs the path of a database and no entity; the query names its tables"
    ),
    (
      ["--sql", "SELECT 1", "--limit", "1"],
      "graft: --limit does not go with --sql; say it in the query"
    ),
    (
      ["--sql", "SELECT 1", "--output", "graph"],
      "graft: rows are no graph; --output is json or ndjson with --sql"
    ),
    (
      ["--sql", "DELETE FROM \"Tweet\""],
      "graft: the query cannot be used: it begins with \"DELETE\"; begin it with SELECT, WITH or VALUES"
    ),
    ([], "graft: which objects? give the path of a database and the name of an entity"),
    (["Tweet", "x"], "graft: unexpected \"x\"; one database and one entity are given"),
  ])
  func `refuses what makes no sense`(arguments: [String], message: String) async throws {
    try await imported()
    let run = try await query(arguments)
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(run.errors == message + "\n")
  }

  @Test func `orders by several attributes, and counts`() async throws {
    try await imported()
    let run = try await query([
      "Tweet", "--order-by", "retweetCount", "--reverse", "--order-by", "text", "--output",
      "ndjson",
    ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.split(separator: "\n").first?.contains("\"t\"") == true)
    let count = try await query(["Tweet", "--count", "--where", "text <> 't'"])
    #expect(count.status == 0 && count.output == "1\n")
  }

  @Test func `prints the rows of SQL`() async throws {
    try await imported()
    let run = try await query([
      "--sql", "SELECT text, length(text) AS n, author IS NULL AS x FROM \"Tweet\" ORDER BY text",
    ])
    #expect(run.status == 0 && run.errors == "")
    #expect(run.output == #"[{"text":"o'clock","n":7,"x":1},{"text":"t","n":1,"x":0}]"# + "\n")
    let lines = try await query(["--sql", "SELECT NULL AS a, 'é\"' AS b", "--output", "ndjson"])
    #expect(lines.output == #"{"a":null,"b":"é\""}"# + "\n")
    for sql in ["SELECT nothing", "SELECT * FROM \"Twet\"", "SELEC 1", "SELECT 1; SELECT 2"] {
      let wrong = try await query(["--sql", sql])
      #expect(wrong.status == 2 && wrong.output == "", "\(wrong.errors)")
    }
  }

  @Test func `tells what it cannot read`() async throws {
    let missing = try await query(["Tweet"])
    #expect(missing.status == 4)
    #expect(missing.errors == "\(file.url.path): No such file or directory\n")
    let other = try await GraftTool.run(["query", Fixture.timeline, "Tweet"])
    #expect(other.status == 4)
    #expect(other.errors.contains("the file is no database of SQLite"))
  }

  @Test func `has a model that can be printed and exported`() async throws {
    try await imported()
    let model = try await GraftTool.run(["model", file.url.path])
    let original = try await GraftTool.run(["model", "--model", Fixture.timelineModel])
    #expect(model.status == 0 && model.output == original.output)
    let all = try await GraftTool.run(["export", "--from=\(file.url.path)"])
    #expect(all.status == 0 && all.output.hasPrefix(#"{"Hashtag":[{"text":"h"}],"User":["#))
    let users = try await GraftTool.run([
      "export", "--from", file.url.path, "--select", "User", "--ndjson",
    ])
    #expect(users.output.split(separator: "\n").count == 1)
    let both = try await GraftTool.run(["export", "--from", file.url.path, "x.json"])
    #expect(both.status == 2)
    let onto = try await GraftTool.run([
      "export", "--from", file.url.path, "--output", file.url.path,
    ])
    #expect(onto.status == 2 && onto.errors.contains("--output would replace"))
    let report = try await GraftTool.run([
      "import", "--model", Fixture.timelineModel, "--into", file.url.path, "--report",
      file.url.path, "Tweet=x.json",
    ])
    #expect(report.status == 2 && report.errors.contains("--report would replace"))
    for option in [["--report", "x.json"], ["--dry-run"], ["--model", Fixture.timelineModel]] {
      let run = try await GraftTool.run(["export", "--from", file.url.path] + option)
      #expect(run.status == 2 && run.errors.contains("\(option[0]) does not go with --from"))
    }
  }
}
