/// A tweet of the feed; all its fields follow from its number, so an original that is retweeted twice is the same
/// twice.
struct FeedTweet {
  private let number: Int
  private let identifier: Int
  private let original: Int?
  private let isOriginal: Bool

  /// Creates the status at the given position of the feed; three in ten are retweets.
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

/// A user of the feed; all fields follow from the user's number, so repetitions agree and no pool of users is kept.
struct FeedUser {
  let identifier: Int
  let screenName: String
  let name: String
  private let number: Int

  init(number: Int) {
    var random = SplitMix64(seed: 0x5EED_0001 &+ UInt64(number))
    self.number = number
    identifier = 10_000_000 + number * 7919
    let first = random.pick(Vocabulary.names)
    screenName = "\(first.lowercased())_\(number)"
    let isJapanese = random.percent(25)
    name =
      isJapanese
      ? random.pick(Vocabulary.japaneseNames) : "\(first) \(random.pick(Vocabulary.names))"
  }

  /// Returns a user at the given position of the feed: one of a few frequent writers, or any user so far.
  static func drawn(at position: Int, using random: inout SplitMix64) -> FeedUser {
    let pool = 16 + position / 2
    return FeedUser(number: random.percent(50) ? random.rank(below: pool) : random.below(pool))
  }

  func write(to json: inout JSONBytes) {
    var random = SplitMix64(seed: 0x5EED_0002 &+ UInt64(number))
    let about = FeedText(length: 20 + random.below(100), using: &random)
    json.raw(#"{"id":\#(identifier),"id_str":"\#(identifier)","name":""#)
    json.text(name)
    json.raw(#"","screen_name":"\#(screenName)","location":""#)
    json.text(random.pick(Vocabulary.places))
    json.raw(#"","description":""#)
    json.text(about.text, about.spelling)
    writeCounts(to: &json, language: about.language, using: &random)
    writeAppearance(to: &json, color: random.below(1 << 24))
    json.raw("}")
  }

  private func writeCounts(
    to json: inout JSONBytes, language: String, using random: inout SplitMix64
  ) {
    let followers = random.below(1 << (4 + random.below(16)))
    let joined = FeedDate.text(1_200_000_000 + random.below(180_000_000))
    json.raw(
      #"""
      ","url":null,"entities":{"description":{"urls":[]}},"protected":false,\#
      "followers_count":\#(followers),"friends_count":\#(random.below(2000)),\#
      "listed_count":\#(followers / 90),"created_at":"\#(joined)",\#
      "favourites_count":\#(random.below(9000)),"utc_offset":null,"time_zone":null,\#
      "geo_enabled":\#(random.percent(20)),"verified":\#(random.percent(3)),\#
      "statuses_count":\#(random.below(60_000)),"lang":"\#(language)"
      """#)
  }

  private func writeAppearance(to json: inout JSONBytes, color: Int) {
    let host = #":\/\/pbs.twimg.example\/"#
    let theme = #":\/\/abs.twimg.example\/images\/themes\/theme1\/bg.png"#
    let image = #"\#(host)profile_images\/\#(identifier * 31)\/\#(screenName)_normal.jpeg"#
    json.raw(
      #"""
      ,"contributors_enabled":false,"is_translator":false,"is_translation_enabled":false,\#
      "profile_background_color":"C0DEED","profile_background_image_url":"http\#(theme)",\#
      "profile_background_image_url_https":"https\#(theme)","profile_background_tile":false,\#
      "profile_image_url":"http\#(image)","profile_image_url_https":"https\#(image)",\#
      "profile_banner_url":"https\#(host)profile_banners\/\#(identifier)\/1409318784",\#
      "profile_link_color":"\#(String(color, radix: 16))","profile_sidebar_border_color":"C0DEED",\#
      "profile_sidebar_fill_color":"DDEEF6","profile_text_color":"333333",\#
      "profile_use_background_image":true,"default_profile":true,"default_profile_image":false,\#
      "following":false,"follow_request_sent":false,"notifications":false
      """#)
  }
}

/// The hashtags of a tweet's text, and in some tweets a link, a user or a picture.
struct FeedEntities {
  let number: Int
  let textLength: Int
  let hashtags: [String]

  func write(to json: inout JSONBytes, using random: inout SplitMix64) {
    json.raw(#"{"hashtags":["#)
    for (position, hashtag) in hashtags.enumerated() {
      let start = textLength + position
      json.raw(position > 0 ? #",{"text":""# : #"{"text":""#)
      json.text(hashtag)
      json.raw(#"","indices":[\#(start),\#(start + hashtag.count + 1)]}"#)
    }
    json.raw(#"],"symbols":[],"urls":["#)
    if random.percent(25) { writeLink(to: &json) }
    json.raw(#"],"user_mentions":["#)
    if random.percent(40) {
      writeMention(of: FeedUser.drawn(at: number, using: &random), to: &json)
    }
    json.raw("]")
    if random.percent(15) { writePicture(to: &json) }
    json.raw("}")
  }

  private func writeLink(to json: inout JSONBytes) {
    let code = String(number &* 2_654_435_761 & 0xFFFF_FFFF, radix: 36)
    json.raw(
      #"""
      {"url":"http:\/\/t.example\/\#(code)",\#
      "expanded_url":"http:\/\/news.example\/2014\/08\/\#(code)\/article.html",\#
      "display_url":"news.example\/2014\/08\/\#(code)\u2026",\#
      "indices":[\#(textLength),\#(textLength + 22)]}
      """#)
  }

  private func writeMention(of user: FeedUser, to json: inout JSONBytes) {
    json.raw(#"{"screen_name":"\#(user.screenName)","name":""#)
    json.text(user.name)
    json.raw(
      #"""
      ","id":\#(user.identifier),"id_str":"\#(user.identifier)",\#
      "indices":[3,\#(4 + user.screenName.count)]}
      """#)
  }

  private func writePicture(to json: inout JSONBytes) {
    let identifier = 505_000_000_000_000_000 + number * 17
    json.raw(
      #"""
      ,"media":[{"id":\#(identifier),"id_str":"\#(identifier)",\#
      "indices":[\#(textLength),\#(textLength + 22)],\#
      "media_url":"http:\/\/pbs.twimg.example\/media\/\#(identifier).jpg",\#
      "media_url_https":"https:\/\/pbs.twimg.example\/media\/\#(identifier).jpg",\#
      "type":"photo","sizes":{"medium":{"w":600,"h":399,"resize":"fit"},\#
      "small":{"w":340,"h":226,"resize":"fit"},"thumb":{"w":150,"h":150,"resize":"crop"},\#
      "large":{"w":1024,"h":682,"resize":"fit"}}}]
      """#)
  }
}
