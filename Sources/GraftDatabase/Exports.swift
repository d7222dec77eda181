// Clients of this module need the graph's types and its exports too, so one import is enough.
@_exported public import GraftExport
