/** The types of .NET that scripts of the format may name. */
export const HOST_TYPE_NAMES: ReadonlySet<string> = new Set([
  'DateTime',
  'DateTimeOffset',
  'TimeSpan',
  'Guid',
  'Random',
  'LogPersistenceMode',
  'HttpHeaders',
  'Downloadable',
  'HttpResilienceStrategy',
  'ExpandoObject',
  'JsonNode',
  'JsonObject',
  'JsonElement',
]);
