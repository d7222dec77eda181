// Who exports a graph needs its types too, so one import is enough.
@_exported public import Graft
