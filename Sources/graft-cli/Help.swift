import Graft

/// What `--help` prints.
enum Help {
  /// The engines of this build.
  private static let engines =
    ParserOptions.Engine.allCases.map { engine in
      engine.rawValue + (engine == .default ? " (default)" : " (faster)")
    }.joined(separator: ", ")

  static let overall = """
    graft streams JSON into an object graph.

    usage: graft COMMAND [options] ...

      import   import files into a graph, and print it
      export   import files into a graph, or read one from a database, and write objects of it as JSON
      query    print objects of a database
      check    tell whether files are well-formed JSON
      model    print a model as it was understood
      infer    find out the model of documents

      --help, -h   this text, or after a command that command's
      --version    the version

    exit status: 0 success · 1 imported, with issues skipped · 2 wrong usage
                 3 bad data or model · 4 could not read or write
    """

  static let `import` = """
    usage: graft import [--model PATH] [options] [[ROOT[,ROOT ...]=]FILE ...]

    Imports files in the given order into one graph, then prints it. ROOT is ENTITY or
    ENTITY@PATH, and tells where in the file objects are; several roots read one file
    in one pass. FILE is a path, - for standard input, or an http(s) URL; what gzip has packed is
    unpacked.

      --model PATH           .xcdatamodeld, .xcdatamodel, its XML, or a Graft schema (.json); without it
                             the model is inferred from the files before they are imported, and
                             standard error says what was taken for what (graft infer --help)
      --dialect NAME         auto (default), graft, groot, magicalrecord, sync, dandy, zds
      --into PATH            import into a database of SQLite instead of memory; it is made where there
                             is none, and its tables can be opened with any tool. A URL such as
                             postgres://user@host/database is one on a Postgres server. Without
                             --model, the model is the one that the database has
      --distribute           make the tables on a cluster of Citus, each spread over its machines by the
                             key, those of relationships beside their owners; with --into postgres://…
      --small ENTITY         with --distribute: an entity of few objects, whose table is on all machines
      --save-every N         save after so many objects of the roots (default 10000), or, as 64MB or
                             30s, so many bytes or seconds if that is sooner; each save is one
                             transaction, and lasts even if a later part of the file is wrong.
                             With end, all is one transaction, which takes no more memory
      --resume               go on behind the last object that was saved, if the last import of a
                             file has not come to its end
      --chunk-size BYTES     bytes fed at a time, such as 64KB (default 65536)
      --engine NAME          what reads the bytes: \(engines)
      --read-ahead           read and scan large files on a second thread, with the native engine
      --output NAME          summary (default), graph, json, none; json prints the objects of the
                             roots: an array, or the one object that stood alone there, and of
                             several roots an object with a member for each entity
      --coverage             say which paths of the model were never found and which keys nothing
                             read, with the nearest name
      --dry-run              import and print the summary; write nothing else, whatever --output says
      --report FILE          write the report as JSON to FILE (- for standard output), also where the
                             import fails: {"version": 1, "status": 0, "error": null, "files": [{"file",
                             "entities", "issues": [{"line", "column", "path", "message", …}],
                             "notices", "coverage", …}]}; the article Reading reports has all keys
      --transformer NAME=READY
                             bind a transformer that the model names to a ready-made one: none,
                             string-integer, trim, url, base64, hex-color
      --mapper NAME=KEY:VALUE=ENTITY[,VALUE=ENTITY ...]
                             bind an entity mapper that the model names to a discriminator key

    These hold for the files that follow them:

      --entity NAME          entity of files that name none
      --at PATH              root path of files that name none, e.g. statuses or data.items
      --format NAME          auto (default, by the file's name), json, ndjson
      --mode NAME            upsert (default), insert-only, update-only
      --on-error NAME        fail (default), skip-value, skip-object
      --on-broken-line NAME  what a line of NDJSON does that is not JSON: fail, or skip it as an issue
                             with its number (default: as --on-error)
      --unknown-keys NAME    keys that no property reads: skip (default), report, error
      --strict               values must be of the attribute's own type; otherwise they are converted
                             where nothing is lost
      --no-strict            take that back
      --reference NAME       what an identifier does that names no object yet, where the model does
                             not say: stub (default of most dialects), ignore, defer (look again at
                             the end, as exports of whole graphs need it), error
      --delete-missing       delete objects of the root entity that no file from this one on has
                             mentioned, after the last file; a root that is null deletes nothing
      --no-delete-missing    take that back
      --mapping PATH         JSON that says where properties are, laid over the model's annotations:
                             {"Tweet": {"user": {"name": "authorName"}, "created_at":
                             {"property": "postedAt", "format": "yyyy-MM-dd"}}}
      --no-mapping           take that back

    Errors, issues and notices are written to standard error as FILE:LINE:COLUMN: MESSAGE, columns
    in bytes; notices say so before the message.

    exit status: 0 imported · 1 imported, with issues skipped · 2 wrong usage
                 3 bad data or model · 4 could not read or write

    examples: graft import --model Timeline.xcdatamodeld Tweet@statuses=timeline.json
              graft import --into tweets.sqlite tweets.json
    """

  static let check = """
    usage: graft check [options] FILE ...

    Tells whether files are well-formed JSON (RFC 8259), and where they are not.
    FILE is a path, or - for standard input.

      --chunk-size BYTES     bytes fed at a time, such as 64KB (default 65536)
      --engine NAME          what reads the bytes: \(engines)
      --format NAME          auto (default, by the file's name), json, ndjson

    exit status: 0 well-formed · 2 wrong usage · 3 not well-formed · 4 could not read
    """

