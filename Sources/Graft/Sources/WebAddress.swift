package import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

extension URLRequest {
  /// The address without secrets, as messages name it.
  package var address: String { url?.shownAddress ?? "a request without URL" }
}

extension URL {
  /// The address without secrets, as messages name it.
  package var shownAddress: String { Secrets.removed(from: absoluteString) }

  /// Creates the URL of an address on the web as it is written.
  ///
  /// Escapes stay as they are, and only characters that no URL may have are escaped, such as the brackets of
  /// `?page[size]=5`. Foundation's parser escapes each `%` again as soon as there is one such character.
  ///
  /// - Parameters:
  ///   - address: The address, absolute or relative.
  ///   - base: The address to which it is relative.
  package init?(address: String, relativeTo base: URL? = nil) {
    self.init(string: Self.escaped(address), relativeTo: base)
  }

  /// Characters that an address may have behind its host, besides the `%` of an escape.
  private static let plain = CharacterSet(
    charactersIn:
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?@!$&'()*+,;=")

  private static func escaped(_ address: String) -> String {
    let text = address.unicodeScalars
    var rest = text[...]
    // The host may have brackets of its own, and is escaped in another way.
    let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    if parts.count == 3, parts[1].isEmpty,
      !parts[0].contains(where: { "?#".unicodeScalars.contains($0) })
    {
      rest = parts[2].drop { !"/?#".unicodeScalars.contains($0) }
    }
    // A fragment may have no second `#`.
    let escaped = rest.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      .map(Self.escaped)
    return String(text[..<rest.startIndex]) + escaped.joined(separator: "#")
  }

  /// Escapes each character that no address may have, and each `%` that begins no escape.
  private static func escaped(_ part: Substring.UnicodeScalarView) -> String {
    let pieces = part.split(separator: "%", omittingEmptySubsequences: false).map {
      String($0).addingPercentEncoding(withAllowedCharacters: plain) ?? String($0)
    }
    return pieces.dropFirst().reduce(pieces.first ?? "") { text, piece in
      let digits = piece.prefix(2)
      let isEscape = digits.count == 2 && digits.allSatisfy(\.isHexDigit)
      return text + (isEscape ? "%" : "%25") + piece
    }
  }
}
