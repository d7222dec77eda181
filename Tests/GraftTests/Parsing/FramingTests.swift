import Testing

@testable import Graft
@testable import GraftTestSupport

private let separator = "\u{1E}"

private func reading(
  _ text: String, _ format: ParserOptions.Format?, chunk: Int? = nil, endMarker: String? = nil,
  engine: ParserOptions.Engine = .default, places: Bool = false
) throws -> Reading {
  var options = ParserOptions(format: format, engine: engine)
  options.endMarker = endMarker
  return try Reading(Array(text.utf8), chunk: chunk, options: options, places: places)
}

@Suite struct `A framing of documents` {
  private static let formats: [ParserOptions.Format] = [
    .ndjson, .concatenated, .sequence, .serverSentEvents,
  ]

  @Test(arguments: Seeds.some(10, of: 40), formats)
  func `gives the same events and errors however it is cut, in both engines`(
    seed: UInt64, format: ParserOptions.Format
  ) throws {
    var random = SeededGenerator(seed: seed &+ 7_000)
    for round in 0..<10 {
      let documents = (0..<3).map { _ in RandomDocument.make(&random) }
      var text = Array(RandomDocument.frame(documents, format, &random).utf8)
      if round > 3 { text = RandomDocument.damage(text, &random) }
      var options = ParserOptions(format: format)
      if round % 2 == 1 { options.endMarker = "[DONE]" }
      let whole = try Reading(text, options: options)
      for engine in ParserOptions.Engine.allCases {
        options.engine = engine
        for size in [1, 2, 5, text.count] {
          let cut = try Reading(text, chunk: size, options: options)
          try #require(
            cut == whole, "\(engine) in chunks of \(size): \(String(decoding: text, as: UTF8.self))"
          )
        }
      }
    }
  }

  @Test(arguments: Seeds.some(5, of: 20), formats)
  func `gives the events of its documents`(seed: UInt64, format: ParserOptions.Format) throws {
    var random = SeededGenerator(seed: seed &+ 9_000)
    let documents = (0..<4).map { _ in RandomDocument.make(&random) }
    let framed = RandomDocument.frame(documents, format, &random)
    let result = try reading(framed, format)
    #expect(result.error == nil, "\(framed)")
    #expect(result.events == (try reading(documents.joined(separator: "\n"), .ndjson)).events)
  }
}

@Suite struct `Concatenated documents` {
  @Test(arguments: ["{}{}", "[1][2]\n{}", "1[2]\"a\"\"b\"", "null{}", "", "{} {}"])
  func `need nothing between them before what opens itself`(text: String) throws {
    #expect(try reading(text, .concatenated).error == nil)
  }

  @Test(arguments: [("1true", "1:2"), ("nullnull", "1:5"), ("{}1", "1:3"), ("01", "1:2")])
  func `are parted by white space before a number or a word`(text: String, place: String) throws {
    for engine in ParserOptions.Engine.allCases {
      let error = try reading(text, .concatenated, engine: engine).error
      #expect(error.map { "\($0.location)" } == place)
    }
  }
}

@Suite struct `A JSON text sequence` {
  @Test func `has a separator before each document`() throws {
    let text = "\(separator)1\n\(separator)\(separator){}\n\(separator)[2]"
    let result = try reading(text, .sequence)
    #expect(result.error == nil)
    #expect(result.events == ["number 1", "{", "}", "[", "number 2", "]"])
  }

  @Test(arguments: ParserOptions.Engine.allCases)
  func `names the document that is cut off`(engine: ParserOptions.Engine) throws {
    let text = "\(separator){\"a\":1}\n\(separator){\"a\":\n\(separator){}\n"
    let error = try #require(try reading(text, .sequence, engine: engine).error)
    #expect(error.kind == .truncated)
    #expect(error.message.hasPrefix("the document ends"), "\(error.message)")
    #expect("\(error.location)" == "3:1")
  }

