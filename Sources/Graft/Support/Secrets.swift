// `https://ada:pass@example.org/feed?page=2&token=5f1c` is shown, reported and stored as
// `https://example.org/feed?page=2&token=***`. Only this file knows which parts of an address and
// which headers are secrets.

/// Finds secrets in addresses and headers, so that they are neither shown nor stored nor sent to
/// another server.
package enum Secrets {
  /// The text that replaces a secret.
  private static let mask = "***"

  /// Names that are secret as a whole.
  private static let wholeNames: Set<String> = ["pass", "code", "sid", "otp", "pin", "sas"]
  /// Substrings of secrets' names.
  private static let parts = [
    "token", "secret", "password", "passwd", "passphrase", "signature", "credential", "apikey",
    "accesskey", "accesscode", "authorization", "assertion", "session",
  ]
  /// Endings of secrets' names.
  private static let endings = [
    "key", "sig", "pwd", "auth", "jwt", "hmac", "cookie", "bearer",
  ]
  /// Beginnings of the query parameters of signed addresses.
  private static let prefixes = ["xamz", "xgoog"]

  /// Returns whether a parameter or header of this name gives access: `api_key`, `accessToken`, `X-Amz-Signature`.
  package static func isNamed(_ name: some StringProtocol) -> Bool {
    let letters = letters(of: name)
    return wholeNames.contains(letters) || parts.contains { letters.contains($0) }
      || endings.contains { letters.hasSuffix($0) } || prefixes.contains { letters.hasPrefix($0) }
  }

  /// Returns whether a parameter with a secret's name may be an ordinary one: `projectKey`, and neither `api_key` nor
  /// `key`.
  package static func mayBeOrdinary(_ name: some StringProtocol) -> Bool {
    let letters = letters(of: name)
    return letters.hasSuffix("key") && letters.count > 3
      && !["api", "access", "app", "auth", "client", "private", "secret", "session", "token"]
        .contains { letters.contains($0) }
  }

  private static func letters(of name: some StringProtocol) -> String {
    String(name.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic })
  }

  /// Returns whether a header belongs to one server, and is not sent to another after a redirection: it gives access,
  /// or names the host.
  static func isOfServer(header name: String) -> Bool {
    isNamed(name) || name.lowercased() == "host"
  }

  /// Returns an address without user and password, and with `***` in place of each value that gives access.
  ///
  /// - Parameter address: The address, with or without words before it. A path is returned as it is.
  /// - Returns: The text without secrets.
  package static func removed(from address: String) -> String {
    // Text before the scheme, as in `Tweet=http://…`, is not part of the address.
    guard let mark = address.firstRange(of: "://"),
      address[..<mark.lowerBound].last.map({ $0.isASCII && ($0.isLetter || $0.isNumber) }) == true
    else { return address }
    let rest = withoutUser(address[mark.upperBound...])
    let start = rest.firstIndex { "?#".contains($0) } ?? rest.endIndex
    return address[..<mark.upperBound] + rest[..<start] + masked(rest[start...])
  }

  /// Removes user and password, with the `@` behind them.
  ///
  /// A password may contain a character that should have been escaped: `/`, `?` or `#`. It is part of a password, and
  /// not the end of the host, if the text between the last colon and the character is not a port.
  private static func withoutUser(_ text: Substring) -> Substring {
    var end = text.firstIndex { "/\\?#".contains($0) } ?? text.endIndex
    if let colon = text[..<end].lastIndex(of: ":"), !text[..<end].contains("@"),
      !text[..<end].hasSuffix("]"), !text[colon..<end].dropFirst().allSatisfy(\.isNumber)
    {
      let query = text.firstIndex { "?#".contains($0) } ?? text.endIndex
      end = text[..<query].contains("@") ? query : text.endIndex
    }
    guard let at = text[..<end].lastIndex(of: "@") else { return text }
    return withoutUser(text[text.index(after: at)...])
  }

  /// Replaces the values that give access in a query and a fragment: `?page=2&token=5f1c#key=7`.
  private static func masked(_ text: Substring) -> String {
    var result = ""
    var rest = text
    while let separator = rest.first {
      rest.removeFirst()
      let end = rest.firstIndex { "?&;#".contains($0) } ?? rest.endIndex
      let member = rest[..<end]
      result.append(separator)
      if let equals = member.firstIndex(of: "="), isNamed(unescaped(member[..<equals])) {
        result += member[...equals] + mask
      } else {
        result += member
      }
      rest = rest[end...]
    }
    return result
  }

  /// Replaces `%6B` by `k`, so that every spelling of a name is recognised.
  private static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let number = Int(String(rest.prefix(2)) ?? "", radix: 16),
        let code = UInt8(exactly: number)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
