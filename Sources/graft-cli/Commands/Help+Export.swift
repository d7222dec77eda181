extension Help {
  static let export = """
    usage: graft export --model PATH [options] [[ROOT[,ROOT ...]=]FILE ...]

    Imports files as graft import does, with the options it has, and writes objects of the
    graph as JSON, by the mapping by which they were read.

      --select ENTITY        the objects of an entity (default: those that the roots gave)
      --all                  all objects: a member for each entity, which reads back as
                             Tweet@Tweet,User@User=FILE
      --output FILE          a file, replaced when all is written (default -, standard output)
      --pretty               broken into lines and indented
      --ndjson               one object a line
      --sorted               keys sorted (default: in the order of the model)
      --depth N              how deep objects nest; deeper ones stand as their identities
      --relationships NAME   nested (default), identifier, omit: where the model does not say
      --style ENTITY.PROPERTY=NAME
                             the same for one relationship; omit for an attribute too
      --repeats NAME         an object met again: automatic (default), nested, identifier
      --omit-null            leave out what has no value
      --omit-empty           leave out relationships without members

    exit status: as graft import
    """
}
