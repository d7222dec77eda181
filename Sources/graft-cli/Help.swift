import Graft

/// The texts that `--help` prints.
enum Help {
  /// The engines of this build.
  private static let engines =
    ParserOptions.Engine.allCases.map { engine in
      engine.rawValue + (engine == .default ? " (default)" : " (faster)")
    }.joined(separator: ", ")

  /// The options for URLs, which several commands have.
  private static let requests = """
    These options hold for the URLs after them:

      --header NAME:VALUE    send a header; @FILE sends the headers that are the lines of a file
      --expand-header NAME:VALUE
                             the same, with {{VARIABLE}} replaced by an environment variable, so that a
                             secret is not part of the command: 'Authorization: Bearer {{API_TOKEN}}'
      --method NAME          GET (default), POST (default with --data) or another method
      --data TEXT            send a body; @FILE sends a file. It is application/json if no header says
                             otherwise
      --no-request           undo --header, --expand-header, --method and --data
    """

  static let overall = """
    graft streams JSON into an object graph.

    usage: graft COMMAND [options] ...

      import   import files into a graph, and print it
      export   import files into a graph, or read one from a database, and write objects of it as JSON
      query    print objects of a database
      check    check whether files are well-formed JSON
      model    print the compiled form of a model
      infer    infer the model of documents

      --help, -h   this text; after a command, the command's options
      --version    the version
      --manual     the manual page, for man
      --completions SHELL
                   completions for bash, zsh or fish

    exit status: 0 success · 1 imported, with issues skipped · 2 wrong usage
                 3 bad data or model · 4 could not read or write · 130 interrupted
    """

