// Clients of this module need the graph's types too, so one import is enough.
@_exported public import Graft
