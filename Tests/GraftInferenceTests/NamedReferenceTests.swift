import Foundation
import Testing

@testable import Graft
@testable import GraftInference
@testable import GraftTestSupport

@Suite struct `An identity that others name` {
  private static func loans(_ member: (Int) -> String) -> String {
    let members = (1...5).map {
      #"{"card": "M-\#(1000 + $0)", "name": "n\#($0)", "expires": "2025-0\#($0)-01"}"#
    }
    let loans = (1...7).map { #"{"due": "2024-0\#($0)-03", "member": "\#(member($0))"}"# }
    return
      #"{"members": [\#(members.joined(separator: ","))], "loans": [\#(loans.joined(separator: ","))]}"#
  }

  @Test func `comes before a name, unless they mean the name`() throws {
    let byCard = try InferenceTrial(Self.loans { "M-\(1001 + $0 % 3)" })
    #expect(try byCard.entity("Member").identity == ["card"])
    #expect(try byCard.relationship("Loan", "member") == "→ Member by identifier")
    #expect(try byCard.differences() == [])
    let byName = try InferenceTrial(Self.loans { "n\(1 + $0 % 3)" })
    #expect(try byName.entity("Member").identity == ["name"])
    #expect(try byName.relationship("Loan", "member") == "→ Member by identifier")
    let byNone = try InferenceTrial(Self.loans { "x\(1 + $0 % 3)" })
    #expect(try byNone.entity("Member").identity == ["name"])
  }

  @Test(arguments: [("player_slot", true), ("kills", false)])
  func `has a key that begins with what the objects are called`(
    key: String, isIdentity: Bool
  ) throws {
    let players = (0..<6).map {
      #"{"\#(key)": \#($0 < 3 ? $0 : $0 + 125), "gold": \#($0 % 2), "items": \#($0 % 3)}"#
    }
    let chat = (0..<6).map { #"{"time": \#($0 * 10), "\#(key)": \#([0, 1, 128, 129, 1, 0][$0])}"# }
    let trial = try InferenceTrial(
      #"{"players": [\#(players.joined(separator: ","))], "chat": [\#(chat.joined(separator: ","))]}"#
    )
    #expect((try trial.entity("Player").identity ?? []).isEmpty != isIdentity)
    #expect(try trial.entity("Chat").relationships.isEmpty != isIdentity)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    (["IRL 12", "GBR 34", "FRA 56", "IRL 78"], true), (["red", "green", "blue", "grey"], false),
  ])
  func `has the same key elsewhere, if it is a code, and comes before a name then`(
    codes: [String], isIdentity: Bool
  ) throws {
    let boats = codes.enumerated().map {
      #"{"sail": "\#($1)", "name": "n\#($0)", "class": "\#($0 % 2)"}"#
    }
    let finishers = (0..<8).map { #"{"sail": "\#(codes[$0 % 4])", "minutes": \#(60 + $0 % 3)}"# }
    let trial = try InferenceTrial(
      #"{"boats": [\#(boats.joined(separator: ","))], "finishers": [\#(finishers.joined(separator: ","))]}"#
    )
    #expect(try trial.entity("Boat").identity == (isIdentity ? ["sail"] : ["name"]))
    #expect(
      try trial.entity("Finisher").relationships.map(\.destination) == (isIdentity ? ["Boat"] : [])
    )
    #expect(try trial.differences() == [])
  }

  /// Numbers from 1 on are all identities of messages, so that only a name tells what they mean.
  @Test(arguments: [("from_id", false), ("reply_to_id", true)])
  func `decides about small numbers where all of them are identities`(
    key: String, isReference: Bool
  ) throws {
    let messages = (1...60).map {
      #"{"id": \#($0), "\#(key)": \#($0 < 20 ? "null" : "\($0 * 7 % 19 + 1)"), "text": "t\#($0)"}"#
    }
    let trial = try InferenceTrial(#"{"messages": [\#(messages.joined(separator: ","))]}"#)
    #expect(try trial.entity("Message").relationships.isEmpty != isReference)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [(["wk", "we"], true), (["wk", "wk"], false)])
  func `is an identifier that others have too, and of which each object has one`(
    services: [String], isIdentity: Bool
  ) throws {
    let days = services.enumerated().map {
      #"{"service_id": "\#($1)", "monday": \#($0), "from": "2024"}"#
    }
    let trips = (0..<6).map {
      #"{"trip_id": "t\#($0)", "service_id": "\#($0 % 2 == 0 ? "wk" : "we")"}"#
    }
    let trial = try InferenceTrial(
      #"{"calendar": [\#(days.joined(separator: ","))], "trips": [\#(trips.joined(separator: ","))]}"#
    )
    #expect((try trial.entity("Calendar").identity ?? []) == (isIdentity ? ["serviceID"] : []))
    #expect(try trial.entity("Trip").relationships.isEmpty != isIdentity)
    #expect(try trial.differences() == [])
  }

  @Test func `is a reference and a number in its sequence, which both stay attributes`() throws {
    let trips = ["ta", "tb", "tc"].map { #"{"trip_id": "\#($0)", "sign": "X"}"# }
    let stops = ["sa", "sb", "sc", "sd"].map { #"{"stop_id": "\#($0)", "lat": 1.5}"# }
    let times = [
      ("ta", "sa"), ("ta", "sb"), ("tb", "sc"), ("tb", "sd"), ("tc", "sa"), ("tc", "sd"),
    ]
    .enumerated().map {
      #"{"trip_id": "\#($1.0)", "stop_id": "\#($1.1)", "stop_sequence": \#($0 % 2 + 1)}"#
    }
    let fares = ["ta", "tb", "ta"].map { #"{"trip_id": "\#($0)", "price": 3}"# }
    let trial = try InferenceTrial(
      #"{"trips": [\#(trips.joined(separator: ","))], "stops": [\#(stops.joined(separator: ","))], "stop_times": [\#(times.joined(separator: ","))], "fares": [\#(fares.joined(separator: ","))]}"#
    )
    #expect(try trial.entity("StopTime").identity == ["stopSequence", "tripID"])
    #expect(
      try trial.entity("StopTime").relationships.map(\.destination).sorted() == ["Stop", "Trip"])
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    (#"{"tag": "v1", "at": 1}, {"tag": "v2", "at": 1}"#, ["tag"]),
    (#"{"mark": "v1", "at": 1}, {"mark": "v2", "at": 1}"#, []),
    (#"{"tagTag": "x-1", "serial": "8A"}, {"tagTag": "x-2", "serial": "9B"}"#, ["tagTag"]),
  ])
  func `is what two objects are called, or their own tag`(
    tags: String, identity: [String]
  ) throws {
    let trial = try InferenceTrial(#"{"tags": [\#(tags)]}"#)
    #expect(try trial.entity("Tag").identity ?? [] == identity)
  }

  @Test(arguments: [
    (
      #"{"url": "https://a.org/1", "events": ["x"], "on": true}, {"url": "https://a.org/2", "events": [], "on": false}"#,
      ["url"]
    ),
    // Nothing else is different.
    (
      #"{"url": "https://a.org/1", "events": ["x"], "on": true}, {"url": "https://a.org/2", "events": ["x"], "on": true}"#,
      []
    ),
    // There is nothing but a note on it.
    (#"{"url": "https://a.org/1", "text": "x"}, {"url": "https://a.org/2", "text": "y"}"#, []),
  ])
  func `is the address of two objects that have more to them`(
    hooks: String, identity: [String]
  )
    throws
  {
    let trial = try InferenceTrial(#"{"hooks": [\#(hooks)]}"#)
    #expect(try trial.entity("Hook").identity ?? [] == identity)
  }

  @Test(arguments: [("cardNumber", ["cardNumber"]), ("cardColour", ["name"])])
  func `is a number on the objects, before their name, if others have it too`(
    key: String, identity: [String]
  ) throws {
    let patrons = ["Ann", "Ben", "Eve", "Kim"].enumerated().map {
      #"{"\#(key)": "P\#(1000 + $0)", "name": "\#($1)"}"#
    }
    let loans = (0..<9).map {
      #"{"shelf": "S\#($0 % 2)", "\#(key)": "P\#(1000 + $0 % 4)", "due": \#($0)}"#
    }
    let trial = try InferenceTrial(
      #"{"patrons": [\#(patrons.joined(separator: ","))], "loans": [\#(loans.joined(separator: ","))]}"#
    )
    #expect(try trial.entity("Patron").identity == identity)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [true, false])
  func `is the identifier of a thing under a general key, in lists of others`(isUnique: Bool) throws
  {
    let batches = (0..<3).map { batch in
      let data = (0..<2).map { item in
        #"{"parcelId": "P-\#(isUnique ? batch * 2 + item : item)", "weight": \#(batch * 3 + item)}"#
      }
      return #"{"status": 200, "data": [\#(data.joined(separator: ","))]}"#
    }
    let trial = try InferenceTrial(#"{"batches": [\#(batches.joined(separator: ","))]}"#)
    let link = try #require(try trial.entity("Batch").relationships.first)
    #expect(try trial.entity(link.destination).identity ?? [] == (isUnique ? ["parcelId"] : []))
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [true, false])
  func `is no number and type that each of several objects around counts by itself`(
    areInParts: Bool
  ) throws {
    // By chance, no two of these have the same number and the same type.
    let numbers = [[(1, "a"), (2, "b")], [(1, "c"), (2, "d")], [(3, "a"), (1, "b")]]
    let lists = numbers.map { list in
      list.map { #"{"id": \#($0.0), "type": "\#($0.1)", "text": "\#($0.0)\#($0.1)"}"# }
        .joined(separator: ",")
    }
    let parts = lists.enumerated().map { #"{"code": "S-\#($0)", "questions": [\#($1)]}"# }
    let trial = try InferenceTrial(
      areInParts
        ? #"{"surveys": [\#(parts.joined(separator: ","))]}"#
        : #"{"questions": [\#(lists.joined(separator: ","))]}"#)
    let identity = try trial.entity("Question").identity ?? []
    #expect(identity.contains("type") != areInParts)
  }

  @Test(arguments: [(["1", "2"], true), (["00:17:1", "00:17:2"], false)])
  func `is the key of a dictionary, if others mean that and no member`(
    lights: [String], isKey: Bool
  ) throws {
    let all = (1...4).map { #""\#($0)": {"uniqueid": "00:17:\#($0)", "on": \#($0 % 2 == 0)}"# }
    let trial = try InferenceTrial(
      #"{"lights": {\#(all.joined(separator: ","))}, "groups": [{"name": "a", "lights": ["\#(lights[0])", "\#(lights[1])"]}, {"name": "b", "lights": ["\#(lights[1])"]}]}"#
    )
    #expect(try trial.entity("Light").identity == [isKey ? "key" : "uniqueid"])
    #expect(try trial.relationship("Group", "lights") == "⇉ Light by identifier")
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("07:4", false), ("v07.4", true)])
  func `is no time of the day`(prefix: String, isIdentity: Bool) throws {
    let songs = (0..<24).map { #"{"at": "\#(prefix)\#($0)", "plays": \#($0 % 3)}"# }
    let trial = try InferenceTrial(#"{"songs": [\#(songs.joined(separator: ","))]}"#)
    #expect((try trial.entity("Song").identity ?? []).isEmpty != isIdentity)
  }

  @Test(arguments: [
    ("chemists", "author", true), ("solvents", "author", false), ("chemists", "style", false),
  ])
  func `is meant by a role, if the objects are people`(
    people: String, key: String, isReference: Bool
  ) throws {
    let trial = try InferenceTrial(
      """
      {"\(people)": [{"mark": "AI", "grade": 1}, {"mark": "BC", "grade": 2}],
       "reports": [{"pages": 3, "\(key)": "AI"}, {"pages": 4, "\(key)": "BC"}, {"pages": 3, "\(key)": "AI"}]}
      """)
    #expect(try trial.entity("Report").relationships.isEmpty != isReference)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("ItemNo", ["itemNo", "orderID"]), ("Amount", [])])
  func `is the identifier of the object around a part with its number there`(
    key: String, identity: [String]
  ) throws {
    let orders = (0..<4).map { order in
      let items = (1...2).map {
        #"{"OrderID": "1024\#(order)", "\#(key)": \#($0 * 10), "Product": "P\#($0 % 2)"}"#
      }
      return #"{"OrderID": "1024\#(order)", "Items": [\#(items.joined(separator: ","))]}"#
    }
    let trial = try InferenceTrial(#"{"orders": [\#(orders.joined(separator: ","))]}"#)
    #expect(try trial.entity("Item").identity ?? [] == identity)
    #expect(try trial.differences() == [])
  }

  @Test func `is an account before a mail address, whatever mark it has`() throws {
    let changes = (0..<6).map {
      #"{"id": "c\#($0)", "owner": {"_account_id": \#(1000 + $0 % 3), "name": "n\#($0 % 3)", "email": "u\#($0 % 3)@x.example"}}"#
    }
    let trial = try InferenceTrial("[\(changes.joined(separator: ","))]")
    let owner = try #require(trial.model.entities.first { $0.identity != ["id"] })
    #expect(owner.identity == ["accountID"])
  }

  @Test(arguments: [(["AX-1", "AX-2", "BX-1"], true), (["red", "blue", "pink"], false)])
  func `may be one of three keys that are codes`(keys: [String], isReference: Bool) throws {
    let products = keys.map { #"{"sku": "\#($0)", "title": "t"}"# }
    let prices = ["EUR", "USD", "CHF"].map { currency in
      let entries = keys.map { #""\#($0)": {"list": 3, "off": 1}"# }
      return #""\#(currency)": {\#(entries.joined(separator: ","))}"#
    }
    let trial = try InferenceTrial(
      #"{"products": [\#(products.joined(separator: ","))], "prices": {\#(prices.joined(separator: ","))}}"#
    )
    let links = trial.model.entities.flatMap(\.relationships).filter {
      $0.destination == "Product" && $0.policies.export == .identifier
    }
    #expect(links.isEmpty != isReference)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: ["q", ""])
  func `may be a key, if it is a letter and a number`(letter: String) throws {
    let questions = (1...5).map { #"{"qid": "\#(letter)\#($0)", "prompt": "p"}"# }
    let attempts = (0..<4).map { index in
      let answers = (1...3).map {
        #""\#(letter)\#(($0 + index) % 5 + 1)": {"given": "a", "ms": \#($0)}"#
      }
      return #"{"attempt": \#(900 + index), "answers": {\#(answers.joined(separator: ","))}}"#
    }
    let trial = try InferenceTrial(
      #"{"questions": [\#(questions.joined(separator: ","))], "attempts": [\#(attempts.joined(separator: ","))]}"#
    )
    let links = try trial.entity("Answer").relationships
    #expect(links.map(\.destination) == (letter.isEmpty ? [] : ["Question"]))
    #expect(try trial.differences() == [])
  }

  @Test func `is an own number before the code of an account`() throws {
    let tenants = (1...4).map {
      #"{"tenantNo": \#(1000 + $0), "iban": "AT61190430023457320\#($0)", "name": "n\#($0)"}"#
    }
    let trial = try InferenceTrial(#"{"tenants": [\#(tenants.joined(separator: ","))]}"#)
    #expect(try trial.entity("Tenant").identity == ["tenantNo"])
  }

  @Test(arguments: [(3, false), (2, true)])
  func `is no name of a part that is the same only where the object around it is`(
    groups: Int, hasIdentity: Bool
  ) throws {
    // With two groups for three identifiers, the same profile is in several.
    let users = (0..<9).map {
      #"{"id": "u\#($0)", "group": {"id": "g\#($0 % 3)", "since": \#($0 % 3), "profile": {"name": "n\#($0 % 3 % groups)", "note": null, "level": \#($0 % 3 % groups)}}}"#
    }
    let trial = try InferenceTrial("[\(users.joined(separator: ","))]")
    #expect(trial.model.entities.contains { $0.name == "Profile" } == hasIdentity)
    #expect(try trial.differences() == [])
  }

  @Test func `is a name before the file that it is in`() throws {
    let groups = ["node", "api", "db"].map {
      #"{"name": "\#($0)", "file": "/etc/\#($0).yml", "interval": 30}"#
    }
    let trial = try InferenceTrial(#"{"groups": [\#(groups.joined(separator: ","))]}"#)
    #expect(try trial.entity("Group").identity == ["name"])
  }

  @Test func `may be one of a few values, unless the objects only count these`() throws {
    func identity(_ rest: (Int) -> String) throws -> [String] {
      let regs = ["OE-LAA", "OE-LBB", "OE-LCD", "OE-LKF"]
      let fleet = regs.enumerated().map { #"{"reg": "\#($1)", \#(rest($0))}"# }
      let flights = (0..<8).map { #"{"delay": \#($0 % 3), "aircraft": "\#(regs[$0 % 4])"}"# }
      let trial = try InferenceTrial(
        #"{"fleet": [\#(fleet.joined(separator: ","))], "flights": [\#(flights.joined(separator: ","))]}"#
      )
      #expect(try trial.differences() == [])
      return try trial.entity("Fleet").identity ?? []
    }
    #expect(try identity { #""seats": 1\#($0 % 2)0, "type": "E195""# } == ["reg"])
    #expect(try identity { #""count": \#($0 % 2)"# } == [])
  }
}

@Suite struct `The key of an object in a dictionary` {
  @Test(
    arguments: [
      // Others name a node.
      (#""edges": [{"from": "n1", "to": "n2"}, {"from": "n2", "to": "n3"}]"#, "", "key"),
      // The nodes name each other.
      ("", #""leads": ["n1", "n2", "n3"]"#, "key"),
      // They name themselves, or nothing.
      ("", #""label": "@""#, "id"), ("", #""label": "z""#, "id"),
      // Others have the identifier.
      (#""edges": [{"from": "x-91", "to": "x-92"}, {"from": "x-92", "to": "x-93"}]"#, "", "id"),
    ])
  func `is its identity where others mean it by that`(
    others: String, own: String, identity: String
  ) throws {
    let nodes = (1...3).map { number in
      let own = own.isEmpty ? "" : ", " + own.replacing("@", with: "n\(number)")
      return #""n\#(number)": {"id": "x-9\#(number)", "title": "T\#(number)"\#(own)}"#
    }
    let trial = try InferenceTrial(
      #"{"nodes": {\#(nodes.joined(separator: ","))}\#(others.isEmpty ? "" : ", " + others)}"#)
    #expect(try trial.entity("Node").identity == [identity])
    #expect(try trial.differences() == [])
  }
}

@Suite struct `An address that is made from another member` {
  @Test(
    arguments: [
      ("/api/spells/@", "index"), ("https://x.org/spells/@/", "index"), ("/api/spells/7@", "url"),
    ])
  func `leaves the identity to that`(url: String, identity: String) throws {
    let spells = ["acid-arrow", "aid", "alarm", "bane"].map { name in
      #"{"index": "\#(name)", "level": \#(name.count), "url": "\#(url.replacing("@", with: name))"}"#
    }
    let trial = try InferenceTrial(#"{"spells": [\#(spells.joined(separator: ","))]}"#)
    #expect(try trial.entity("Spell").identity == [identity])
    #expect(try trial.differences() == [])
  }
}

@Suite struct `The position of an object in its list` {
  @Test(arguments: [("locationX", "0", "2"), ("locationX", "7", "9"), ("height", "0", "2")])
  func `is its identity where others have that and not its code`(
    key: String, first: String, second: String
  ) throws {
    let locations = (0..<4).map {
      #"{"lid": "A=1@X=\#($0)", "name": "N\#($0)", "kind": \#($0 % 2)}"#
    }
    let trial = try InferenceTrial(
      """
      {"locations": [\(locations.joined(separator: ","))],
       "legs": [{"\(key)": \(first), "at": "a"}, {"\(key)": \(second), "at": "b"}]}
      """)
    let isMeant = key == "locationX" && first == "0"
    #expect(try trial.entity("Location").identity == [isMeant ? "index" : "lid"])
    #expect(try trial.differences() == [])
  }
}

@Suite struct `The name of an object that is identified beside it` {
  @Test(arguments: [["layerUid", "layerName"], ["layerName"]])
  func `is only a copy`(keys: [String]) throws {
    let layers = ["Ground", "Shade", "Things"].enumerated().map {
      #"{"uid": \#(7100 + $0), "name": "\#($1)", "depth": \#($0)}"#
    }
    let instances = ["Ground", "Shade", "Things", "Ground"].enumerated().map { number, name in
      let values = ["layerUid": "\(7100 + number % 3)", "layerName": "\"\(name)\""]
      return "{" + keys.map { #""\#($0)": \#(values[$0] ?? "")"# }.joined(separator: ", ")
        + #", "n": \#(number)}"#
    }
    let trial = try InferenceTrial(
      #"{"layers": [\#(layers.joined(separator: ","))], "instances": [\#(instances.joined(separator: ","))]}"#
    )
    #expect(try trial.entity("Instance").relationships.count { $0.destination == "Layer" } == 1)
    #expect(try trial.differences() == [])
  }
}

@Suite struct `The keys of dictionaries in a dictionary` {
  @Test(arguments: [30, 60])
  func `refer to other objects, however many there are`(count: Int) throws {
    let nodes = (1...2 * count + 1).map { #""node\#($0)": {"leaf": \#($0 > count)}"# }
    let edges = (1...count).map { number in
      #""node\#(number)": {"edge\#(2 * number)": {"target": "node\#(2 * number)"}, "edge\#(2 * number + 1)": {"target": "node\#(2 * number + 1)"}}"#
    }
    let trial = try InferenceTrial(
      #"{"nodeById": {\#(nodes.joined(separator: ","))}, "edgeBySource": {\#(edges.joined(separator: ","))}}"#
    )
    let links = trial.model.entities.flatMap(\.relationships).filter {
      $0.destination == "NodeByID"
    }
    #expect(links.contains { $0.paths?.annotation == "@key" })
    #expect(try trial.differences() == [])
  }
}

@Suite struct `A name under the identifier of its object` {
  /// The names of other objects are references of their own.
  @Test(arguments: [[7101, 7102, 7103], [1, 2, 3]])
  func `is no second reference`(keys: [Int]) throws {
    let layers = ["Ground", "Shade", "Things"].enumerated().map {
      #"{"uid": \#(7101 + $0), "name": "\#($1)", "depth": \#($0)}"#
    }
    let names = zip(keys, ["Ground", "Shade", "Things"]).map { #""\#($0)": "\#($1)""# }
    let trial = try InferenceTrial(
      #"{"layers": [\#(layers.joined(separator: ","))], "titles": {\#(names.joined(separator: ","))}}"#
    )
    let entity = try trial.entity("Title")
    #expect(entity.relationships.map(\.destination) == ["Layer"])
    #expect(entity.relationships.map { $0.paths?.annotation } == [keys[0] > 9 ? "@key" : "@value"])
    #expect(try trial.differences() == [])
  }
}

@Suite struct `An identifier of objects that it does not identify` {
  @Test(arguments: [("rooms", "27461", true), ("rooms", "", true), ("states", "", false)])
  func `is that of what they are called after`(
    list: String, prefix: String, isReference: Bool
  ) throws {
    func rooms(_ setpoint: Int) -> String {
      (1...3).map { #"{"id": "\#(prefix)\#($0)", "setpoint": \#(setpoint + $0)}"# }.joined(
        separator: ",")
    }
    let all = (1...4).map { #"{"id": "\#(prefix)\#($0)", "name": "R\#($0)", "type": "x"}"# }
    let trial = try InferenceTrial(
      """
      {"rooms": [\(all.joined(separator: ","))],
       "zones": [{"name": "Day", "\(list)": [\(rooms(17))]}, {"name": "Night", "\(list)": [\(rooms(20))]}]}
      """)
    let links = trial.model.entities.flatMap(\.relationships).filter {
      $0.destination == "Room" && $0.policies.export == .identifier
    }
    #expect(links.count == (isReference ? 1 : 0))
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("key", ["key"]), ("recipe", nil)] as [(String, [String]?)])
  func `stays the identity of its objects, unless its key names the others`(
    key: String, identity: [String]?
  ) throws {
    let names = ["belt", "gear", "pipe", "fast-belt"]
    let recipes = names.enumerated().map { #"{"key": "\#($1)", "time": \#($0)}"# }
    let belts = names.prefix(3).enumerated().map { #"{"\#(key)": "\#($1)", "speed": \#($0 + 5)}"# }
    let trial = try InferenceTrial(
      #"{"recipes": [\#(recipes.joined(separator: ","))], "belts": [\#(belts.joined(separator: ","))]}"#
    )
    let belt = try trial.entity("Belt")
    #expect(belt.identity == identity)
    #expect(belt.relationships.map(\.destination) == ["Recipe"])
    #expect(try trial.differences() == [])
  }

  @Test func `is no key that each object has of its own, though some others have the same`() throws
  {
    let items = (0..<12).map { #"{"key": "iron-\#($0 % 11)", "type": "t\#($0)", "stack": 5}"# }
    let recipes = (0..<9).map { #"{"key": "iron-\#($0)", "time": \#($0), "in": "x", "out": "y"}"# }
    let trial = try InferenceTrial(
      #"{"items": [\#(items.joined(separator: ","))], "recipes": [\#(recipes.joined(separator: ","))]}"#
    )
    #expect(try trial.entity("Item").relationships.isEmpty)
    #expect(try trial.differences() == [])
  }

  @Test func `leads to no objects that are identified by others themselves`() throws {
    let days = ["sun", "fog", "rain", "snow"].enumerated().map {
      #"{"day": \#($0), "symbol": "\#($1)", "high": \#($0 + 9)}"#
    }
    let hours = ["sun", "fog", "sun"].map { #"{"summary": {"symbol": "\#($0)"}}"# }
    let symbols = ["sun", "fog", "rain", "snow"].map {
      #""\#($0)": {"text": "T \#($0)", "icon": "\#($0).svg"}"#
    }
    let trial = try InferenceTrial(
      """
      {"symbols": {\(symbols.joined(separator: ","))}, "daily": [\(days.joined(separator: ","))],
       "hourly": [\(hours.joined(separator: ","))]}
      """)
    let links = trial.model.entities.flatMap(\.relationships).filter {
      $0.policies.export == .identifier
    }
    #expect(links.allSatisfy { $0.destination == "Symbol" })
    #expect(trial.model.warnings.isEmpty)
    #expect(try trial.differences() == [])
  }
}

@Suite struct `A reference by an unlike name` {
  private static func links(
    _ people: String, _ key: String, _ ids: [String], to values: [String], beside: String = ""
  ) throws -> [String] {
    let targets = ids.map { #"{"id": "\#($0)", "name": "n\#($0)"}"# }
    let sources = values.map { #"{"note": "x", "\#(key)": "\#($0)"}"# }
    let trial = try InferenceTrial(
      #"{\#(beside)"\#(people)": [\#(targets.joined(separator: ","))], "visits": [\#(sources.joined(separator: ","))]}"#
    )
    #expect(try trial.differences() == [])
    return try trial.entity("Visit").relationships.map(\.destination)
  }

  @Test func `leads to the only objects whose identifiers are a letter and a number`() throws {
    let (ids, values) = (["d1", "d2", "d3"], ["d1", "d2", "d1"])
    #expect(try Self.links("doctors", "attending", ids, to: values) == ["Doctor"])
    #expect(try Self.links("doctors", "attending", ["da", "db", "dc"], to: ["da", "db"]) == [])
    #expect(try Self.links("doctors", "attending", ids, to: ["d1", "d1"]) == [])
    #expect(try Self.links("doctors", "attending", ids, to: ["d1", "d9"]) == [])
    let others = #""drugs": [{"id": "d1", "dose": 1}, {"id": "d2", "dose": 2}], "#
    #expect(try Self.links("doctors", "attending", ids, to: values, beside: others) == [])
  }

  @Test(arguments: [
    ("staff", "by", 1), ("staff", "tutor", 1), ("staff", "status", 0), ("doors", "by", 0),
  ])
  func `leads from a role to people`(people: String, key: String, count: Int) throws {
    let ids = ["ito", "rao", "moss"]
    #expect(try Self.links(people, key, ids, to: ["ito", "rao", "ito"]).count == count)
  }

  @Test(arguments: [
    ("pendant", ["1962.44", "1966.81"], true), ("pendant", ["1962.44"], false),
    ("medium", ["canvas", "marble"], false), ("replaces", ["1962.44"], true),
  ])
  func `leads to a code of its own kind, if two do or its name says so`(
    key: String, values: [String], isReference: Bool
  ) throws {
    let codes = ["1962.44", "1963.12", "1964.50", "1966.81", "1967.90", "1968.33"]
    let objects = codes.enumerated().map { index, code in
      let value = index > 3 && index - 4 < values.count ? #""\#(values[index - 4])""# : "null"
      return #"{"code": "\#(code)", "title": "t\#(index)", "\#(key)": \#(value)}"#
    }
    let trial = try InferenceTrial(#"{"objects": [\#(objects.joined(separator: ","))]}"#)
    #expect(try trial.entity("Object").relationships.isEmpty != isReference)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("opponentTeamCode", true), ("opponentTeamCity", false)])
  func `is another one of its kind, by a second key that ends alike`(
    key: String, isReference: Bool
  ) throws {
    let codes = ["ATL", "BOS", "CHI", "DAL", "DEN"]
    let teams = codes.enumerated().map { number, code in
      let games = (1...3).map { game in
        let value = isReference ? codes[(number + game) % 5] : "x\(game)y"
        return #"{"gameNo": \#(number * 3 + game), "\#(key)": "\#(value)"}"#
      }
      return
        #"{"teamId": \#(1610 + number), "teamCode": "\#(code)", "games": [\#(games.joined(separator: ","))]}"#
    }
    let trial = try InferenceTrial(#"{"teams": [\#(teams.joined(separator: ","))]}"#)
    let links = try trial.entity("Game").relationships.filter { $0.destination == "Team" }
    #expect(links.count == (isReference ? 1 : 0))
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("ref_seq", true), ("lead", true), ("hour", false)])
  func `is a record of a journal, where a word says so`(key: String, isReference: Bool) throws {
    let records = (1...8).map { index in
      let kind = ["SALE", "OPEN", "REFUND", "OPEN"][index % 4]
      let rest =
        kind == "SALE"
        ? #", "total": "\#(index).0""#
        : kind == "REFUND" ? #", "\#(key)": \#(1001 + index / 4), "reason": "x""# : ""
      return #"{"seq": \#(1000 + index), "rec": "\#(kind)"\#(rest)}"#
    }
    let trial = try InferenceTrial("[\(records.joined(separator: ","))]")
    let root = try #require(trial.inferred.roots[0]?.entity)
    #expect(try trial.entity(root).identity == ["seq"])
    let kinds = Set(trial.model.entities.compactMap(\.discriminatorValue))
    #expect(kinds.isSuperset(of: ["SALE", "REFUND"]), "\(kinds)")
    let links = trial.model.entities.flatMap(\.relationships)
    #expect(links.isEmpty != isReference)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("g", true), ("k", false)])
  func `is what an identifier is called without its mark`(key: String, isReference: Bool) throws {
    let trial = try InferenceTrial(
      """
      {"garages": [{"gid": "GA", "cars": 3}, {"gid": "GB", "cars": 4}, {"gid": "GC", "cars": 4}],
       "sessions": [{"sid": 71, "\(key)": "GA"}, {"sid": 72, "\(key)": "GC"}, {"sid": 73, "\(key)": "GA"}]}
      """)
    #expect(
      try trial.entity("Session").relationships.map(\.destination)
        == (isReference ? ["Garage"] : []))
    #expect(try trial.differences() == [])
  }

  @Test func `names parts of a list, whatever the document is called`() throws {
    let wards = (0..<2).map { ward in
      let beds = (0..<3).map {
        #"{"bed": "W\#(ward)-\#("ABC".dropFirst($0).prefix(1))", "free": \#($0 == 1)}"#
      }
      return #"{"ward": "W\#(ward)", "beds": [\#(beds.joined(separator: ","))]}"#
    }
    let events = ["W0-A", "W1-C", "W0-B"].map { #"{"type": "admit", "bed": "\#($0)"}"# }
    let document =
      #"{"wards": [\#(wards.joined(separator: ","))], "events": [\#(events.joined(separator: ","))]}"#
    let trial = try InferenceTrial(Data(document.utf8), fileName: "hospital-beds.json")
    #expect(try trial.entity("Bed").identity == ["bed"])
    #expect(try trial.entity("Event").relationships.map(\.destination) == ["Bed"])
  }
}

@Suite struct `Objects under a general key` {
  @Test func `are called by what is around them, and are no others in themselves`() throws {
    let articles = (0..<6).map {
      #"{"id": \#(10 + $0), "attributes": {"title": "t\#($0)", "createdAt": "2024-01-0\#($0 + 1)", "author": {"data": {"id": \#(1 + $0 % 2), "attributes": {"email": "e\#($0 % 2)", "phone": "\#($0 % 2)", "createdAt": "2023-01-0\#($0 % 2 + 1)"}}}}}"#
    }
    let trial = try InferenceTrial(#"{"data": [\#(articles.joined(separator: ","))]}"#)
    let root = try #require(trial.model.entities.first { $0.name == "Document" })
    let item = try #require(root.relationships.first?.destination)
    let entities = trial.model.entities.map(\.name)
    #expect(!(try trial.entity(item).relationships.contains { $0.destination == item }))
    #expect(entities.count > 2, "\(entities)")
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("process", ["Document", "Process"]), ("order", ["Process", "Order"])])
  func `have their own name before the document of that name`(
    key: String, names: [String]
  ) throws {
    let document = #"{"\#(key)": {"id": "p1", "title": "x"}, "at": 7}"#
    let trial = try InferenceTrial(Data(document.utf8), fileName: "process.json")
    #expect(trial.model.entities.map(\.name) == names)
  }

  @Test func `may be told apart by the name of one of two kinds with an identity`() throws {
    let trial = try InferenceTrial(
      """
      {"scan": {"analyzer": {"id": "semgrep", "name": "S", "version": "4.1", "vendor": "x", "end": null},
                "scanner": {"id": "semgrep", "name": "S", "version": "1.2", "vendor": "x", "end": 3}, "at": 7},
       "findings": [{"id": "f1", "scanner": {"id": "semgrep", "name": "S"}}, {"id": "f2", "scanner": {"id": "semgrep", "name": "S"}}]}
      """)
    #expect(try trial.relationship("Finding", "scanner") == "→ Scanner by identifier")
    #expect(try trial.differences() == [])
  }
}

@Suite struct `A number of things` {
  @Test(arguments: [("ref", "refs/heads/main", false), ("code", "EUR", true)])
  func `is no ref that is the same everywhere, though it may be one code`(
    key: String, value: String, isIdentity: Bool
  ) throws {
    let builds = (0..<6).map {
      #"{"id": "b\#($0)", "branch": \#($0 % 2 == 0 ? "null" : #"{"\#(key)": "\#(value)", "path": "x", "depth": 1}"#)}"#
    }
    let trial = try InferenceTrial("[\(builds.joined(separator: ","))]")
    #expect((try trial.entity("Branch").identity ?? []).isEmpty != isIdentity)
  }
}

@Suite struct `Keys above the same records` {
  @Test(arguments: [
    (["pg-orders", "s3-archive", "pg-users"], true), (["first", "second", "third"], false),
  ])
  func `are data where they are compound, and say nothing of what is in these`(
    keys: [String], areData: Bool
  ) throws {
    func connector(_ name: String) -> String {
      #"{"info": {"name": "\#(name)", "type": "sink", "tasks": [{"connector": "\#(name)", "task": 0}]}, "status": {"name": "\#(name)", "type": "sink", "tasks": [{"id": 0, "state": "RUNNING"}]}}"#
    }
    let members = keys.map { #""\#($0)": \#(connector($0))"# }
    let trial = try InferenceTrial("{\(members.joined(separator: ","))}")
    let root = try #require(trial.inferred.roots[0])
    #expect((root.path.description == "*") == areData, "\(root.path.description)")
    let names = trial.relationshipPaths
    #expect(names.allSatisfy { !$0.hasSuffix("*") })
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("staff", 2), ("shift", 0)])
  func `are data where they are the values of a member, under a word for many`(
    key: String, count: Int
  ) throws {
    let trial = try InferenceTrial(
      #"{"\#(key)": {"ann": {"since": 9, "desk": "x"}, "ben": {"since": 8, "desk": "y"}}, "days": [{"baker": "ann", "trays": 1}, {"baker": "ben", "trays": 2}, {"baker": "ann", "trays": 3}]}"#
    )
    let staff = trial.model.entities.first { $0.name == "Staff" }
    #expect((staff?.identity ?? []).isEmpty == (count == 0))
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("SE", true), ("XX", false)])
  func `are data where they are those of a dictionary, and each object lacks one`(
    key: String, areData: Bool
  ) throws {
    let countries = ["\(key)", "IT", "AT", "UA"]
    let votes = countries.map { country in
      let points = countries.filter { $0 != country }.map {
        #""\#($0 == "XX" ? "ES" : $0)": \#($0.count)"#
      }
      return #""\#(country)": {"jury": {\#(points.joined(separator: ","))}, "by": "x"}"#
    }
    let all = countries.map { #""\#($0)": {"name": "n\#($0)", "pot": 1}"# }
    let trial = try InferenceTrial(
      #"{"countries": {\#(all.joined(separator: ","))}, "votes": {\#(votes.joined(separator: ","))}}"#
    )
    let names = trial.relationshipPaths
    #expect(names.contains("jury.*") == areData, "\(names)")
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [(3, "sheets", true), (6, "sheets", true), (6, "kind", false)])
  func `are data where they are those of a dictionary, though each object has all of them`(
    works: Int, member: String, areData: Bool
  ) throws {
    let parts = ["vl", "fl", "hn"].map { key in
      // With members of other names, the parts are not alike.
      #""\#(key)": {"\#(member == "kind" ? member + key : member)": 3, "state": "ok"}"#
    }
    let list = (0..<works).map {
      #"{"work": "Op. \#($0 + 60)", "parts": {\#(parts.joined(separator: ","))}}"#
    }
    let trial = try InferenceTrial(
      #"{"instruments": {"vl": {"name": "Violin", "tuned": true}, "fl": {"name": "Flute", "tuned": false}, "hn": {"name": "Horn", "tuned": true}}, "works": [\#(list.joined(separator: ","))]}"#
    )
    let names = trial.relationshipPaths
    #expect(names.contains("parts.*") == areData, "\(names)")
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("80/tcp", true), ("Fn::Sub", false)])
  func `are data where a digit is first, though each object has only this one`(
    key: String, isData: Bool
  ) throws {
    let hosts = (0..<4).map {
      #"{"id": "h\#($0)", "ports": {"\#(key)": [{"host": "0.0.0.0", "port": \#(8000 + $0)}]}}"#
    }
    let trial = try InferenceTrial("[\(hosts.joined(separator: ","))]")
    let names = trial.relationshipPaths
    #expect(names.contains("ports.*") == isData, "\(names)")
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("total", true), ("lodash", false)])
  func `count things, if one of them is the total`(key: String, isRecord: Bool) throws {
    let trial = try InferenceTrial(
      #"{"metadata": {"dependencies": {"prod": 120, "dev": 400, "\#(key)": 520}}, "version": 2}"#)
    #expect(trial.model.entities.count == (isRecord ? 1 : 2))
    #expect(try trial.differences() == [])
  }
}

@Suite struct `Two kinds with the same identities` {
  @Test(arguments: [true, false])
  func `are told apart by a key that names the other kind, in any order`(isFirst: Bool) throws {
    let hashes = (0..<6).map { "0x9f2c41d7e\($0)a8b3" }
    let receipts = hashes.map { #"{"transactionHash": "\#($0)", "status": "\#($0.last ?? "0")1"}"# }
    let transactions = hashes.map { #"{"hash": "\#($0)", "nonce": "\#($0.count)", "to": "x"}"# }
    let lists = [
      #""receipts": [\#(receipts.joined(separator: ","))]"#,
      #""transactions": [\#(transactions.joined(separator: ","))]"#,
    ]
    let trial = try InferenceTrial(
      "{\((isFirst ? lists : lists.reversed()).joined(separator: ","))}")
    #expect(try trial.entity("Transaction").identity == ["hash"])
    #expect(try trial.entity("Receipt").relationships.map(\.destination) == ["Transaction"])
    #expect(try trial.differences() == [])
  }
}

@Suite struct `The only object of its kind` {
  private static func concepts(
    _ scheme: String, _ inScheme: String, key: String = "inScheme"
  )
    -> String
  {
    let concepts = (1...4).map {
      #"{"uri": "https://a.org/c/\#($0)", "\#(key)": \#(inScheme), "note": "n\#($0)"}"#
    }
    return #"{"scheme": \#(scheme), "concepts": [\#(concepts.joined(separator: ","))]}"#
  }

  @Test(
    arguments: [
      (
        #"{"uri": "https://a.org/scheme", "title": "Materials"}"#, #""https://a.org/scheme""#,
        "inScheme"
      ),
      (
        #"{"uri": "https://a.org/scheme", "title": "Materials"}"#, #""https://a.org/scheme""#,
        "partOf"
      ),
      (#"{"name": "stuff", "title": "Materials"}"#, #""stuff""#, "scheme"),
      (#"{"key": "stuff", "title": "Materials"}"#, #"["stuff"]"#, "schemes"),
      // Two members are named; the better one is the identity.
      (#"{"code": "stuff", "name": "stuff", "n": 1}"#, #""stuff""#, "schemeCode"),
    ])
  func `is what the strings of others name`(scheme: String, reference: String, key: String) throws {
    let trial = try InferenceTrial(Self.concepts(scheme, reference, key: key))
    #expect(try trial.entity("Scheme").identity?.count == 1)
    #expect(
      try trial.entity("Concept").relationships.map(\.destination).contains("Scheme"))
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    // One string names it by a key of the same ending.
    ("kit_uuid", "scheme_uuid", true),
    // The same key in both, or of the same thing, may mean a third object.
    ("kit_uuid", "kit_uuid", false), ("kit_uuid", "old_kit_uuid", false),
    // A key of another ending.
    ("kit_uuid", "scheme_mark", false),
  ])
  func `is what a UUID elsewhere names, by a key of the same ending`(
    own: String, reference: String, isEntity: Bool
  ) throws {
    let uuid = "5c066201-f5dc-469e-aab3-d447950d210f"
    let trial = try InferenceTrial(
      #"{"\#(reference)": "\#(uuid)", "schemes": [{"\#(own)": "\#(uuid)", "title": "Materials"}]}"#)
    #expect(try trial.entity("Scheme").identity == (isEntity ? ["kitUUID"] : nil))
    #expect(
      try trial.entity("Document").relationships.count { $0.policies.export == .identifier }
        == (isEntity ? 1 : 0))
    #expect(try trial.differences() == [])
  }

  @Test(
    arguments: [
      // A word under any key.
      (#"{"name": "stuff", "title": "Materials"}"#, #""stuff""#, "kind"),
      // Another value.
      (#"{"name": "stuff", "title": "Materials"}"#, #""other""#, "scheme"),
      // No name of the object.
      (#"{"lang": "stuff", "title": "Materials"}"#, #""stuff""#, "scheme"),
    ])
  func `stays a part where a word may be the same by chance`(
    scheme: String, reference: String, key: String
  ) throws {
    let trial = try InferenceTrial(Self.concepts(scheme, reference, key: key))
    #expect(trial.model.entity(named: "Scheme") == nil)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    (#""size": 1, "attrs": {"country": {"value": "COUNTRY"}}"#, true),
    // The own text of an object with more members.
    (
      #""size": 1, "attrs": {"country": {"value": "COUNTRY", "unit": "m", "kind": 2, "note": ""}}"#,
      false
    ),
    (#""size": 1, "value": "COUNTRY", "unit": "m""#, false),
  ])
  func `is the only value of a part, however many members the object has`(
    members: String, isReference: Bool
  ) throws {
    let countries = ["Brazil", "Panama", "Thailand", "Ecuador"]
    let places = countries.map { #""\#($0)": {"lat": 1.5}"# }.joined(separator: ",")
    let nodes = countries.enumerated().map {
      #"{"name": "n\#($0)", \#(members.replacing("COUNTRY", with: $1))}"#
    }
    let trial = try InferenceTrial(
      #"{"demes": {\#(places)}, "nodes": [\#(nodes.joined(separator: ","))]}"#)
    let references = try trial.entity("Node").relationships.filter { $0.destination == "Deme" }
    #expect(references.isEmpty != isReference)
    #expect(try trial.differences() == [])
  }

  // `report` is mentioned by its name; where others have names too that nothing has, the mentions are things themselves.
  @Test(arguments: [("report", ["name"]), ("other", nil)] as [(String, [String]?)])
  func `leads to objects of which others have nothing but the name and the space`(
    name: String, identity: [String]?
  ) throws {
    let trial = try InferenceTrial(
      """
      {"jobs": [
        {"id": 1, "writes": [{"space": "db", "name": "report", "rows": 4}, {"space": "db", "name": "sales", "rows": 9}]},
        {"id": 2, "writes": [{"space": "db", "name": "stock", "rows": 4}], "reads": [{"space": "db", "name": "\(name)"}]},
        {"id": 3, "writes": [], "reads": [{"space": "db", "name": "\(name)"}, {"space": "db", "name": "stock"}]}]}
      """)
    #expect(try trial.entity("Write").identity == identity)
    #expect(trial.relationshipPaths.contains("name") == (identity != nil))
    #expect(try trial.differences() == [])
  }

  // Where two measures have one name, a mention may mean either.
  @Test(arguments: [("Cost", true), ("Sum", false)])
  func `leads to objects of which others have nothing but the name`(
    name: String, isUnique: Bool
  ) throws {
    let trial = try InferenceTrial(
      """
      {"tables": [
        {"id": 1, "measures": [{"name": "Sum", "term": "a", "unit": "x"}, {"name": "Mean"}]},
        {"id": 2, "measures": [{"name": "\(name)", "term": "b", "unit": "y"}]}],
       "views": [
        {"id": 8, "measures": [{"name": "Mean"}, {"name": "\(name)"}]},
        {"id": 9, "measures": [{"name": "Sum"}, {"name": "Mean"}]}]}
      """)
    #expect(trial.model.entity(named: "Measure")?.identity == (isUnique ? ["name"] : nil))
    #expect(trial.relationshipPaths.contains("measures[*].name") == isUnique)
    #expect(try trial.differences() == [])
  }

  // The names of columns are repeated in other tables.
  @Test(arguments: [("Key", false), ("Place", true)])
  func `leads to no name that several objects have`(name: String, isReference: Bool) throws {
    let trial = try InferenceTrial(
      """
      {"tables": [
        {"id": 1, "columns": [{"name": "Key", "type": "int"}, {"name": "Date", "type": "date"}]},
        {"id": 2, "columns": [{"name": "\(name)", "type": "text"}]}],
       "views": [
        {"id": 8, "shown": [{"name": "Key"}, {"name": "Date"}]},
        {"id": 9, "shown": [{"name": "Key"}, {"name": "Date"}]}]}
      """)
    #expect(trial.relationshipPaths.contains("shown[*].name") == isReference)
    let reason = "4 objects, no identity: several objects elsewhere have the same name"
    #expect(trial.inferred.findings.contains { $0.evidence == reason } != isReference)
    #expect(try trial.differences() == [])
  }
}
