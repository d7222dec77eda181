import Foundation

/// Tokens of 10 MB in chunks of 4 KiB: a parser that begins each token anew at each chunk takes
/// minutes.
///
/// YAJL alone is left out, since it is such a parser.
struct TokenTrial {
  private let options: Options
  private static let tokenSize = 10_000_000
  private static let chunkSize = 4096

  init(_ options: Options) {
    self.options = options
  }

  struct Line: Encodable {
    let token: String
    let contestant: String
    let seconds: Double?
    let failure: String?
  }

  func run() throws -> [Line] {
    let contestants = try Field.contestants(named: options.only, for: .timeline)
      .filter { $0.readsChunks && $0.name != Contestant.yajl.name }
    return Self.tokens.flatMap { token in
      contestants.map { line(token: token.name, document: token.document, contestant: $0) }
    }
  }

  private func line(token: String, document: Data, contestant: Contestant) -> Line {
    do {
      let seconds = try Timing.best(
        of: min(options.runs, 3), [contestant], on: document, subject: .timeline,
        chunkSize: Self.chunkSize)
      return Line(token: token, contestant: contestant.name, seconds: seconds.first, failure: nil)
    } catch {
      return Line(token: token, contestant: contestant.name, seconds: nil, failure: "\(error)")
    }
  }

  private static var tokens: [(name: String, document: Data)] {
    [
      ("string", status(text: String(repeating: "0123456789", count: tokenSize / 10))),
      ("escapes", status(text: String(repeating: #"\u3042\n"#, count: tokenSize / 8))),
      ("number", status(text: "", number: String(repeating: "7", count: tokenSize))),
    ]
  }

  /// A timeline of one status, with a text to import and a number to skip.
  private static func status(text: String, number: String = "0") -> Data {
    Data(
      #"""
      {"statuses":[{"id_str":"1","weight":\#(number),"text":"\#(text)",\#
      "user":{"id_str":"2","screen_name":"long"}}]}
      """#.utf8)
  }
}
