import Foundation
import Graft
import Testing

@Suite struct `The default engine` {
  @Test func `is the one for which the tests are run`() {
    let named = ProcessInfo.processInfo.environment["GRAFT_ENGINE"]
    let engines = ParserOptions.Engine.allCases.map(\.rawValue)
    #expect(ParserOptions.Engine.default.rawValue == named ?? engines[0])
    #expect(ParserOptions().engine == .default)
  }
}
