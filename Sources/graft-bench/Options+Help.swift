extension Options {
  /// The text of `graft-bench --help`.
  static let help = """
    usage: graft-bench [options] [--model PATH --root ENTITY[@PATH] FILE]

    Measures how fast JSON becomes a graph, against YAJL alone and against Foundation's decoders,
    on a deterministic feed of tweets that it makes itself, or on a file of yours. MB are millions
    of bytes; of several runs the best counts. The decoders read the fields that the import maps,
    but leave dates and identifiers as texts; of other files JSONSerialization makes its tree only.

    What to measure (default: --compare)
      --compare         all contestants on one document; peak memory of each in its own process
      --chunks          chunks from 1 KiB to 1 MiB
      --scale           documents from 1 MB to 1 GB, made while they are read
      --tokens          a string, escapes and a number of 10 MB each, in chunks of 4 KiB
      --graph           uniquing a million objects, reading and changing them, export
      --all             all of these

    How
      --size MB         size of the feed (default 100)
      --runs N          runs of each contestant (default 5)
      --chunk-size N    bytes fed at a time (default 65536)
      --only NAME,...   some contestants only: yajl, parser, import, decoder, serialization
      --no-memory       leave out the memory measurements
      --smoke           4 MB, two runs: does everything work?
      --json            print the figures as JSON

    Real documents
      FILE              read FILE instead of the feed (without a model: as a timeline)
      --model PATH      model of the import, as for graft import
      --root ENTITY[@PATH]   entity and place of the objects to import

      --write-feed FILE      write the feed to FILE, for use with other programs
      --help                 print this
    """
}
