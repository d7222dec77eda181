/// A user of the feed, whose every field follows from the user's number, so that repetitions agree
/// and no pool of users is kept.
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

  /// A user at the given position of the feed: one of the few who write much, or anyone met so far.
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
