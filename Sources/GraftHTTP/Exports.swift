// Who imports from an API needs the graph's types too, so one import is enough.
@_exported public import Graft
