import Graft

/// The words that a key is made of, and their singular.
struct Words: Hashable {
  /// The words in lower case, in order.
  let parts: [String]

  /// Splits a key at its punctuation and its capitals: `homeTeam_ids` is home, team, ids.
  init(_ key: String) {
    var parts = key.utf8.allSatisfy { $0 < 0x80 } ? Self.asciiParts(key) : Self.parts(key)
    // `+1` and `-1` are two things.
    if let sign = Self.signs[key.first ?? " "], parts.first?.first?.isNumber == true {
      if let number = Self.digits[parts[0]] { parts[0] = number }
      parts.insert(sign, at: 0)
    }
    self.parts = parts
  }

  /// Returns the parts of a key in ASCII, as ``parts(_:)`` does; nearly all keys are, and places are many.
  private static func asciiParts(_ key: String) -> [String] {
    let bytes = Array(key.utf8)
    var parts: [String] = []
    var word: [UInt8] = []
    var previous: UInt8 = 0x20
    for (index, byte) in bytes.enumerated() {
      guard isLower(byte) || isUpper(byte) || isDigit(byte) else {
        if !word.isEmpty { parts.append(String(decoding: word, as: UTF8.self)) }
        word.removeAll(keepingCapacity: true)
        previous = 0x20
        continue
      }
      let next = bytes[(index + 1)...].first ?? 0x20
      // `URIs` is one word.
      let endsAcronym =
        next == 0x73 && !isLower(bytes[min(index + 2, bytes.count)...].first ?? 0x20)
      let begins =
        isUpper(byte)
        && (isLower(previous) || isDigit(previous)
          || isUpper(previous) && isLower(next) && !endsAcronym)
      if begins, !word.isEmpty {
        parts.append(String(decoding: word, as: UTF8.self))
        word.removeAll(keepingCapacity: true)
      }
      word.append(isUpper(byte) ? byte | 0x20 : byte)
      previous = byte
    }
    if !word.isEmpty { parts.append(String(decoding: word, as: UTF8.self)) }
    return parts
  }

  private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
  private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func parts(_ key: String) -> [String] {
    var parts: [String] = []
    var word = ""
    var previous: Character = " "
    let characters = Array(key)
    for (index, character) in characters.enumerated() {
      guard character.isLetter || character.isNumber else {
        if !word.isEmpty { parts.append(word) }
        word = ""
        previous = " "
        continue
      }
      let next = characters[(index + 1)...].first ?? " "
      let after = characters[min(index + 2, characters.count)...].first ?? " "
      let endsAcronym = next == "s" && !after.isLowercase
      let begins =
        character.isUppercase
        && (previous.isLowercase || previous.isNumber
          || previous.isUppercase && next.isLowercase && !endsAcronym)
      if begins, !word.isEmpty {
        parts.append(word)
        word = ""
      }
      word += character.lowercased()
      previous = character
    }
    if !word.isEmpty { parts.append(word) }
    return parts
  }

  private static let signs: [Character: String] = ["+": "plus", "-": "minus"]
  private static let digits = [
    "0": "zero", "1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six",
    "7": "seven", "8": "eight", "9": "nine",
  ]

  init(parts: [String]) { self.parts = parts }

  var isEmpty: Bool { parts.isEmpty }

  /// The words with the last one in the singular.
  var singular: Words {
    guard let last = parts.last else { return self }
    return Words(parts: parts.dropLast() + [Self.singular(of: last)])
  }

  /// Whether the last word is a plural.
  var isPlural: Bool { parts.last.map { Self.singular(of: $0) != $0 } ?? false }

  // MARK: Names

  private static let acronyms: Set<String> = [
    "url", "api", "html", "json", "xml", "ip", "uuid", "http", "https", "id", "uri", "ui", "gps",
    "css", "sql", "dns", "ssh", "pdf", "rss", "tv", "isbn", "cpu", "vm", "os",
  ]

  /// A name for an entity: `user_mentions` becomes `UserMentions`.
  var typeName: String { parts.map(Self.capitalized).joined() }

  /// A name for a property: `html_url` becomes `htmlURL`.
  var propertyName: String {
    (parts.first ?? "") + parts.dropFirst().map(Self.capitalized).joined()
  }

  private static func capitalized(_ word: String) -> String {
    if acronyms.contains(word) { return word.uppercased() }
    if word.hasSuffix("s"), acronyms.contains(String(word.dropLast())) {
      return word.dropLast().uppercased() + "s"
    }
    return word.prefix(1).uppercased() + word.dropFirst()
  }

  // MARK: Singular

