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
