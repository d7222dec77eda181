/// A tweet of the feed, whose every field follows from its number, so that an original that is
/// retweeted twice is the same twice.
struct FeedTweet {
  private let number: Int
  private let identifier: Int
  private let original: Int?
  private let isOriginal: Bool

  /// Creates the status that stands at the given position of the feed; three in ten are retweets.
  init(status number: Int) {
    var random = SplitMix64(seed: 0x5EED_0003 &+ UInt64(number))
    self.number = number
    isOriginal = false
    identifier = 505_874_924_095_815_681 + number * 4_194_307
    original = random.percent(30) ? random.rank(below: 8 + number / 2) : nil
  }

  /// Creates one of the older tweets that retweets repeat.
  private init(original number: Int) {
    self.number = number
    isOriginal = true
    identifier = 505_000_000_000_000_007 + number * 8_388_593
    original = nil
  }

  /// Writes the tweet.
  ///
  /// - Returns: The number of objects written: tweets, users and hashtags.
  func write(to json: inout JSONBytes) -> Int {
    var random = SplitMix64(seed: (isOriginal ? 0x5EED_0004 : 0x5EED_0005) &+ UInt64(number) << 8)
    let author = FeedUser.drawn(at: number, using: &random)
    let text = FeedText(length: 30 + random.below(100), using: &random)
    let hashtags = (0..<max(0, random.below(6) - 3)).map { _ in hashtag(using: &random) }
    writeHead(to: &json, text: text, hashtags: hashtags, using: &random)
    author.write(to: &json)
    json.raw(#","geo":null,"coordinates":null,"place":null,"contributors":null"#)
    var objectCount = 2 + hashtags.count
    if let original {
      json.raw(#","retweeted_status":"#)
      objectCount += FeedTweet(original: original).write(to: &json)
    }
    json.raw(
      #"""
      ,"retweet_count":\#(random.below(900)),"favorite_count":\#(random.below(2500)),"entities":
      """#)
    let entities = FeedEntities(number: number, textLength: text.text.count, hashtags: hashtags)
    entities.write(to: &json, using: &random)
    json.raw(
      #"""
      ,"favorited":false,"retweeted":false,"possibly_sensitive":false,"lang":"\#(text.language)"}
      """#)
    return objectCount
  }

  private func hashtag(using random: inout SplitMix64) -> String {
    let word = Vocabulary.hashtags[random.rank(below: Vocabulary.hashtags.count)]
    return random.percent(30) ? "\(word)\(random.below(400))" : word
  }

  private func writeHead(
    to json: inout JSONBytes, text: FeedText, hashtags: [String], using random: inout SplitMix64
  ) {
    let date = FeedDate.text(1_409_445_000 - (isOriginal ? 90_000 : 0) + number)
    json.raw(
      #"""
      {"metadata":{"result_type":"recent","iso_language_code":"\#(text.language)"},\#
      "created_at":"\#(date)","id":\#(identifier),"id_str":"\#(identifier)","text":"
      """#)
    json.text(text.text, text.spelling)
    for hashtag in hashtags {
      json.text(" #" + hashtag, text.spelling)
    }
    json.raw("\",\"source\":\"")
    json.text(random.pick(Vocabulary.sources))
    json.raw(
      #"""
      ","truncated":false,"in_reply_to_status_id":null,"in_reply_to_status_id_str":null,\#
      "in_reply_to_user_id":null,"in_reply_to_user_id_str":null,"in_reply_to_screen_name":null,\#
      "user":
      """#)
  }
}