  static let `import` = """
    usage: graft import [--model PATH] [options] [[ROOT[,ROOT ...]=]FILE ...]

    Imports files in the given order into one graph, then prints it. ROOT is ENTITY or
    ENTITY@PATH: the entity and the path of objects in the file; several roots read one file in
    one pass. FILE is a path, - for standard input, or an http(s) URL; gzip, zlib and zstd are
    decompressed.

      --model PATH           .xcdatamodeld, .xcdatamodel, its XML, or a Graft schema (.json); without it
                             the model is inferred from the files before they are imported, and
                             standard error lists the conclusions (graft infer --help)
      --dialect NAME         auto (default), graft, groot, magicalrecord, sync, dandy, zds
      --into PATH            import into a SQLite database instead of memory; a new one is made if there
                             is none, and any tool can open its tables. A URL such as
                             postgres://user@host/database names one on a Postgres server. Without
                             --model, the database's own model is used
      --distribute           make the tables on a Citus cluster, each spread over its machines by key, and
                             tables of relationships beside their owners; with --into postgres://…
      --small ENTITY         with --distribute: an entity of few objects, whose table is on all machines
      --save-every N         save after N objects of the roots (default: 2500, then twice as many each
                             time, up to 20000 in SQLite and 5000 on a server; 20000 on a cluster);
                             with 64MB or 30s, also after a number of bytes or seconds, if that is
                             sooner. Each save is one transaction, and lasts even if a later part of
                             the file is wrong.
                             With end, all is one transaction, which takes no more memory. A page of
                             a list is one save, and so is a URL with --retries, --if-changed or --since
      --resume               with --into: continue after the last saved object, if the last import of a
                             file did not reach its end
      --chunk-size BYTES     bytes parsed at a time, such as 64KB (default 65536)
      --engine NAME          the parser of the bytes: \(engines)
      --output NAME          summary (default), graph, json, none; json prints the objects of the
                             roots: an array, or the object itself if the root is a single one; for
                             several roots, an object with a member for each entity; not with --into
      --coverage             list the model's paths that were never found and the keys that were never
                             read, with the nearest name
      --dry-run              import and print the summary; write nothing else, whatever --output says, and
                             leave the database of --into as it is
      --report FILE          write the report as JSON to FILE (- for standard output), even if the
                             import fails: {"version": 1, "status": 0, "error": null, "files": [{"file",
                             "entities", "issues": [{"line", "column", "path", "message", …}],
                             "notices", "coverage", …}]}; the article Reading reports has all keys
      --transformer NAME=READY
                             bind a transformer that the model names to a ready-made one: none,
                             string-integer, trim, url, base64, hex-color
      --mapper NAME=KEY:VALUE=ENTITY[,VALUE=ENTITY ...]
                             bind an entity mapper that the model names to a discriminator key

    These options hold for the files after them:

      --entity NAME          entity of files that name none
      --at PATH              root path of files that name none, e.g. statuses or data.items
      --format NAME          auto (default, by the file's name and first bytes), json, ndjson,
                             concatenated, json-seq (RFC 7464), sse (server-sent events)
      --end-marker TEXT      the data of the event after which nothing is read, such as [DONE]
      --mode NAME            upsert (default), insert-only, update-only
      --on-error NAME        fail (default), skip-value, skip-object
      --on-broken-line NAME  a line of NDJSON that is not JSON: fail, or skip it as an issue with its
                             number (default: as --on-error)
      --unknown-keys NAME    keys that no property reads: skip (default), report, error
      --strict               values must be of the attribute's own type; by default they are converted
                             if nothing is lost
      --no-strict            undo --strict
      --reference NAME       an identifier that names no known object, if the model has no policy for
                             it: stub (default of most dialects), ignore, defer (look again at the
                             end, which exports of whole graphs need), error
      --delete-missing       after the last file, delete objects of the root entity that no file from
                             this one on has mentioned; a root that is null deletes nothing
      --no-delete-missing    undo --delete-missing
      --mapping PATH         JSON with the properties' paths, laid over the model's annotations:
                             {"Tweet": {"user": {"name": "authorName"}, "created_at":
                             {"property": "postedAt", "format": "yyyy-MM-dd"}}}
      --no-mapping           undo --mapping
      --pages RULE           the URL is the first page of a list, and RULE finds the next one:
                             link (the Link header, rel="next"), link=REL (its link of another relation),
                             PATH (an address in the document, such as meta.next),
                             cursor=PATH:PARAM (a value in the document for a parameter of the URL),
                             header=NAME (an address in a header), header=NAME:PARAM (a value in a
                             header), page=PARAM or page=PARAM:FIRST (the number of the page),
                             offset=PARAM:LIMIT or offset=PARAM:LIMIT:LIMITPARAM (the number of objects
                             before the page), none (a single answer). Each page is saved when it has
                             ended; --resume continues with the page that failed. Without --model, the
                             first page is requested twice: the model is inferred from it, and if it is
                             an object with one list, the objects are those of the list
      --total PLACE          with page= or offset=: the place of the list's length, for a server that
                             answers with an error after the last page: PATH or header=NAME (the number of
                             objects), pages=PATH or pages-header=NAME (the number of pages). A number of
                             objects counts the first root that is the list itself, and no T@list[*].parts
      --max-pages N          end after N pages
      --rate N               send at most N requests a second
      --retries N            repeat a request that has failed N times, as the server asks (Retry-After, up
                             to 120 s) or after 1, 2, 4 … seconds: a connection that is lost or stalls,
                             and the statuses 408, 425, 429, 500, 502, 503 and 504. Without this option, a
                             page is repeated 4 times, except for methods such as POST, and a single URL
                             never
      --if-changed           import nothing if the server says that the URL has not changed since its last
                             whole import into the same database (ETag, Last-Modified); with --into
      --since PARAM=ENTITY.ATTRIBUTE
                             fill a parameter of the URL with the greatest value that the database has of an
                             attribute, such as since=Issue.updatedAt; with --into, and without
                             --delete-missing
      --timeout SECONDS      end a connection on which no byte arrives (default 60)

    \(requests)

    Errors, issues and notices are written to standard error as FILE:LINE:COLUMN: MESSAGE, columns
    in bytes; notices say so before the message.

    exit status: 0 imported · 1 imported, with issues skipped · 2 wrong usage
                 3 bad data or model · 4 could not read or write · 130 interrupted

    examples: graft import --model Timeline.xcdatamodeld Tweet@statuses=timeline.json
              graft import --into tweets.sqlite tweets.json
              graft import --into forge.sqlite --pages link https://forge.example/issues?per_page=100
    """

  static let check = """
    usage: graft check [options] FILE ...

    Checks whether files are well-formed JSON (RFC 8259), and prints the first fault of each.
    FILE is a path, - for standard input, or an http(s) URL; gzip, zlib and zstd are
    decompressed.

      --chunk-size BYTES     bytes parsed at a time, such as 64KB (default 65536)
      --engine NAME          the parser of the bytes: \(engines)
      --format NAME          auto (default: ndjson by the file's name, and else json), json, ndjson,
                             concatenated, json-seq (RFC 7464), sse (server-sent events)
      --end-marker TEXT      the data of the event after which nothing is read, such as [DONE]

    \(requests)

    exit status: 0 well-formed · 2 wrong usage · 3 not well-formed · 4 could not read
    """

