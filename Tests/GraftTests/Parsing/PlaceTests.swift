import Testing

@testable import Graft
@testable import GraftTestSupport

struct `Paths in a document` {
  @Test(arguments: [
    ("{\"heroes\":[0,{\"born\":?", "$.heroes[1].born"), ("{\"a b\":?", "$['a b']"),
    ("{\"it's\":?", "$['it\\'s']"), ("{\"\":?", "$['']"), ("{\"1a\":?", "$['1a']"),
    ("{\"é\":[[],?", "$.é[1]"), ("{\"\\u0007\\n\\\\\":?", "$['\\u0007\\n\\\\']"),
    ("[[[1],[2,?", "$[0][1][1]"), ("{\"a\":{\"b\":1},\"c\":?", "$.c"), ("[{\"a\":1},?", "$[1]"),
  ])
  func `lead to the value`(text: String, path: String) throws {
    #expect(try Reading(Array(text.utf8)).error?.path == path)
  }
}

struct `The place of an event` {
  @Test(arguments: [nil, 1, 3])
  func `is told by location, path, container, key and index`(chunk: Int?) throws {
    let text = "{\"a\": [true,\n \"x\\n\", {}]\n}"
    let reading = try Reading(Array(text.utf8), chunk: chunk)
    #expect(
      reading.events == [
        "{ at 0=1:1 $ #0 1 in $ from 1:1  0",
        "key a at 1=1:2 $.a #0 1 in $ from 1:1 a -1",
        "[ at 6=1:7 $.a #0 2 in $.a from 1:7 a 0",
        "true at 7=1:8 $.a[0] #0 2 in $.a from 1:7  0",
        "string x\n at 14=2:2 $.a[1] #0 2 in $.a from 1:7  1",
        "{ at 21=2:9 $.a[2] #0 3 in $.a[2] from 2:9  2",
        "} at 22=2:10 $.a[2] #0 3 in $.a[2] from 2:9  2",
        "] at 23=2:11 $.a #0 2 in $.a from 1:7 a 0",
        "} at 25=3:1 $ #0 1 in $ from 1:1  0",
      ])
  }
}
