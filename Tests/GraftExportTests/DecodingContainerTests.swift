import Foundation
import Graft
import GraftExport
import Testing

@testable import GraftTestSupport

/// Decodes by hand, as the protocols of containers allow.
@Suite struct `A container of decoded properties` {
  private enum Key: String, CodingKey { case text, author, hashtags, screenName, id, nothing }

  /// Hands out the decoder of an object.
  private struct Opened: Decodable {
    let decoder: any Decoder
    init(from decoder: any Decoder) throws { self.decoder = decoder }
  }

  private func decoder() throws -> any Decoder {
    let tweet = try #require(try Tweet.store().graph.objects(Tweet.self).first)
    return try tweet.decoded(as: Opened.self).decoder
  }

  @Test func `lists the properties, with values or without`() throws {
    let container = try decoder().container(keyedBy: Key.self)
    #expect(Set(container.allKeys) == [.text, .author, .hashtags, .id])
    #expect(container.contains(.author))
    #expect(!container.contains(.nothing))
    #expect(container.codingPath.isEmpty)
    #expect(try !container.decodeNil(forKey: .hashtags))
    #expect(throws: DecodingError.self) { try container.decodeNil(forKey: .nothing) }
    #expect(try container.decodeIfPresent(Int.self, forKey: .nothing) == nil)
    #expect(try container.decodeIfPresent(Int.self, forKey: .id) == 1)
  }

  @Test func `nests`() throws {
    let container = try decoder().container(keyedBy: Key.self)
    let author = try container.nestedContainer(keyedBy: Key.self, forKey: .author)
    #expect(try author.decode(String.self, forKey: .screenName) == "ada")
    #expect(author.codingPath.map(\.stringValue) == ["author"])
    var tags = try container.nestedUnkeyedContainer(forKey: .hashtags)
    #expect(tags.count == 2)
    let tag = try tags.nestedContainer(keyedBy: Key.self)
    #expect(try tag.decode(String.self, forKey: .text) == "sun")
    #expect(tag.codingPath.map(\.stringValue) == ["hashtags", "0"])
    #expect(tags.currentIndex == 1)
    let other = try tags.superDecoder().container(keyedBy: Key.self)
    #expect(try other.decode(String.self, forKey: .text) == "west")
    #expect(tags.isAtEnd)
    #expect(throws: DecodingError.self) { try tags.decodeNil() }
    #expect(throws: DecodingError.self) { try tags.superDecoder() }
  }

  @Test func `stays where it is if an element cannot be decoded`() throws {
    let container = try decoder().container(keyedBy: Key.self)
    var tags = try container.nestedUnkeyedContainer(forKey: .hashtags)
    #expect(throws: DecodingError.self) { try tags.decode(Int.self) }
    #expect(throws: DecodingError.self) { try tags.nestedUnkeyedContainer() }
    #expect(tags.currentIndex == 0)
    #expect(try !tags.decodeNil())
    #expect(try tags.decode([String: String].self) == ["text": "sun"])
  }

  @Test func `has a decoder for what is above only where a property is called so`() throws {
    let container = try decoder().container(keyedBy: Key.self)
    let author = try container.superDecoder(forKey: .author).container(keyedBy: Key.self)
    #expect(try author.decode(Int.self, forKey: .id) == 7)
    #expect(throws: DecodingError.self) { try container.superDecoder() }
  }

  @Test func `is not of the other kind`() throws {
    let container = try decoder().container(keyedBy: Key.self)
    let wrong: [() throws -> Void] = [
      { _ = try container.nestedContainer(keyedBy: Key.self, forKey: .hashtags) },
      { _ = try container.nestedContainer(keyedBy: Key.self, forKey: .text) },
      { _ = try container.nestedUnkeyedContainer(forKey: .author) },
      { _ = try container.nestedUnkeyedContainer(forKey: .text) },
      { _ = try container.decode(String.self, forKey: .author) },
      { _ = try container.decode(String.self, forKey: .hashtags) },
    ]
    for attempt in wrong {
      let error = #expect(throws: DecodingError.self) { try attempt() }
      guard case .typeMismatch(_, let context) = error else {
        Issue.record("not about the type: \(String(describing: error))")
        continue
      }
      #expect(context.debugDescription.hasPrefix("Tweet."))
    }
  }

  @Test func `of a single value is a value or nothing`() throws {
    let container = try decoder().container(keyedBy: Key.self)
    let value = try container.superDecoder(forKey: .text).singleValueContainer()
    #expect(!value.decodeNil())
    #expect(try value.decode(String.self) == "Look west")
    #expect(throws: DecodingError.self) { try value.decode(Int.self) }
  }
}