  static let model = """
    usage: graft model [--model] PATH [--dialect NAME]

    Prints the compiled form of a model: entities, properties, JSON paths, identity, and warnings.

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
    usage: graft export [--model PATH] [options] [[ROOT[,ROOT ...]=]FILE ...]
           graft export --from DATABASE [options]

    Imports files as graft import does, with the same options, or reads a database that graft
    import --into has made, and writes objects of the graph as JSON, by the mapping that imported
    them.

      --from DATABASE        write objects of a database, all of them unless --select names an entity;
                             they are read in parts, and need not fit into memory
      --select ENTITY        the objects of an entity (default: the objects of the roots)
      --all                  all objects, in a member for each entity; graft import reads the output
                             without a root
      --output FILE          a file, replaced at the end with its mode and owner kept; a FIFO or a
                             device is written directly (default -, standard output)
      --pretty               write each member on its own line, indented
      --ndjson               write one object on each line
      --sorted               sort keys (default: in the order of the model)
      --depth N              the levels to which objects nest; deeper ones are written as their identities
      --relationships NAME   nested (default), identifier, omit: for relationships of which the model
                             states no form
      --style ENTITY.PROPERTY=NAME
                             the same for one relationship; omit for an attribute too
      --repeats NAME         an object that occurs again: automatic (default), nested, identifier
      --omit-null            leave out properties without a value
      --omit-empty           leave out relationships without members

    A value that an import of the JSON would not find again is a notice on standard error.

    exit status: as graft import; notices do not change it
    """
}

extension Help {
  static let infer = """
    usage: graft infer [options] [ROOT=]FILE ...

    Infers the model of documents, and prints it: entities and their identities, relationships,
    dictionaries, sub-entities. Several files are evidence for one model. ROOT names the elements
    of a file that is an array. FILE is a path, - for standard input, or an http(s) URL; gzip, zlib and
    zstd are decompressed.

    Files of up to 256 MB are read a second time, as an import with the model reads them, and their
    figures are exact; those of larger files, pipes and URLs are estimated.

      --output NAME          schema (default): Graft's own JSON · xcdatamodel: Xcode's XML · swift: typed
                             entities · dot: Graphviz · svg: drawn by dot, if installed · html: a page
                             with a diagram, sample values and the conclusions; it needs no network
      --document             with --output swift: also an example that imports the file and queries it
      --to PATH              write to a file, or into an .xcdatamodeld, instead of standard output
      --explain              print the conclusions and their reasons instead of the model
      --no-losses            with --explain: leave out what an export writes differently
      --once                 read files only once, in a third of the time and less memory; figures are
                             then estimated
      --certainty NAME       the certainty that makes a reference a relationship: certain, likely
                             (default) or guess; --explain prints the others
      --against MODEL        print the differences from an existing model; exit status 1 if there are any
      --format NAME          auto (default, by the file's name and first bytes), json, ndjson,
                             concatenated, json-seq (RFC 7464), sse (server-sent events); for the files after it
      --end-marker TEXT      the data of the event after which nothing is read, such as [DONE]; for the
                             files after it

    These overrule what was inferred; a property is ENTITY.PROPERTY, by its name or its JSON path:

      --keep PROPERTY        keep the values as the document has them: no relationship, no date
      --not PROPERTY         leave the property out of the model
      --rename OLD=NEW       another name for an entity or a property: Status=Tweet, Tweet.idStr=id
      --entity PATH=NAME     name the entity whose objects are found at a path: statuses=Tweet
      --identity ENTITY=ATTRIBUTES
                             the attributes that identify objects, separated by commas; - for none

    \(requests)

    exit status: 0 inferred, or no difference · 1 a difference · 2 wrong usage
                 3 bad data, or nothing to infer · 4 could not read or write

    example: graft infer --explain tweets.json
    """
}

extension Help {
  static let query = """
    usage: graft query DATABASE ENTITY [options]
           graft query DATABASE --sql SQL [--output NAME]

    Prints objects of a database that graft import --into has made, as JSON, by the mapping that
    imported them. A related object is an identifier unless it is followed; one without identity
    is printed with its owner. Objects that refer to the printed ones are read only with --follow.

      --where SQL            a condition in SQL on the columns of the entity's table; objects meet all
                             of several
      --orphans              only objects to which no relationship of another object leads
      --delete               with --orphans: delete them, by the delete rules of the model, and print
                             their number
      --order-by NAME[,NAME] by the values of attributes, missing ones last (default: by key); objects
                             with equal values by key
      --reverse              the greatest value first, for the last attribute of --order-by
      --limit N              print at most N objects
      --follow REL[,REL]     also read the objects of relationships; author.location follows two
      --count                print only the number of objects
      --sql SQL              print the rows of a query, which must only read, as JSON objects
      --output NAME          json (default), ndjson, or graph: the objects and the related ones, in
                             the form made for comparing

    A query that is interrupted ends in the database too.

    exit status: 0 printed, even if there are no such objects · 2 wrong usage, such as an
                 invalid condition · 4 could not read or write

    examples: graft query tweets.sqlite Tweet --where 'retweetCount > 100' --follow user --limit 10
              graft query tweets.sqlite --sql 'SELECT lang, count(*) AS n FROM "Tweet" GROUP BY lang'
    """
}