  static let model = """
    usage: graft model [--model] PATH [--dialect NAME]

    Prints a model as it was understood: entities, properties, JSON paths, identity, and warnings.

      --model PATH           .xcdatamodeld, .xcdatamodel, its XML, a Graft schema (.json), or a
                             database that graft import --into has made
      --dialect NAME         auto (default), graft, groot, magicalrecord, sync, dandy, zds
      --output NAME          summary (default), or a form of the model: schema, xcdatamodel, swift, dot, svg
      --to PATH              write that form to a file, or into an .xcdatamodeld

    exit status: 0 sound · 2 wrong usage · 3 bad model · 4 could not read
    """
}

extension Help {
  static let export = """
    usage: graft export --model PATH [options] [[ROOT[,ROOT ...]=]FILE ...]
           graft export --from DATABASE [options]

    Imports files as graft import does, with the options it has, or reads a database that
    graft import --into has made, and writes objects of the graph as JSON, by the mapping by which
    they were read.

      --from DATABASE        write objects of a database, all of them unless --select names an entity;
                             some are read at a time, so that they need not fit into memory
      --select ENTITY        the objects of an entity (default: those that the roots gave)
      --all                  all objects: a member for each entity; graft import reads it without a
                             root
      --output FILE          a file, replaced when all is written, with its mode and owner kept; a
                             FIFO or device is written to (default -, standard output)
      --pretty               broken into lines and indented
      --ndjson               one object a line
      --sorted               keys sorted (default: in the order of the model)
      --depth N              how deep objects nest; deeper ones are written as their identities
      --relationships NAME   nested (default), identifier, omit: where the model does not say
      --style ENTITY.PROPERTY=NAME
                             the same for one relationship; omit for an attribute too
      --repeats NAME         an object met again: automatic (default), nested, identifier
      --omit-null            leave out what has no value
      --omit-empty           leave out relationships without members

    What an import of the JSON would not find again is a notice on standard error.

    exit status: as graft import, whatever the notices
    """
}

extension Help {
  static let infer = """
    usage: graft infer [options] [ROOT=]FILE ...

    Finds out the model of documents that nobody has described, and prints it: entities and their
    identities, relationships, dictionaries, sub-entities. Several files are evidence for one model.
    ROOT names the objects of which a file is an array. FILE is a path, - for standard input, or an
    http(s) URL; what gzip has packed is unpacked.

    Files of up to 256 MB are read a second time, as an import by the model does, and what is said of
    them is exact; of others, of pipes and of URLs it is estimated.

      --output NAME          schema (default): Graft's own JSON · xcdatamodel: Xcode's XML · swift: typed
                             entities · dot: Graphviz · svg: drawn by dot, where that is installed
      --to PATH              write to a file, or into an .xcdatamodeld, instead of standard output
      --explain              print what was concluded, and why, instead of the model
      --against MODEL        print how the model differs from one that there is; exit status 1 if so
      --format NAME          auto (default, by the file's name), json, ndjson; for the files after it

    These overrule what was inferred; a property is ENTITY.PROPERTY, by its name or its JSON path:

      --keep PROPERTY        keep the values as the document has them: no relationship, no date
      --not PROPERTY         leave the property out of the model
      --rename OLD=NEW       another name for an entity or a property: Status=Tweet, Tweet.idStr=id
      --entity PATH=NAME     name the entity whose objects are found at a path: statuses=Tweet
      --identity ENTITY=ATTRIBUTES
                             what tells objects apart, separated by commas; - for nothing

    exit status: 0 inferred, or no difference · 1 a difference · 2 wrong usage
                 3 bad data, or nothing to infer · 4 could not read or write

    example: graft infer --explain tweets.json
    """
}

extension Help {
  static let query = """
    usage: graft query DATABASE ENTITY [options]
           graft query DATABASE --sql SQL [--output NAME]

    Prints objects of a database that graft import --into has made, as JSON by the mapping by which
    they were read. What they lead to is an identifier unless it is followed; what has no identifier,
    or refers to them itself, has to be followed.

      --where SQL            which objects: a condition of SQL on the columns of the entity's table
      --orphans              only objects to which no relationship of another one leads
      --delete               with --orphans: deletes them, by the delete rules of the model, and
                             prints how many
      --order-by NAME[,NAME] by the values of attributes, those without one last (default: by key);
                             where all are the same, by key
      --reverse              the greatest value first, of the attribute that --order-by named last
      --limit N              the most objects
      --follow REL[,REL]     read what relationships lead to as well; author.location leads through two
      --count                print how many objects there are, and nothing else
      --sql SQL              print the rows of a query, which only reads, as objects of JSON
      --output NAME          json (default), ndjson, or graph: the objects and what they lead to, in
                             the form made for comparing

    A query that is interrupted ends in the database too.

    exit status: 0 printed, even where there are no such objects · 2 wrong usage, such as a
                 condition that makes no sense · 4 could not read or write

    examples: graft query tweets.sqlite Tweet --where 'retweets > 100' --follow author --limit 10
              graft query tweets.sqlite --sql 'SELECT lang, count(*) AS n FROM "Tweet" GROUP BY lang'
    """
}