  @Test(arguments: ["\(separator)12", "\(separator)12\(separator){}", "\(separator)-1.5"])
  func `ends no number without white space, which may be cut off`(text: String) throws {
    for engine in ParserOptions.Engine.allCases {
      let error = try reading(text, .sequence, engine: engine).error
      #expect(error?.kind == .truncated)
      #expect(
        error?.message
          == "a number must be followed by white space, without which it might be cut off")
      #expect(error.map { "\($0.location)" } == "1:2")
    }
  }

  @Test func `is recognised by its first byte, unless another format is told`() throws {
    let text = "\(separator){}\n\(separator){}\n"
    #expect(try reading(text, nil).events == ["{", "}", "{", "}"])
    for size in [1, 2, 3, 4, 100] {
      for text in [text, "\u{FEFF}" + text] {
        #expect(try reading(text, nil, chunk: size).events == ["{", "}", "{", "}"])
      }
    }
    #expect(try reading(text, .json).error?.kind == .syntax)
  }
}

@Suite struct `Server-sent events` {
  @Test(arguments: [
    "data: [1,\ndata: 2]\n\ndata: {}\n\n", "data:[1,\rdata:2]\r\rdata:{}\r\r",
    "data: [1,2]\r\n\r\n: a comment\r\nevent: x\r\nid: 7\r\ndata: {}\r\n\r\n",
    ":ok\n\nretry: 10\ndata: [1\ndata: ,\ndata\ndata: 2]\n\n\n\nunknown: field\ndata: {}\nid",
    "\u{FEFF}data: [1,2]\n\ndata: {}",
  ])
  func `have a document in their lines of data`(text: String) throws {
    for engine in ParserOptions.Engine.allCases {
      for size in [1, 2, 3, 100] {
        let result = try reading(text, .serverSentEvents, chunk: size, engine: engine)
        #expect(result.error == nil, "\(result.error?.description ?? "")")
        #expect(result.events == ["[", "number 1", "number 2", "]", "{", "}"])
      }
    }
  }

  @Test func `have places in the whole text`() throws {
    let text = "event: a\r\ndata: {\"a\":1}\r\n\r\n: é\r\ndata: {\"a\": x}\r\n\r\n"
    for engine in ParserOptions.Engine.allCases {
      let error = try reading(text, .serverSentEvents, engine: engine).error
      #expect(error.map { "\($0)" } == "5:13: $.a: expected a value, found 'x'")
      #expect(error?.location.offset == 45)
    }
  }

  @Test func `end with documents that are whole`() throws {
    for engine in ParserOptions.Engine.allCases {
      let error = try reading("data: {\"a\":\n\ndata: 1}\n\n", .serverSentEvents, engine: engine)
        .error
      #expect(error?.kind == .truncated)
      #expect(error.map { "\($0.location)" } == "2:1")
    }
  }

  @Test(arguments: ["data: [DONE]\n\n", "data:[DONE]", "data: [DONE]\r\ndata: x\r\n\r\nrest"])
  func `end at the marker that is told`(end: String) throws {
    for size in [1, 4, 100] {
      let text = "data: {}\n\ndata: [DO\n\n"
      let broken = try reading(text, .serverSentEvents, chunk: size, endMarker: "[DONE]")
      #expect(broken.error?.kind == .syntax)
      let result = try reading(
        "data: {}\n\ndata: [1]\n\n" + end, .serverSentEvents, chunk: size, endMarker: "[DONE]")
      #expect(result.error == nil)
      #expect(result.events == ["{", "}", "[", "number 1", "]"])
    }
    #expect(try reading("data: [DONE]\n\n", .serverSentEvents).error?.kind == .syntax)
  }

  @Test func `are not what a server sends that fails`() throws {
    let page = try reading("<html>\n<p>Down</p>", .serverSentEvents)
    #expect(page.error?.message == "expected a value, found '<'")
    let json = try reading("{\"error\": \"slow down\"}", .serverSentEvents)
    #expect(json.events.first == "{")
  }

  @Test(arguments: [
    "data: {}\n\n", "event: x\ndata: {}\n\n", "id: 7\ndata: {}",
  ])
  func `are recognised by their first line`(text: String) throws {
    for size in [1, 3, 4, 7, 100] {
      for text in [text, "\u{FEFF}" + text] {
        #expect(try reading(text, nil, chunk: size).events == ["{", "}"])
      }
    }
  }

  @Test(arguments: ["da", "dat: 1", "evens: 2", "i", "ret", ":", ": hello\n\ndata: {}\n\n", ":{}"])
  func `are not seen in what is none`(text: String) throws {
    for size in [1, 4, 100] {
      for text in [text, "\u{FEFF}" + text] {
        #expect(try reading(text, nil, chunk: size).error == (try reading(text, .json)).error)
      }
    }
  }
}
