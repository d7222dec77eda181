import Foundation
import Testing

@testable import Graft
@testable import GraftInference
@testable import GraftTestSupport

@Suite struct `An object is a dictionary` {
  @Test(arguments: [
    ("services", 8, true), ("services", 2, false), ("setting", 8, false),
  ])
  func `though each object has a few of its keys, if these are few of all`(
    key: String, other: Int, isDictionary: Bool
  ) throws {
    let zones = (0..<5).map { zone in
      let all = ["ark", "bus", "cab", "dam", "elk", "fig", "gum", "hop"]
      let names = ["auth"] + (0..<2).map { all[(zone * 2 + $0) % other] }
      let members = Set(names).sorted().map { #""\#($0)": {"hosts": ["\#($0)\#(zone)"]}"# }
      return #"{"zone": "z\#(zone)", "\#(key)": {\#(members.joined(separator: ","))}}"#
    }
    let trial = try InferenceTrial("[\(zones.joined(separator: ","))]")
    #expect(trial.relationshipPaths.contains("\(key).*") == isDictionary)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [true, false])
  func `not beside strings, where it is one of several choices`(areStringsBeside: Bool) throws {
    let kinds = ["Morph", "Train", "Build", "Place", "Lift", "Load"]
    let targets = (0..<12).map { #"{"\#(kinds[$0 % 6])": {"unit": "u\#($0)"}}"# }
    let notes = (targets + (areStringsBeside ? [#""None""#, #""Any""#] : [])).enumerated()
      .map { #"{"id": \#($0), "target": \#($1)}"# }
    let trial = try InferenceTrial("[\(notes.joined(separator: ","))]")
    #expect(trial.relationshipPaths.contains("target.*") != areStringsBeside)
    #expect(trial.relationshipPaths.contains("target") == areStringsBeside)
    #expect(try trial.differences() == [])
  }

  @Test func `have no relationship for each key where a string is in place of one`() throws {
    let votes = (0..<30).map { number in
      let members = (0..<8).map {
        #""n\#((number * 7 + $0 * 11) % 90)": {"score": \#($0), "note": "x\#(number)"}"#
      }
      return #"{"id": \#(number), "votes": {\#(members.joined(separator: ","))}}"#
    }
    let trial = try InferenceTrial(
      "[\((votes + [#"{"id": 30, "votes": "none"}"#]).joined(separator: ","))]")
    #expect(trial.relationshipPaths.count <= 1)
    #expect(try trial.differences() == [])
  }

  @Test func `not of strings beside an object, which an import would take for one of them`() throws
  {
    let trial = try InferenceTrial(
      #"""
      {"next": [{"": [{"$": "550e8400-e29b-41d4-a716-446655440000"}]},
        {"": [{"": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "@type": {}}]}]}
      """#)
    #expect(try trial.differences() == [])
  }

  @Test func `whose keys are counted by themselves, though others hold the same kind`() throws {
    func packages(_ names: [String]) -> String {
      names.map { #""\#($0)-1.0.zip": {"name": "\#($0)", "build": 0, "size": 7, "md5": "x"}"# }
        .joined(separator: ",")
    }
    let trial = try InferenceTrial(
      #"{"packages": {\#(packages(["a", "b", "c"]))}, "archives": {\#(packages(["d", "e"]))}}"#)
    let counts = trial.inferred.findings.filter { $0.topic == .relationship }.map(\.evidence)
    #expect(Set(counts) == ["1 dictionary with 3 keys", "1 dictionary with 2 keys"])
  }

  @Test(arguments: [("type", false), ("app", true)])
  func `where it is called selector, unless a few objects name their type in it`(
    key: String, isDictionary: Bool
  ) throws {
    let notes = (1...4).map {
      #"{"id": "n\#($0)", "at": "c1", "selector": {"\#(key)": "part", "value": "x=\#($0)"}}"#
    }
    let trial = try InferenceTrial(#"{"notes": [\#(notes.joined(separator: ","))]}"#)
    #expect(trial.relationshipPaths.contains { $0.hasSuffix(".*") } == isDictionary)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("n", true), ("part", false)])
  func `of strings and lists is kept as JSON, if its keys are those of another one`(
    prefix: String, isWhole: Bool
  ) throws {
    let nodes = (0..<12).map {
      #""n\#($0)": {"rev": "r\#($0)", "inputs": {"\#(prefix)\#(($0 + 1) % 12)": "x", "\#(prefix)\#(($0 + 2) % 12)": ["y", "z"]}}"#
    }
    let trial = try InferenceTrial(#"{"nodes": {\#(nodes.joined(separator: ","))}}"#)
    let inputs = try trial.entity("Node").attributes.first { $0.name == "inputs" }
    #expect((inputs?.type == .transformable) == isWhole)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("x", true), ("part", false)])
  func `of lists is found by the keys of another one`(prefix: String, isDictionary: Bool) throws {
    let nodes = (0..<6).map { #""x\#($0)": {"name": "n\#($0)", "size": \#($0)}"# }
    let parents = (0..<6).map { #""\#(prefix)\#($0)": ["x\#(($0 + 1) % 6)"]"# }
    let trial = try InferenceTrial(
      #"{"nodes": {\#(nodes.joined(separator: ","))}, "parent_map": {\#(parents.joined(separator: ","))}}"#
    )
    let paths = trial.relationshipPaths
    #expect(paths.contains("nodes.*"))
    #expect(paths.contains { $0.hasPrefix("parent_map.*") } == isDictionary)
    if isDictionary {
      #expect(try trial.entity("ParentMap").relationships.map(\.destination) == ["Node"])
    }
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("slots", true), ("parts", false)])
  func `has the names of objects that are called like it, though each has the same`(
    list: String, isDictionary: Bool
  ) throws {
    let slots = ["fist", "mouth", "torso"].map { #"{"name": "\#($0)", "bone": "b-\#($0)"}"# }
    let animations = ["aim", "hit", "run", "jump"].enumerated().map { number, name in
      #""\#(name)": {"time": \#(number), "slots": {"fist": {"x": \#(number)}, "mouth": {"x": 2}, "torso": {"x": 3}}}"#
    }
    let trial = try InferenceTrial(
      #"{"\#(list)": [\#(slots.joined(separator: ","))], "animations": {\#(animations.joined(separator: ","))}}"#
    )
    #expect(trial.relationshipPaths.contains("slots.*") == isDictionary)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("Fs~g@/3+s:7=*lzq", true), ("score", false)])
  func `of one member is kept as JSON, if its key is data and others are empty`(
    key: String, isWhole: Bool
  ) throws {
    let trial = try InferenceTrial(
      #"{"targets": [{"name": "Stage", "variables": {"\#(key)": ["Score", 0]}}, {"name": "Cat", "variables": {}}]}"#
    )
    let names = try trial.entity("Target").attributes.map(\.name)
    #expect(names.contains("variables") == isWhole)
    #expect(try trial.differences() == [])
  }

  @Test func `is none of the tables of a dump, though a dictionary has their names`() throws {
    let names = ["users", "teams", "posts", "roles"]
    let counts = names.map { #""\#($0)": {"rows": 4, "size": 9}"# }
    let tables = names.enumerated().map { number, name in
      let rows = (0..<4).map {
        #"{"id": \#($0 + 10 * number), "name": "n\#($0)", "\#(name)_a": 1, "\#(name)_b": 2}"#
      }
      return #""\#(name)": [\#(rows.joined(separator: ","))]"#
    }
    let trial = try InferenceTrial(
      #"{"meta": {"tables": {\#(counts.joined(separator: ","))}}, "data": {\#(tables.joined(separator: ","))}}"#
    )
    for name in ["User", "Team", "Post", "Role"] {
      #expect(try trial.entity(name).identity == ["id"])
    }
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    ("dependencies", "log", true), ("settings", "log", false), ("dependencies", "type", false),
  ])
  func `of objects and of strings in their place, if it is called so`(
    key: String, name: String, isDictionary: Bool
  ) throws {
    let packages = (1...4).map {
      #"{"name": "p\#($0)", "\#(key)": {"serde": {"version": "1.\#($0)", "optional": true}, "lib\#($0)": {"path": "../lib", "optional": false}, "\#(name)": "0.4"}}"#
    }
    let trial = try InferenceTrial(#"{"packages": [\#(packages.joined(separator: ","))]}"#)
    #expect(trial.relationshipPaths.contains("\(key).*") == isDictionary)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    (#""updated": "2022-02-04T03:15:41Z", "grid": "58""#, true),
    // A version or a path in place of a record is a short form of it.
    (#""updated": "1.0", "grid": "0.4.2""#, false),
  ])
  func `of records, and not of strings beside them of which only some are dates`(
    strings: String, areAttributes: Bool
  ) throws {
    let series = ["dewpoint", "cover", "speed", "heat", "pressure", "gust"].enumerated().map {
      #""\#($1)": {"uom": "u\#($0)", "values": [{"at": "t\#($0)", "value": \#($0).5}]}"#
    }
    let trial = try InferenceTrial(
      #"{"id": "x", "properties": {\#(strings), \#(series.joined(separator: ","))}}"#)
    #expect(trial.relationshipPaths.contains { $0 == "*" || $0 == "properties.*" })
    let names = trial.model.entities.map { Set($0.attributes.map(\.name)) }
    #expect(names.contains { $0.isSuperset(of: ["updated", "grid"]) } == areAttributes)
    if areAttributes { #expect(try trial.type("Property", "updated") == .date) }
    #expect(try trial.differences() == [])
  }

  @Test func `where it is called targets, although each object has one of its keys`() throws {
    let projects = ["vite", "tsc", "vite", "sql", "tsc"].enumerated().map { number, tool in
      let test = number == 3 ? "" : #", "test": {"executor": "jest"}"#
      return
        #"{"name": "p\#(number)", "targets": {"build": {"executor": "\#(tool)", "cache": true}\#(test)}}"#
    }
    let trial = try InferenceTrial(#"{"projects": [\#(projects.joined(separator: ","))]}"#)
    #expect(try trial.entity("Project").relationships.map { $0.paths?.annotation } == ["targets.*"])
    #expect(try trial.differences() == [])
  }

  @Test
  func `not where there are objects under the keys of one record and lists under those of another`()
    throws
  {
    let names = ["app", "ui", "api", "auth", "data", "util"]
    let nodes = names.map { #""\#($0)": {"name": "\#($0)", "root": "libs/\#($0)", "kind": "lib"}"# }
    let lists = names.map { #""\#($0)": [{"source": "\#($0)", "target": "util"}]"# }
    let trial = try InferenceTrial(
      #"{"graph": {"nodes": {\#(nodes.joined(separator: ","))}, "dependencies": {\#(lists.joined(separator: ","))}}}"#
    )
    let paths = try trial.entity("Document").relationships.map { $0.paths?.annotation }
    #expect(paths == ["graph.nodes.*", "graph.dependencies.*"])
    #expect(try trial.differences() == [])
  }

  @Test(
    arguments: [
      // Numbers with a mark.
      #"{"devices": {"_8086": {"name": "a", "n": 1}, "_0c": {"name": "b", "n": 2}}}"#,
      // The name tells the key.
      #"{"assetsByChunkName": {"app": ["a.js"], "page1": ["b.js"], "react-vendors": ["c.js"]}, "chunks": ["app", "page1", "react-vendors"]}"#,
      // Codes in capitals.
      #"{"price": 1, "quote": {"USD": {"price": 1.5, "cap": 2}, "EUR": {"price": 1.4, "cap": 2}}}"#,
      // A key that all members of a plural have.
      #"{"Outputs": {"VpcId": {"Value": 1}, "QueueUrl": {"Value": 2, "Export": "q"}, "Arn": {"Value": 3, "Description": "x"}}}"#,
      // Full names.
      #"{"id": 1, "groups": {"group.shop.sales": {"name": "sales", "n": 2}}}"#,
      // Full names of another kind.
      #"{"id": 1, "rules": {"AWS::Lambda::Function": {"kind": "role"}}}"#,
      // Five records of four members.
      #"{"id": 1, "net": {"moq": {"a": 1, "b": 2, "c": 3, "d": 4}, "polly": {"a": 1, "b": 2, "c": 3, "d": 5}, "dapper": {"a": 1, "b": 2, "c": 3, "d": 6}, "castle": {"a": 1, "b": 2, "c": 3, "d": 7}, "serilog": {"a": 1, "b": 2, "c": 3, "d": 8}}}"#,
      // Numbers of a plural.
      #"{"id": 1, "processes": {"p1": {"name": "a", "tags": 1}, "p2": {"name": "b", "tags": 2}}}"#,
      // Three numbers of what is no plural.
      #"{"id": 1, "codebook": {"q1": {"text": "Age?", "type": "number"}, "q2": {"text": "City?", "type": "text"}, "q3": {"text": "Glad?", "type": "scale"}}}"#,
      // A list has the keys.
      #"{"ids": ["geo", "sex", "age"], "dimension": {"geo": {"label": "a", "size": 1}, "sex": {"label": "b", "size": 2}, "age": {"label": "c", "size": 3}}}"#,
      // A list in one of the members has the keys of all others, and a note is beside them.
      #"{"_meta": {"hosts": {"n1": {"ip": "a"}}}, "all": {"children": ["web", "db", "cache"]}, "web": {"hosts": ["n1"], "port": 80}, "db": {"hosts": ["n2"]}, "cache": {"hosts": ["n1"], "port": 81}}"#,
      // One member of other objects has the keys.
      #"{"docs": [{"id": "sa"}, {"id": "sb"}, {"id": "sc"}, {"id": "sd"}], "highlights": {"sa": {"text": ["x"]}, "sb": {"text": ["y"]}, "sc": {"text": ["z"]}, "sd": {"text": ["w"]}}}"#,
      // Another dictionary has the keys.
      #"{"quests": {"find_cat": {"title": "a", "giver": "x"}, "fix_mill": {"title": "b", "giver": "y"}, "slay_it": {"title": "c", "giver": "z"}, "run": {"title": "d", "giver": "x"}}, "log": {"find_cat": {"state": "done", "at": 1}, "fix_mill": {"state": "open", "at": 2}, "run": {"state": "open", "at": 3}}}"#,
      // Dictionaries of one record under the keys of a plural.
      #"{"facts": {"dei": {"SharesOutstanding": {"label": "a", "text": "b", "units": 1}, "PublicFloat": {"label": "c", "text": "d", "units": 2}}, "gaap": {"Assets": {"label": "e", "text": "f", "units": 3}, "Cash": {"label": "g", "text": "h", "units": 4}, "Debt": {"label": "i", "text": "j", "units": 5}, "Equity": {"label": "k", "text": "l", "units": 6}}}}"#,
      // The keys of a plural, which one member of other objects has.
      #"{"services": [{"mounts": [{"source": "data", "path": "/d"}]}, {"mounts": [{"source": "logs", "path": "/l"}]}], "volumes": {"data": {"size": 3}, "logs": {"size": 1}}}"#,
      // The same record in objects beside each other, some of which have one.
      #"{"id": 1, "slots": {"hand": {"sword": {"x": 1, "y": 2}, "axe": {"x": 1, "y": 3}}, "head": {"hat": {"x": 2, "y": 2}}, "foot": {"boot": {"x": 3, "y": 2}}, "neck": {"scarf": {"x": 3, "y": 4}}, "back": {"cape": {"x": 5, "y": 4}}}}"#,
      // Languages.
      #"{"texts": {"en": {"open": "Open", "close": "Close"}, "pt-BR": {"open": "Abrir", "close": "Fechar"}}, "id": 1}"#,
      // Languages above texts of two forms.
      #"{"id": 1, "text": {"en": {"form": {"one": "a", "other": "b"}, "by": 1}, "de": {"text": "c", "by": 2}, "fr": {"text": "d", "by": 2}, "it": {"text": "e", "by": 2}}}"#,
      // Variables.
      #"{"id": 1, "metavars": {"$NAME": {"text": "a", "line": 1}, "$KEY": {"text": "b", "line": 2}, "$VALUE": {"text": "c", "line": 3}, "$REST": {"text": "d", "line": 4}, "$ARGS": {"text": "e", "line": 5}, "$BODY": {"text": "f", "line": 6}, "$CLASS": {"text": "g", "line": 7}, "$FIELD": {"text": "h", "line": 8}, "$TYPE": {"text": "i", "line": 9}, "$SELF": {"text": "j", "line": 10}}}"#,
      // Records under a plural, of which one is empty and one lacks the key of the others.
      #"{"id": 1, "texts": {"": {}, "Add": {"by": {"de": "x"}}, "Cancel": {"by": {"de": "y"}}, "Done": {"by": {"de": "z"}}, "Open": {"by": {"de": "v"}}, "Quit": {"by": {"de": "w"}}, "Zoom": {"lock": true}}}"#,
      // Three records of five members.
      #"{"id": 1, "net": {"moq": {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}, "polly": {"a": 1, "b": 2, "c": 3, "d": 5, "e": 5}, "dapper": {"a": 1, "b": 2, "c": 3, "d": 6, "e": 5}}}"#,
    ])
  func `of objects or lists where its keys are data`(document: String) throws {
    let trial = try InferenceTrial(document)
    let paths = trial.model.entities[0].relationships.compactMap { $0.paths?.annotation }
    let isKept = trial.model.entities.count == 1 && trial.model.entities[0].attributes.count == 2
    #expect(paths.contains { $0.hasSuffix(".*") } || isKept, "\(paths)")
    #expect(try trial.differences() == [])
  }

  @Test func `if the objects beside it hold the same under keys of their own`() throws {
    let trial = try InferenceTrial(
      """
      {"default": {"flask": {"hash": "a", "index": "p", "version": "1"}, "click": {"hash": "b", "index": "p", "version": "2"},
                   "jinja": {"hash": "c", "index": "p", "version": "3"}},
       "develop": {"mypy": {"hash": "d", "index": "p", "version": "4"}, "black": {"hash": "e", "index": "p", "version": "5"},
                   "pytest": {"hash": "f", "index": "p", "version": "6"}}}
      """)
    #expect(trial.model.entities.count == 2)
    #expect(
      trial.model.entities[0].relationships.compactMap { $0.paths?.annotation } == [
        "default.*", "develop.*",
      ])
    #expect(try trial.differences() == [])
  }

  @Test(
    arguments: [
      // The same keys in both halves.
      #"{"home": {"first": {"a": 1, "b": 2}, "second": {"a": 3, "b": 4}, "third": {"a": 1, "b": 2}}, "away": {"first": {"a": 1, "b": 2}, "second": {"a": 3, "b": 4}, "third": {"a": 1, "b": 2}}}"#,
      // Fixed values, in the way of a program.
      #"{"environment": {"python_version": "3.11", "os_name": "posix", "platform_system": "Linux"}}"#,
      // A list in an object that is often a dictionary.
      #"{"definitions": {"standards": [{"name": "a", "n": 1}, {"name": "b", "n": 2}]}}"#,
      // Three records of four members.
      #"{"id": 1, "span": {"start": {"a": 1, "b": 2, "c": 3, "d": 4}, "end": {"a": 1, "b": 2, "c": 3, "d": 5}, "due": {"a": 1, "b": 2, "c": 3, "d": 6}}}"#,
      // Two records of five members, however large.
      #"[{"id": 1, "reply": {"root": {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}, "parent": {"a": 1, "b": 2, "c": 3, "d": 5, "e": 6}}}]"#,
      // Two of three have something in them, and two of four a key in common.
      #"{"id": 1, "options": {"one": {}, "two": {"a": 1}, "three": {"a": 2}}}"#,
      #"{"id": 1, "options": {"one": {"a": 1}, "two": {"a": 1}, "three": {"b": 2}, "four": {"c": 2}}}"#,
      // Two languages above texts of two forms.
      #"{"id": 1, "text": {"en": {"form": {"one": "a", "other": "b"}, "by": 1}, "de": {"text": "c", "by": 2}}}"#,
      // Two corners.
      #"{"id": 1, "bounds": {"northeast": {"lat": 1.5, "lng": 2.5}, "southwest": {"lat": 3.5, "lng": 4.5}}}"#,
      // Two numbered members of a singular.
      #"{"id": 1, "match": {"team1": {"name": "a", "score": 1}, "team2": {"name": "b", "score": 2}}}"#,
      // A list has others than the keys.
      #"{"ids": ["geo", "sex", "age", "year"], "dimension": {"geo": {"label": "a", "size": 1}, "sex": {"label": "b", "size": 2}, "age": {"label": "c", "size": 3}}}"#,
      // Lists under the same keys in objects of two names.
      #"{"dimensions": {"series": [{"id": "a", "n": 1}, {"id": "b", "n": 2}], "observation": [{"id": "c", "n": 3}]}, "attributes": {"series": [{"id": "d", "n": 4}], "observation": [{"id": "e", "n": 5}]}}"#,
      // Each of several objects has all of the keys, which are values too.
      #"[{"product": "bus", "products": {"bus": true, "taxi": false, "tram": true}}, {"product": "taxi", "products": {"bus": false, "taxi": true, "tram": true}}, {"product": "tram", "products": {"bus": true, "taxi": true, "tram": true}}, {"product": "bus", "products": {"bus": true, "taxi": true, "tram": false}}]"#,
      // Titles that all objects have.
      #"[{"First name": "Ann", "Last name": "Lee"}, {"First name": "Ben", "Last name": "Fox"}]"#,
      // Titles above what differs.
      #"{"Meta data": {"1. Symbol": "IBM", "2. Zone": "US"}, "Price (latest)": {"open": 1.5, "close": 2.5}}"#,
      // A key that each object has alone.
      #"[{"no": 1, "name": {"Fn::Sub": "a"}}, {"no": 2, "name": {"Fn::Sub": "b"}}, {"no": 3, "name": {"Fn::Sub": "c"}}]"#,
      #"[{"no": 1, "resources": {"limits": {"cpu": 1, "gpu": 0}}}, {"no": 2, "resources": {"limits": {"cpu": 2, "gpu": 0}}}, {"no": 3, "resources": {"limits": {"cpu": 3, "gpu": 1}}}]"#,
      // Two of the three are values elsewhere.
      #"{"winner": "home", "loser": "away", "home": {"goals": 3, "cards": 1}, "away": {"goals": 1, "cards": 2}}"#,
      // A single one of the members has something in it.
      #"{"rooms": {"invite": {}, "join": {"kind": {"a": 1, "b": 2}}, "leave": {}}}"#,
    ])
  func `not where a program has written its keys`(document: String) throws {
    let trial = try InferenceTrial(document)
    let paths = trial.model.entities.flatMap(\.relationships).compactMap { $0.paths?.annotation }
    #expect(!paths.contains { $0.hasSuffix(".*") }, "\(paths)")
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("en-US", true), ("pt-BR", true), ("to-do", false), ("id", false)])
  func `where its only key is a language with a region`(key: String, isDictionary: Bool) throws {
    let trial = try InferenceTrial(
      #"""
      {"entries": [
        {"no": 1, "title": {"\#(key)": "a"}}, {"no": 2, "title": {"\#(key)": "b"}},
        {"no": 3, "title": {"\#(key)": "c"}}]}
      """#)
    let paths = trial.model.entities.flatMap(\.relationships).compactMap { $0.paths?.annotation }
    #expect(paths.contains("title.*") == isDictionary, "\(paths)")
    #expect(try trial.differences() == [])
  }

  @Test func `where its keys are those of another one`() throws {
    let trial = try InferenceTrial(Self.nodes(inputs: ["utils", "core", "base"]))
    #expect(try trial.relationship("Node", "inputs") == "⇉ Input")
    #expect(try trial.relationship("Input", "node") == "→ Node by identifier")
    #expect(try trial.differences() == [])
    let other = try InferenceTrial(Self.nodes(inputs: ["left", "right", "middle"]))
    #expect(!other.model.entities.contains { $0.name == "Input" && $0.identity == ["key"] })
    let paths = other.model.entities.flatMap(\.relationships).compactMap { $0.paths?.annotation }
    #expect(!paths.contains("inputs.*"))
    #expect(try other.differences() == [])
  }

  /// A dictionary of nodes, of which some have two of three inputs.
  private static func nodes(inputs: [String]) -> String {
    let nodes = ["utils", "core", "base", "site", "docs"].enumerated().map { number, name in
      let keys = [inputs[number % 3], inputs[(number + 1) % 3]].map { #""\#($0)": "\#($0)""# }
      let own = number < 2 ? "" : #""inputs": {\#(keys.joined(separator: ","))}, "#
      return
        #""\#(name)": {\#(own)"locked": {"rev": "r\#(number)", "time": \#(number)}, "original": {"rev": "main", "url": "u\#(number)"}}"#
    }
    return #"{"nodes": {\#(nodes.joined(separator: ","))}}"#
  }

  @Test func `by what all objects at its place have in common`() throws {
    let trial = try InferenceTrial(
      """
      {"Resources": {"Vpc": {"Type": "AWS::VPC", "Properties": {"Cidr": "10.0.0.0/16", "Dns": true}},
        "Net": {"Type": "AWS::Net", "Properties": {"Cidr": "10.0.1.0/24", "Tags": [{"Key": "a", "Value": "b"}]}},
        "Role": {"Type": "AWS::Role", "Properties": {"Policy": {"Version": "1", "Rules": ["x"]}}}}}
      """)
    #expect(try trial.relationship("Resource", "tags") == "⇉ Tag")
    #expect(try trial.differences() == [])
  }

  @Test func `of objects among strings, whose keys are all data`() throws {
    let trial = try InferenceTrial(
      """
      [{"fields": [{"001": "ocm1"}, {"100": {"ind": "1", "text": "a"}}, {"245": {"ind": "0", "text": "b"}}]},
       {"fields": [{"001": "ocm2"}, {"100": {"ind": "1", "text": "c"}}, {"650": {"ind": "0", "text": "d"}}]}]
      """)
    #expect(try trial.entity("Field").attributes.map(\.paths) == ["001"])
    #expect(try trial.entity("Field").relationships.map(\.paths) == ["*"])
    #expect(try trial.differences() == [])
  }

  @Test func `of objects, and nothing that is read beside them is one of them`() throws {
    let trial = try InferenceTrial(
      """
      [{"name": "x", "100": {"a": "1", "b": "2"}, "200": {"a": "1", "b": "3"}}, {"name": "y", "300": {"a": "4", "b": "2"}}]
      """)
    #expect(trial.model.entities.map(\.attributes.count) == [1, 3])
    #expect(try trial.differences() == [])
  }

  @Test func `where the keys that each has are the identities of others`() throws {
    let parties = ["spd", "cdu", "gru", "fdp"]
    let list = parties.map { #"{"id": "\#($0)", "colour": "c\#($0.count)"}"# }
    func districts(_ keys: [String]) -> String {
      let districts = (0..<5).map { number in
        let results = keys.map { #""\#($0)": {"votes": \#(number * 7), "share": 0.5}"# }
        return #"{"number": \#(number), "results": {\#(results.joined(separator: ","))}}"#
      }
      return
        #"{"parties": [\#(list.joined(separator: ","))], "districts": [\#(districts.joined(separator: ","))]}"#
    }
    let trial = try InferenceTrial(districts(parties))
    #expect(try trial.entity("District").relationships.map(\.paths) == ["results.*"])
    let other = try InferenceTrial(districts(["first", "second", "third", "fourth"]))
    #expect(try other.entity("District").relationships.count == 4)
    #expect(try trial.differences() == [])
    #expect(try other.differences() == [])
  }

  /// Documents with 30 objects, each with a `selector`.
  private static func selectors(_ selector: (Int) -> String) -> String {
    let items = (0..<30).map { #"{"no": \#($0), "selector": {\#(selector($0))}}"# }
    return #"{"items": [\#(items.joined(separator: ","))]}"#
  }

  @Test func `not where each of many objects has all of its keys`() throws {
    let trial = try InferenceTrial(
      Self.selectors { #""type": "fragment", "value": "xywh=\#($0)""# })
    #expect(trial.model.entities.flatMap(\.attributes).contains { $0.name == "value" })
    let other = try InferenceTrial(Self.selectors { #""app\#($0 % 7)": "x\#($0)""# })
    let paths = other.model.entities.flatMap(\.relationships).compactMap { $0.paths?.annotation }
    #expect(paths.contains("selector.*"))
    #expect(try trial.differences() == [])
    #expect(try other.differences() == [])
  }

  @Test(arguments: [1, 7])
  func `of more keys than an object may have, beside a note on it`(count: Int) throws {
    let notes = (0..<count).map { #""$note\#($0)": {"advice": "x", "at": \#($0)}"# }
    let packages = (0..<450).map {
      #""package\#(Self.letters($0))": [{"id": "p\#($0)", "specs": ["<\#($0)"]}]"#
    }
    let trial = try InferenceTrial("{" + (notes + packages).joined(separator: ",") + "}")
    let root = trial.model.entities[0]
    #expect(root.relationships.contains { $0.paths?.annotation == "*" && $0.isToMany })
    #expect(trial.model.entities.contains { $0.identity == ["id"] })
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [(10, ""), (5, #""id": 1, "hosts": "#), (10, #""id": 1, "hosts": "#)])
  func `of records, and a note beside them is none of these`(count: Int, before: String) throws {
    func document(_ note: String) -> String {
      let records = (0..<count).map { #""\#(Self.letters($0))web": {"port": \#($0), "kind": "x"}"# }
      let dictionary = "{\(([note] + records).joined(separator: ","))}"
      return before.isEmpty ? dictionary : "{\(before)\(dictionary)}"
    }
    let trial = try InferenceTrial(document(#""$meta": {"version": 2, "by": "ann"}"#))
    let records = try #require(trial.model.entities.last)
    #expect(records.attributes.map(\.name) == ["key", "port", "kind"])
    #expect(try trial.differences() == [])
    // One that is like them is one of them.
    let alike = try InferenceTrial(document(#""_web": {"port": 7, "kind": "y"}"#))
    #expect(!alike.model.entities.contains { $0.attributes.contains { $0.name == "webPort" } })
    #expect(try alike.differences() == [])
  }

  @Test(arguments: [
    (#"{"total": {"n": 5}}"#, true), (#"{"total": 5}"#, false),
    (#"{"total": "x", "sum": null}"#, false),
  ])
  func `at the place of another one, if the same is in both`(other: String, isOne: Bool) throws {
    let rest = #""name": "n", "size": 7, "form": "f", "place": "p", "grade": 1"#
    let trial = try InferenceTrial(
      """
      {"main": {"id": "a1", \(rest), "stats": {"2024-01": {"n": 1}, "2024-02": {"n": 2}}},
       "items": [{"id": "a2", \(rest), "stats": \(other)}]}
      """)
    #expect(trial.relationshipPaths.contains("stats.*") == isOne, "\(trial.relationshipPaths)")
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [(true, AttributeType.string), (false, .integer64)])
  func `whose keys are numbers, unless one of its objects is under a name too`(
    isFeatured: Bool, type: AttributeType
  ) throws {
    func object(_ id: String) -> String {
      #"{"id": "\#(id)", "title": "T", "color": "c", "rank": 1, "slug": "s\#(id)", "icon": "i", "top": true}"#
    }
    let featured = isFeatured ? #""featured": \#(object("a")), "# : ""
    let trial = try InferenceTrial(
      #"{\#(featured)"categories": {"100": \#(object("a")), "107": \#(object("b"))}}"#)
    #expect(try trial.type("Category", "key") == type)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    ("1", "7", true), ("1", "null", false), ("1", #""v", "2024-02": null"#, false),
    (#"{"n": 1}"#, "null", false), (#"{"n": 1}"#, #"{"n": 2}"#, true),
  ])
  func `at two places, unless one of them has nulls`(
    one: String, other: String, isRead: Bool
  )
    throws
  {
    let rest = #""name": "n", "size": 7, "form": "f", "place": "p", "grade": 1"#
    let trial = try InferenceTrial(
      """
      {"main": {"id": "a1", \(rest), "stats": {"2024-01": \(one), "2024-02": \(one)}},
       "items": [{"id": "a2", \(rest), "stats": {"2024-01": \(other)}}]}
      """)
    #expect(trial.relationshipPaths.contains("stats.*") == isRead, "\(trial.relationshipPaths)")
    #expect(try trial.differences() == [])
  }

  @Test func `in dictionaries, each level of which is another one`() throws {
    let trial = try InferenceTrial(
      """
      {"prices": {"2024-01-01": {"100": {"2001": {"unit": "h", "sum": 3}}, "200": {"2002": {"unit": "d", "sum": 4}}},
                  "2024-02-01": {"100": {"2001": {"unit": "h", "sum": 5}}}}}
      """)
    #expect(trial.model.entities.contains { $0.attributes.map(\.name).contains("unit") })
    #expect(try trial.differences() == [])
    // Those of strings are others than those of objects.
    let other = try InferenceTrial(
      """
      {"old": {"groups": [{"2024-01-01": "x"}, {"2024-01-01": "y"}]},
       "groups": [{"2024-01-01": {"n": 1, "m": 2}}, {"2024-01-01": {"n": 3, "m": 2}}]}
      """)
    #expect(try other.differences() == [])
    // Those of one level are the same at two places.
    let same = try InferenceTrial(
      """
      {"list": [{"id": 1, "prices": {"2024-01-01": {"100": 3, "200": 4}, "2024-02-01": {"100": 5}}}],
       "total": {"prices": {"2024-01-01": {"100": 8, "200": 9}, "2024-02-01": {"100": 6}}}}
      """)
    #expect(
      Set(
        same.model.entities.flatMap(\.relationships).filter { $0.name == "prices" }.map(
          \.destination)
      ).count == 1)
    #expect(try same.differences() == [])
  }

  @Test(
    arguments: [
      (#"{"2024-01": ["x", "x"], "2024-02": ["y"]}"#, "lists, some of which have a value twice"),
      (#"{"2024-01": ["x", null], "2024-02": ["y"]}"#, "a dictionary of lists with nulls"),
      (#"{"2024-01": ["x"], "2024-02": ["y", "z"]}"#, "lists, whose values identify nothing"),
      (#"{"2024-01": ["x"], "2024-02": {"y": 1}, "2024-03": 7}"#, "values of several kinds"),
      (#"{"2024-01": "x", "2024-02": null, "2024-03": "y"}"#, "nulls"),
      (#"{"2024-01": [], "2024-02": []}"#, "values that are always empty"),
      (#"{"2024-01": [[[1], [2, 3]]], "2024-02": [[[4]]]}"#, "a dictionary of arrays of arrays"),
      (
        #"{"2024-01": {"100": [4, 4]}, "2024-02": {"200": [5]}}"#,
        "a dictionary of dictionaries of lists, some of which"
      ),
    ])
  func `that is kept as JSON, which has a reason`(dictionary: String, reason: String) throws {
    let trial = try InferenceTrial(#"{"id": 1, "name": "n", "parts": \#(dictionary)}"#)
    let finding = trial.inferred.findings.first { $0.subject == "Document.parts" }
    #expect(finding?.evidence.contains(reason) == true, "\(trial.inferred.findings)")
    #expect(try trial.type("Document", "parts") == .transformable)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [true, false])
  func `is none where keys come again in other objects with values of one kind`(
    comeAgain: Bool
  ) throws {
    let shapes = (0..<12).map { number in
      let suffix = comeAgain ? "" : "\(number)"
      let members = [
        #""a.b#code\#(suffix)": \#(400 + number)"#,
        #""a.b#http\#(suffix)": {"method": "GET", "uri": "/v\#(number)"}"#,
        #""a.b#text\#(suffix)": "text \#(number)""#,
      ]
      let some = members.enumerated().filter { (number + $0.offset) % 3 > 0 }.map(\.element)
      return #"{"id": \#(number), "traits": {\#(some.joined(separator: ", "))}}"#
    }
    let trial = try InferenceTrial(#"{"shapes": [\#(shapes.joined(separator: ", "))]}"#)
    let attributes = trial.model.entities.flatMap(\.attributes)
    #expect(attributes.contains { $0.name == "traits" } != comeAgain)
    #expect(attributes.contains { $0.paths?.annotation == "traits['a.b#code']" } == comeAgain)
    #expect(try trial.differences() == [])
  }

  /// Returns a number in letters, of which no key looks like data.
  private static func letters(_ number: Int) -> String {
    String(String(number).map { Character(UnicodeScalar(UInt8(97 + ($0.wholeNumberValue ?? 0)))) })
  }

  @Test(
    arguments: [
      // Too many keys to be fixed, at the root and inside.
      (450, "[#, ##]"), (450, #"{"id": 1, "levels": [#, ##, {}]}"#),
      // Few.
      (4, #"{"id": 1, "levels": [#, ##]}"#),
    ])
  func `of each element of an array, and each stays an object of its own`(
    count: Int, document: String
  ) throws {
    func dictionary(_ size: Int) -> String {
      let members = (0..<count).map { #""k\#(1000 + $0)": {"name": "n\#($0)", "size": \#(size)}"# }
      return "{" + members.joined(separator: ",") + "}"
    }
    let trial = try InferenceTrial(
      document.replacingOccurrences(of: "##", with: dictionary(2))
        .replacingOccurrences(of: "#", with: dictionary(1)))
    let holder = trial.model.entities.first { entity in
      entity.relationships.contains { $0.paths?.annotation == "*" && $0.isToMany }
    }
    #expect(holder != nil, "\(trial.model.entities.map(\.name))")
    #expect(try trial.differences() == [])
  }

  @Test func `of lists at the root, whose values become objects where they identify nothing`()
    throws
  {
    let lists = try InferenceTrial(
      #"{"map/a": ["amap.min", "js"], "map/l": ["leaflet", "js"], "map/m": ["leaflet", "css"]}"#)
    try #require(lists.model.entities.count == 2)
    #expect(lists.model.entities[0].identity == ["key"])
    #expect(lists.model.entities[1].attributes.map { $0.paths?.annotation } == ["@value"])
    #expect(try lists.differences() == [])
    let graph = try InferenceTrial(
      #"{"node/1": ["node/2", "node/3"], "node/2": ["node/3"], "node/3": ["node/1"]}"#)
    #expect(graph.model.entities.count == 1)
    #expect(graph.model.entities[0].relationships.map(\.destination).count == 1)
    #expect(try graph.differences() == [])
  }

  @Test func `beside keys that are none, which stay`() throws {
    let trial = try InferenceTrial(
      """
      {"result": {"uids": ["7101", "7102"], "7101": {"uid": "7101", "title": "a"}, "7102": {"uid": "7102", "title": "b"}}}
      """)
    let result = try trial.entity("Result")
    #expect(result.relationships.map(\.paths).contains("*"))
    #expect((result.attributes.map(\.name) + result.relationships.map(\.name)).contains("uids"))
    #expect(try trial.entity("ResultEntry").identity == ["uid"])
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("h", 4, false), ("h", 40, true), ("D", 4, true)])
  func `unless they are a few durations`(unit: String, count: Int, areData: Bool) throws {
    let members = (1...count).map { #""\#($0)\#(unit)": {"low": \#($0), "high": \#($0 + 5)}"# }
    let trial = try InferenceTrial(
      #"{"id": 1, "forecast": {\#(members.joined(separator: ","))}}"#)
    #expect(trial.relationshipPaths.contains("forecast.*") == areData)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [(#"{"href": "/api/7"}"#, false), (#"{"kind": "param"}"#, true)])
  func `unless they are the relations of links`(value: String, areData: Bool) throws {
    let objects = (0..<2).map { number in
      let members = ["self", "x\(number)", "y\(number)"].map { "\"\($0)\": \(value)" }
      return #"{"id": \#(number), "symbols": {\#(members.joined(separator: ","))}}"#
    }
    let trial = try InferenceTrial("[\(objects.joined(separator: ","))]")
    #expect(trial.relationshipPaths.contains("symbols.*") == areData, "\(trial.relationshipPaths)")
  }

  @Test func `unless they are the titles of columns`() throws {
    let people = ["Ann", "Ben", "Cid"].map {
      #"{"First name": "\#($0)", "Last name": "\#($0)son"}"#
    }
    let trial = try InferenceTrial("[\(people.joined(separator: ","))]")
    #expect(trial.model.entities.map(\.attributes.count) == [2])
  }

  @Test func `unless a few numbers are keys among names`() throws {
    let trial = try InferenceTrial(
      #"[{"name": "a", "2020": 5, "2021": 6}, {"name": "b", "2020": 7, "2021": 8}]"#)
    #expect(trial.model.entities.map(\.attributes.count) == [3])
  }
}

/// Objects around others.
@Suite struct `Fixed keys beside those of a dictionary` {
  @Test(arguments: [#"{"count": 3, "page": 1}"#, #"{"count": 3}"#])
  func `hold no object of the dictionary`(note: String) throws {
    let items = ["a-1", "b-2", "c-3", "d-4"].map { #""\#($0)": {"name": "\#($0)", "size": 2}"# }
    let trial = try InferenceTrial(#"{"_meta": \#(note), \#(items.joined(separator: ","))}"#)
    #expect(try trial.relationship("Document", "items") == "⇉ Item")
    #expect(try trial.importedCount("Item") == 4)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [(["k1", "k2"], true), (["north", "south"], false)])
  func `leave a few keys a dictionary if these look like data`(
    keys: [String], isDictionary: Bool
  ) throws {
    let things = keys.enumerated().map { #""\#($1)": {"a": \#($0), "b": 2}"# }
    let trial = try InferenceTrial(
      #"{"things": {"@h": {"version": 1, "by": "x"}, \#(things.joined(separator: ","))}}"#)
    #expect(trial.relationshipPaths.contains { $0.hasSuffix("*") } == isDictionary)
    #expect(try trial.differences() == [])
  }

  @Test func `are those of all members, if some have titles`() throws {
    let trial = try InferenceTrial(
      """
      {"event": {"Event": {"a": "1", "b": "2"}, "start time": {"a": "1", "b": "3"}, "end time": {"a": "1", "b": "4"},
                 "organization": {"x": "1", "y": "2"}}}
      """)
    #expect(!trial.relationshipPaths.contains { $0.hasSuffix("*") })
    #expect(try trial.differences() == [])
  }
}

@Suite struct `A dictionary of lists whose keys are those of another one` {
  @Test func `is kept as JSON where the values identify nothing`() throws {
    let names = ["Accept-Language", "CloudFront-Forwarded", "X-Amz-Cf-Id", "X-Forwarded-For"]
    let single = names.map { #""\#($0)": "v\#($0.count)""# }.joined(separator: ",")
    let several = names.map { #""\#($0)": ["v\#($0.count)"]"# }.joined(separator: ",")
    let trial = try InferenceTrial(
      #"{"path": "/", "headers": {\#(single)}, "multiValueHeaders": {\#(several)}}"#)
    #expect(try trial.differences() == [])
  }
}

@Suite struct `A key that says how often` {
  @Test(arguments: [
    (["hourly", "daily", "minutely"], false), (["berlin", "paris", "rome"], true),
  ])
  func `is a fixed one`(keys: [String], isDictionary: Bool) throws {
    let lists = keys.enumerated().map { number, key in
      let rows = (0..<3).map {
        #"{"time": "\#(number)\#($0)", "value": \#($0), "gust": \#($0 + number)}"#
      }
      return #""\#(key)": [\#(rows.joined(separator: ","))]"#
    }
    let trial = try InferenceTrial(#"{"timelines": {\#(lists.joined(separator: ","))}}"#)
    #expect(trial.relationshipPaths.contains { $0.hasSuffix("*") } == isDictionary)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("3h", false), ("80/tcp", true)])
  func `may be a measure, even alone`(key: String, isDictionary: Bool) throws {
    let items = (0..<4).map { #"{"at": \#($0), "rain": {"\#(key)": 0.\#($0 + 1)}}"# }
    let trial = try InferenceTrial(#"{"list": [\#(items.joined(separator: ","))]}"#)
    #expect(trial.relationshipPaths.contains { $0.hasSuffix("*") } == isDictionary)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [(["1m", "5m", "15m"], false), (["1-a", "5-a", "15-a"], true)])
  func `may be a time`(keys: [String], isDictionary: Bool) throws {
    let averages = keys.enumerated().map { #""\#($1)": \#($0).25"# }
    let trial = try InferenceTrial(
      #"{"averages": {\#(averages.joined(separator: ","))}, "kernel": "Linux"}"#)
    #expect(trial.relationshipPaths.contains { $0.hasSuffix("*") } == isDictionary)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("self", false), ("cart", true)])
  func `may be the relation of a link`(key: String, isDictionary: Bool) throws {
    let links = [key, "collection", "customer"].map {
      #""\#($0)": [{"href": "https://a.org/\#($0)s/1"}]"#
    }
    let trial = try InferenceTrial(
      #"{"data": [{"id": 560, "_links": {\#(links.joined(separator: ","))}}, {"id": 561}, {"id": 562}]}"#
    )
    #expect(trial.relationshipPaths.contains { $0.contains(".*") } == isDictionary)
    #expect(Set(trial.model.entities.map(\.name)).isSuperset(of: ["Item", "Link"]))
    #expect(try trial.differences() == [])
  }
}

@Suite struct `A wrapper` {
  @Test func `that has nothing but what is in it is dissolved`() throws {
    let trial = try InferenceTrial(
      #"{"response": [{"team": {"id": 33, "name": "a"}}, {"team": {"id": 34, "name": "b"}}]}"#)
    #expect(trial.model.entities.map(\.name) == ["Document", "Team"])
    #expect(try trial.entity("Document").relationships.map(\.paths) == ["response[*].team"])
    #expect(try trial.differences() == [])
  }

  @Test(
    arguments: [
      #"{"response": [{"rank": 1, "team": {"id": 33, "name": "a"}}, {"rank": 2, "team": {"id": 34, "name": "b"}}]}"#,
      #"{"response": [{"user": {"id": 33, "name": "a"}}, {"team": {"id": 34, "city": "b"}}]}"#,
    ])
  func `with something of its own stays`(document: String) throws {
    let trial = try InferenceTrial(document)
    #expect(try trial.relationship("Document", "response") == "⇉ Response")
    #expect(try trial.differences() == [])
  }
}

/// References by something else than an identity of that name.
@Suite struct `A reference` {
  @Test func `is an object that has nothing but the identifier of another one`() throws {
    let objects = (0..<4).map { number in
      let parent = number == 0 ? "null" : #"{"fileID": \#(4990 + 10 * number)}"#
      return #"{"fileID": \#(5000 + 10 * number), "kind": "Node", "parent": \#(parent)}"#
    }
    let trial = try InferenceTrial(
      #"{"nodes": [\#(objects.joined(separator: ","))], "scene": "a"}"#)
    #expect(try trial.entity("Node").relationships.map(\.destination) == ["Node"])
    #expect(trial.model.entities.count == 2)
    #expect(try trial.differences() == [])
  }

  @Test func `is a position in the only array of the objects that it names`() throws {
    let trial = try InferenceTrial(
      """
      {"meshes": [{"name": "m"}, {"name": "m"}, {"name": "k"}],
       "nodes": [{"mesh": 0, "children": [1, 2]}, {"mesh": 2, "count": 1}, {"mesh": 1, "count": 2}]}
      """)
    #expect(try trial.relationship("Node", "mesh") == "→ Mesh by identifier")
    #expect(try trial.relationship("Node", "children") == "⇉ Node by identifier")
    #expect(try trial.entity("Mesh").identity == ["index"])
    #expect(try trial.type("Node", "count") == .integer64)
    #expect(try trial.differences() == [])
  }

  @Test func `is the value of a member that is different in each object`() throws {
    let trial = try InferenceTrial(
      #"{"layers": [{"ind": 1, "w": 5}, {"ind": 2, "w": 5, "parent": 1}, {"ind": 3, "w": 5, "parent": 2}]}"#
    )
    #expect(try trial.entity("Layer").identity == ["ind"])
    #expect(try trial.relationship("Layer", "parent") == "→ Layer by identifier")
    #expect(try trial.differences() == [])
  }

  @Test func `is an identifier if its name says so`() throws {
    let trial = try InferenceTrial(
      """
      {"audits": [{"id": "speed-index", "title": "a", "score": 1}, {"id": "image-alt", "title": "b", "score": 0}],
       "groups": [{"name": "x", "auditRefs": [{"id": "speed-index", "weight": 3}, {"id": "image-alt", "weight": 5}]}]}
      """)
    #expect(try trial.entity("AuditRef").relationships.map(\.destination) == ["Audit"])
    #expect(try trial.entity("AuditRef").identity == nil)
    #expect(try trial.differences() == [])
  }

  @Test func `is a short form that is null in most objects, and null clears it`() throws {
    let trial = try InferenceTrial(
      """
      [{"id": 901, "user": {"id": 71, "login": "ann", "url": "u1"}, "assignee": null},
       {"id": 902, "user": {"id": 82, "login": "ben", "url": "u2"}, "assignee": {"id": 71, "login": "ann"}},
       {"id": 903, "user": {"id": 71, "login": "ann", "url": "u1"}, "assignee": null},
       {"id": 904, "user": {"id": 82, "login": "ben", "url": "u2"}, "assignee": {"id": 82, "login": "ben"}}]
      """)
    #expect(trial.model.entities.map(\.name) == ["Item", "User"])
    #expect(try trial.relationship("Item", "assignee") == "→ User by identifier")
    let paths = try trial.entity("Item").relationships.first { $0.name == "assignee" }?.paths
    #expect(paths?.annotation == "assignee.id | assignee")
    #expect(try trial.differences() == [])
  }

  @Test func `is none where a label has the name of a person`() throws {
    let trial = try InferenceTrial(
      """
      {"users": [{"id": 71, "login": "ann", "url": "u1"}, {"id": 82, "login": "ben", "url": "u2"}],
       "labels": [{"id": 5, "name": "ann", "color": "red"}, {"id": 6, "name": "ben", "color": "blue"}]}
      """)
    #expect(try trial.entity("Label").relationships.isEmpty)
  }
}

@Suite struct `Keys that are identities elsewhere` {
  private static func document(_ codes: [String], isSparse: Bool = true) -> String {
    let plans = codes.map { #"{"code": "\#($0)", "name": "The \#($0)"}"# }
    let days = (1...7).map { day in
      let rates = codes.enumerated().filter { $0.offset < 2 || !isSparse || day % 3 > 0 }
        .map { #""\#($0.element)": "1\#(day)\#($0.offset).50""# }
      return #"{"date": "2024-07-0\#(day)", "rates": {\#(rates.joined(separator: ", "))}}"#
    }
    return """
      {"plans": [\(plans.joined(separator: ","))], "days": [\(days.joined(separator: ","))]}
      """
  }

  @Test(arguments: [true, false])
  func `make an object of values a dictionary if they are codes`(isSparse: Bool) throws {
    let trial = try InferenceTrial(Self.document(["BAR", "NRF", "HB"], isSparse: isSparse))
    #expect(try trial.relationship("Day", "rates") == "⇉ Rate")
    let key = try #require(trial.entity("Rate").relationships.first)
    #expect(key.destination == "Plan")
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [(["4", "5", "6"], []), ([#""Ann""#, #""Ben""#, #""Eve""#], ["names"])])
  func `refer to no dictionary of numbers beside them, but to one of names`(
    values: [String], destinations: [String]
  ) throws {
    func dictionary(_ values: [String]) -> String {
      "{" + zip(["GKP", "DEF", "MID"], values).map { #""\#($0)": \#($1)"# }.joined(separator: ",")
        + "}"
    }
    let players = (1...12).map { #"{"id": \#($0), "web": "P\#($0)"}"# }
    let trial = try InferenceTrial(
      """
      {"types": [{"id": 1, "short": "GKP"}, {"id": 2, "short": "DEF"}, {"id": 3, "short": "MID"}],
       "players": [\(players.joined(separator: ","))],
       "scoring": {"names": \(dictionary(values)), "won": \(dictionary(["3", "1", "2"])), "lost": \(dictionary(["0", "1", "0"]))}}
      """)
    let links = trial.model.entities.flatMap(\.relationships).filter {
      $0.policies.export == .identifier
    }
    #expect(links.isEmpty == destinations.isEmpty, "\(links.map(\.destination))")
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("", 0), ("700989", 1)])
  func `of objects refer to these if they are long`(prefix: String, count: Int) throws {
    func key(_ number: Int) -> String { "\(prefix)\(16 + number)" }
    let frames = (0..<6).map { number in
      let edges = [number, (number + 1) % 6].map { #""\#(key($0))": \#(number * 7)"# }
      return
        #""\#(key(number))": {"name": "f\#(number)", "edges": {\#(edges.joined(separator: ","))}}"#
    }
    let trial = try InferenceTrial(#"{"frames": {\#(frames.joined(separator: ","))}}"#)
    let links = trial.model.entities.flatMap(\.relationships).filter {
      $0.policies.export == .identifier
    }
    #expect(links.map(\.destination) == Array(repeating: "Frame", count: count))
    #expect(try trial.differences() == [])
  }

  /// Of counts, each object has a few.
  @Test(arguments: [
    (["sad", "wow", "haha", "love"], true), (["red", "blue", "green", "grey"], false),
  ])
  func `make counts of a few in each object a dictionary`(
    types: [String], isDictionary: Bool
  ) throws {
    let messages = (0..<8).map { number in
      let name = ["sad", "wow", "haha", "love"][number / 2]
      let more = number < 2 ? #", "wow": 2"# : ""
      let counts = number % 2 == 0 ? #""\#(name)": 1\#(more)"# : ""
      return
        #"{"id": "m\#(number)", "counts": {\#(counts)}, "reactions": [{"type": "\#(types[number / 2])", "at": \#(number)}]}"#
    }
    let trial = try InferenceTrial(#"{"messages": [\#(messages.joined(separator: ","))]}"#)
    #expect(trial.relationshipPaths.contains { $0.hasSuffix("*") } == isDictionary)
    #expect(try trial.differences() == [])
  }

  /// Lists under the names of objects that are called like the dictionary.
  @Test(arguments: [("ik", true), ("bones", false)])
  func `make lists a dictionary of what these are called`(
    list: String, isDictionary: Bool
  ) throws {
    let names = ["front-leg-ik", "back-leg-ik", "front-arm-ik", "back-arm-ik"]
    let all = names.map { #"{"name": "\#($0)", "target": "\#($0)-t", "order": 1}"# }
    func animation(_ keys: [Int]) -> String {
      let lists = keys.map { #""\#(names[$0])": [{"\#($0 < 2 ? "softness" : "mix")": \#($0)}]"# }
      return #"{"ik": {\#(lists.joined(separator: ","))}}"#
    }
    let trial = try InferenceTrial(
      """
      {"\(list)": [\(all.joined(separator: ","))],
       "animations": {"jump": \(animation([0, 3])), "walk": \(animation([1, 2, 3])), "roar": \(animation([2]))}}
      """)
    #expect(trial.relationshipPaths.contains { $0.hasSuffix("ik.*") } == isDictionary)
    #expect(try trial.differences() == [])
  }

  @Test func `make it none if they are words`() throws {
    let trial = try InferenceTrial(Self.document(["base", "extra", "late"], isSparse: false))
    #expect(!trial.model.entities.map(\.name).contains("Rate"))
  }

  @Test func `refer to the members of another dictionary if they are signs`() throws {
    func entity(_ keys: [String]) throws -> EntityDescription? {
      let trial = try InferenceTrial(
        """
        {"users": {"\(keys[0])": {"handle": "mira"}, "\(keys[1])": {"handle": "jan"}, "\(keys[2])": {"handle": "lu"}},
         "polls": [{"id": 1, "votes": {"\(keys[0])": "a", "\(keys[1])": "b"}},
                   {"id": 2, "votes": {"\(keys[2])": "a", "\(keys[1])": "a"}}, {"id": 3, "votes": {"\(keys[0])": "c"}}]}
        """)
      return trial.model.entities.first { $0.name == "Vote" }
    }
    let signs = try entity(["U1A2B0", "U1A681", "U1AA52"])
    #expect(signs?.relationships.map(\.destination) == ["User"])
    let words = try entity(["red", "top", "max"])
    #expect(words?.relationships.isEmpty != false)
  }
}

@Suite struct `Keys of extensions` {
  /// What is under two keys that each object has.
  @Test(arguments: [
    (#"{"uic": 87, "gate": "N"}"#, #"{"area": "b", "level": 2}"#, false),
    (#"{"area": "a", "level": 1}"#, #"{"area": "b", "level": 2}"#, true),
  ])
  func `are fixed if nothing is the same under them`(
    first: String, second: String, isDictionary: Bool
  ) throws {
    let stops = (1...5).map {
      #"{"id": "s\#($0)", "extensions": {"rail": \#(first), "town": \#(second)}}"#
    }
    let trial = try InferenceTrial("[\(stops.joined(separator: ","))]")
    #expect(trial.relationshipPaths.contains { $0.hasSuffix("extensions.*") } == isDictionary)
    #expect(try trial.differences() == [])
  }

  /// A dictionary in an extension of some objects, under the same key or another one each time.
  @Test(arguments: [(["bridge"], false), (["bridge", "lock", "swap"], true)])
  func `are fixed if each has the same one`(keys: [String], isDictionary: Bool) throws {
    let tokens = (1...9).map { number in
      let key = keys[number % keys.count]
      return
        #"{"address": "0x\#(number)f3a9", "extensions": {"\#(key)": {"\#(number)": {"to": "a\#(number)"}, "10": {"to": "b"}}}}"#
    }
    let trial = try InferenceTrial("[\(tokens.joined(separator: ","))]")
    #expect(trial.relationshipPaths.contains { $0.hasSuffix("extensions.*") } == isDictionary)
    #expect(try trial.differences() == [])
  }
}
