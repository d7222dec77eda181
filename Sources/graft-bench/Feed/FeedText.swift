/// A short text in English or Japanese, with or without `\u` escapes.
struct FeedText {
  let text: String
  let spelling: JSONBytes.Spelling
  let language: String

  /// Composes a text of roughly the given number of characters: about half in Latin script, the
  /// rest Japanese, a part of that in escapes.
  init(length: Int, using random: inout SplitMix64) {
    let manner = random.below(100)
    let isJapanese = manner >= 55
    spelling = manner >= 88 ? .escaped : .plain
    language = isJapanese ? "ja" : "en"
    var text = ""
    var count = 0
    while count < (isJapanese ? length / 2 : length) {
      let piece = random.pick(isJapanese ? Vocabulary.phrases : Vocabulary.words)
      if count > 0 { text += Self.separator(isJapanese: isJapanese, using: &random) }
      text += piece
      count += piece.count + 1
    }
    self.text = text
  }

  private static func separator(isJapanese: Bool, using random: inout SplitMix64) -> String {
    switch random.below(40) {
    case 0: "\n"
    case 1: " \"\(random.pick(Vocabulary.words))\" "
    case 2: " " + random.pick(Vocabulary.emoji) + " "
    default: isJapanese ? "、" : " "
    }
  }
}

/// A date of the feed in Twitter's order: `Mon Sep 24 03:35:21 +0000 2012`.
enum FeedDate {
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Jan", "Feb",
  ]

  /// Returns the text for a number of seconds since 1970.
  static func text(_ seconds: Int) -> String {
    let days = seconds / 86_400
    let clock = seconds % 86_400
    // Days are counted from 1 March of the year 0, so that the leap day ends a year (the "civil
    // from days" method).
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let year = era * 400 + yearOfEra + (month >= 10 ? 1 : 0)
    let time = [clock / 3600, clock / 60 % 60, clock % 60].map(twoDigits).joined(separator: ":")
    return "\(weekdays[days % 7]) \(months[month]) \(twoDigits(day)) \(time) +0000 \(year)"
  }

  private static func twoDigits(_ value: Int) -> String {
    value < 10 ? "0\(value)" : "\(value)"
  }
}

/// The words of the feed's invented people.
enum Vocabulary {
  static let words = list(
    """
    the a of and night train window coffee again never rain over city with new record is out today
    nobody told me about this bridge small blue dog barks at every cloud we walked home under paper
    lanterns market opens early café naïve release candidate finally green tests pass on my
    machine über años později
    """)
  static let phrases = list(
    """
    今日はいい天気 電車が遅れています 新しい曲を聴いた 星がきれい お腹すいた 明日も頑張ろう ありがとうございます
    珈琲を一杯 猫が寝ている 海まで歩いた 雨の匂いがする 写真を撮りました もう一度読みたい本 夏が終わる
    駅前の新しい店 一番好きな季節
    """)
  static let hashtags = list(
    """
    nowplaying train coffee photo swiftlang morning football rain 今日の一枚 猫 星空 読書 release travel
    noodles music
    """)
  static let names = list(
    """
    Ada Bruno Chiyo Davit Elif Farah Goran Hana Ines Jonas Kaya Liam Mio Noor Otto Petra Quentin
    Rosa Sora Tove Uma Viktor Wren Ximena Yuki Zofia
    """)
  static let japaneseNames = list("岡田ゆき 前田あゆみ 田中はると 星野みお 小川そら 林さくら")
  static let emoji = list("😊 ✨ 🌧 🚲 🍜 ☕️ 🎉 🌙")
  static let places = [
    "", "", "Lisboa", "東京", "Kraków", "Oakland, CA", "長野県", "Malmö", "Somewhere near the sea",
  ]
  static let sources = [
    "<a href=\"http://twitter.example/download/iphone\" rel=\"nofollow\">Twitter for iPhone</a>",
    "<a href=\"http://twitter.example/download/android\" rel=\"nofollow\">Twitter for Android</a>",
    "<a href=\"http://twitter.example\" rel=\"nofollow\">Twitter Web Client</a>",
  ]

  private static func list(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