  private static let irregular: [String: String] = [
    "people": "person", "children": "child", "men": "man", "women": "woman", "feet": "foot",
    "teeth": "tooth", "mice": "mouse", "geese": "goose", "indices": "index",
    "vertices": "vertex", "matrices": "matrix", "appendices": "appendix", "criteria": "criterion",
    "phenomena": "phenomenon", "analyses": "analysis", "bases": "base", "crises": "crisis",
    "theses": "thesis", "diagnoses": "diagnosis", "axes": "axis", "kids": "kid", "leaves": "leaf",
    "lives": "life", "knives": "knife", "wolves": "wolf", "halves": "half", "shelves": "shelf",
    "movies": "movie", "cookies": "cookie", "ties": "tie", "pies": "pie", "zombies": "zombie",
    "lenses": "lens", "aliases": "alias", "biases": "bias", "statuses": "status",
    "buses": "bus", "viruses": "virus", "bonuses": "bonus", "campuses": "campus",
    "censuses": "census", "caches": "cache", "heroes": "hero", "echoes": "echo",
    "potatoes": "potato", "tomatoes": "tomato", "quizzes": "quiz", "oxen": "ox", "dice": "die",
    "calves": "calf", "thieves": "thief", "loaves": "loaf", "hypotheses": "hypothesis",
    "parentheses": "parenthesis", "synopses": "synopsis", "alumni": "alumnus", "fungi": "fungus",
    "cacti": "cactus", "foci": "focus", "stimuli": "stimulus", "curricula": "curriculum",
    "strata": "stratum", "spectra": "spectrum", "schemata": "schema", "apices": "apex",
    "avatars": "avatar", "gases": "gas", "atlases": "atlas", "canvases": "canvas",
    "news": "news", "series": "series", "species": "species", "media": "media", "data": "data",
    "metadata": "metadata",
  ]

  /// Words that are their own singular though they end like a plural.
  private static let unchanging: Set<String> = [
    "status", "address", "class",
    "process", "access", "success", "progress", "business", "bus", "gas", "lens", "alias", "bias",
    "canvas", "atlas", "analysis", "basis", "axis", "crisis", "thesis", "diagnosis", "synopsis",
    "virus", "bonus", "campus", "census", "corpus", "focus", "genus", "menus", "this", "is",
    "has", "was", "its", "yes", "plus", "us", "os", "ios", "css", "https", "dns", "gps", "js",
    "rss", "sms", "sys", "cms", "aws", "tls", "ssl", "less", "loss", "boss", "pass", "mass",
    "glass",
    "grass", "cross", "press", "stress", "express", "congress", "chess", "mathematics",
    "physics", "politics", "sports", "headquarters", "means", "settings", "info",
    "statistics", "analytics", "goods", "kudos", "lat", "lens", "previous", "various",
    "always", "canvas", "christmas", "texas", "athletics", "economics", "always", "tennis",
    "bounds",
  ]

  private static let plurals = Dictionary(
    irregular.map { ($0.value, $0.key) }, uniquingKeysWith: { min($0, $1) })

  /// Returns the plural of the name of a property: `meshes` for `mesh`, `statusCodes` for `statusCode`.
  static func plural(of name: String) -> String {
    let last = Words(name).parts.last ?? ""
    if let known = plurals[last] {
      return name.dropLast(last.count - 1) + String(known.dropFirst())
    }
    if name.hasSuffix("y"), let before = name.dropLast().last, !"aeiou".contains(before) {
      return String(name.dropLast()) + "ies"
    }
    return name + (["s", "x", "z", "ch", "sh"].contains(where: name.hasSuffix) ? "es" : "s")
  }

  /// Returns the singular of an English word in lower case; the word itself where it is no plural.
  static func singular(of word: String) -> String {
    if let known = irregular[word] { return known }
    // `timeseries` and `subspecies` are their own singular.
    if word.hasSuffix("series") || word.hasSuffix("species") { return word }
    guard word.count > 2, word.hasSuffix("s"), !unchanging.contains(word), !word.hasSuffix("ss"),
      !word.hasSuffix("us"), !word.hasSuffix("is")
    else { return word }
    if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
    for ending in ["sses", "shes", "ches", "xes", "zes", "uses"] where word.hasSuffix(ending) {
      if ending == "ches", word.hasSuffix("aches") || word.hasSuffix("niches") { break }
      if ending == "zes", !word.hasSuffix("zzes") { break }
      if ending == "uses", !word.hasSuffix("tuses") { break }
      return String(word.dropLast(2))
    }
    return String(word.dropLast())
  }
}
