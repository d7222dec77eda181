/// Programs in Python that do what Graft's imports do: of tweets, they read the keys of the benchmark's model.
///
/// Their first argument is the document, the second one the file to make.
enum PeerProgram {
  static let orjson = """
    import sys, orjson
    document = orjson.loads(open(sys.argv[1], "rb").read())
    """

  static let msgspecPoints = """
    import sys, msgspec
    class Point(msgspec.Struct): x: float; y: float
    class Points(msgspec.Struct): points: list[Point]
    document = msgspec.json.decode(open(sys.argv[1], "rb").read(), type=Points)
    """

  /// Objects are nested, and not unique.
  static let msgspecTweets = """
    from __future__ import annotations
    import sys, msgspec
    class Hashtag(msgspec.Struct): text: str
    class Entities(msgspec.Struct): hashtags: list[Hashtag]
    class User(msgspec.Struct):
      id_str: str; name: str; screen_name: str; created_at: str; followers_count: int; verified: bool
    class Tweet(msgspec.Struct):
      id_str: str; text: str; created_at: str; lang: str; retweet_count: int; favorite_count: int
      user: User; entities: Entities; retweeted_status: Tweet | None = None
    class Timeline(msgspec.Struct): statuses: list[Tweet]
    document = msgspec.json.decode(open(sys.argv[1], "rb").read(), type=Timeline)
    """

  /// The rows of the tables, of objects that are nested in each other.
  private static let rows = """

    users, hashtags, tweets, tags = [], [], [], []
    def take(tweet, original=None):
      if tweet.retweeted_status: original = take(tweet.retweeted_status)
      user, number = tweet.user, int(tweet.id_str)
      users.append((int(user.id_str), user.name, user.screen_name, user.created_at,
        user.followers_count, user.verified))
      hashtags.extend((tag.text,) for tag in tweet.entities.hashtags)
      tags.extend((number, tag.text) for tag in tweet.entities.hashtags)
      tweets.append((number, tweet.text, tweet.created_at, tweet.lang, tweet.retweet_count,
        tweet.favorite_count, int(user.id_str), original))
      return number
    for tweet in document.statuses: take(tweet)
    """

  static let msgspecTables =
    msgspecTweets + rows + """

      import sqlite3
      file = sqlite3.connect(sys.argv[2])
      file.executescript('''PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;
        CREATE TABLE User(id INTEGER PRIMARY KEY, name, screenName, joinedAt, followers, verified);
        CREATE TABLE Hashtag(text TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TABLE Tweet(id INTEGER PRIMARY KEY, text, createdAt, language, retweets, favorites,
          author, original);
        CREATE TABLE Tag(tweet, text, PRIMARY KEY(tweet, text)) WITHOUT ROWID;''')
      with file:
        for table, values in (("User", users), ("Hashtag", hashtags), ("Tweet", tweets), ("Tag", tags)):
          if values:
            marks = ",".join("?" * len(values[0]))
            file.executemany(f"INSERT OR REPLACE INTO {table} VALUES({marks})", values)
        file.executescript('''CREATE INDEX author ON Tweet(author);
          CREATE INDEX original ON Tweet(original); CREATE INDEX tagged ON Tag(text);''')
      """

  static let sqliteUtils =
    msgspecTweets + rows + """

      import sqlite_utils
      file = sqlite_utils.Database(sys.argv[2])
      file.enable_wal()
      def put(table, key, names, values):
        names = names.split()
        file[table].insert_all((dict(zip(names, row)) for row in values), pk=key, replace=True,
          batch_size=1000)
      put("User", "id", "id name screenName joinedAt followers verified", users)
      put("Hashtag", "text", "text", hashtags)
      put("Tweet", "id", "id text createdAt language retweets favorites author original", tweets)
      put("Tag", ("tweet", "text"), "tweet text", tags)
      for table, column in (("Tweet", "author"), ("Tweet", "original"), ("Tag", "text")):
        file[table].create_index([column])
      """

  /// The columns of the tweets for DuckDB, which reads a tweet's original without one of its own.
  private static let duckDB = """
    import os, sys, duckdb
    size = os.path.getsize(sys.argv[1]) + 1000
    user = ('STRUCT(id_str BIGINT, name VARCHAR, screen_name VARCHAR, created_at VARCHAR,'
      ' followers_count BIGINT, verified BOOLEAN)')
    tweet = ('id_str BIGINT, text VARCHAR, created_at VARCHAR, lang VARCHAR, retweet_count BIGINT,'
      f' favorite_count BIGINT, "user" {user}, entities STRUCT(hashtags STRUCT(text VARCHAR)[])')
    file = duckdb.connect(sys.argv[2] if len(sys.argv) > 2 else ":memory:")
    def read(key, type):
      return (f"(SELECT unnest({key}, max_depth := 2) FROM read_json('{sys.argv[1]}',"
        f" maximum_object_size = {size}, columns = {{'{key}': '{type}'}}))")
    """

  static let duckDBPoints =
    duckDB + """

      file.execute(f"CREATE TABLE Point AS FROM {read('points', 'STRUCT(x DOUBLE, y DOUBLE)[]')}")
      """

  static let duckDBTables =
    duckDB + """

      type = f'STRUCT({tweet}, retweeted_status STRUCT({tweet}))[]'
      file.execute(f"CREATE TEMP TABLE status AS FROM {read('statuses', type)}")
      file.execute('''CREATE TEMP TABLE one AS SELECT * EXCLUDE retweeted_status,
        retweeted_status.id_str AS original FROM status UNION ALL
        SELECT unnest(retweeted_status), NULL FROM status WHERE retweeted_status IS NOT NULL''')
      file.execute('''CREATE TABLE Tweet AS SELECT DISTINCT ON (id_str) * EXCLUDE ("user", entities),
        "user".id_str AS author FROM one;
        CREATE TABLE User AS SELECT DISTINCT ON (id_str) * FROM (SELECT unnest("user") FROM one);
        CREATE TABLE Tag AS SELECT DISTINCT id_str AS tweet, tag.text AS text
          FROM (SELECT id_str, unnest(entities.hashtags) AS tag FROM one);
        CREATE TABLE Hashtag AS SELECT DISTINCT text FROM Tag;
        CREATE UNIQUE INDEX tweets ON Tweet(id_str); CREATE UNIQUE INDEX users ON User(id_str);
        CHECKPOINT''')
      """
}
