import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

@Suite struct `Base64 text` {
  @Test func `is as Foundation writes it`() {
    var random = SeededGenerator(seed: 4)
    for count in 0..<70 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      var text = ByteBuffer()
      Base64Text.append(bytes.span, to: &text)
      #expect(text.string == Data(bytes).base64EncodedString())
    }
  }
}
