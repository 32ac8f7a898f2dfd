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

/**
 * Types whose values are texts in a workflow, with the members by which scripts of the format show that they take such a
 * text for the value of .NET that it was there.
 */
export type TextType = 'TimeSpan' | 'Guid';

const timeSpanMembers =
  'TotalDays TotalHours TotalMinutes TotalSeconds TotalMilliseconds Days Hours Minutes Seconds Milliseconds Ticks Add ' +
  'Subtract Negate Duration Multiply Divide CompareTo Equals ToString';
const membersOf: ReadonlyMap<TextType, ReadonlySet<string>> = new Map([
  ['TimeSpan', new Set([...timeSpanMembers.split(' '), ...smallTotals(timeSpanMembers)])],
  ['Guid', new Set(['ToByteArray', 'CompareTo', 'Equals', 'ToString'])],
]);
/** Beside these types time spans are compared with others, or added to dates. */
const besideTimeSpans: ReadonlySet<string> = new Set(['TimeSpan', 'DateTime', 'DateTimeOffset']);

/** The types that a member with this name belongs to. */
export function textTypesWith(member: string): readonly TextType[] {
  return [...membersOf].filter(([, members]) => members.has(member)).map(([type]) => type);
}

/** The types whose values meet values of this type. */
export function textTypesBeside(type: string): readonly TextType[] {
  return besideTimeSpans.has(type) ? ['TimeSpan'] : [];
}

/** `totalHours`, which the format accepts too. Other small names are common in data. */
function smallTotals(names: string): readonly string[] {
  return names.split(' ').flatMap((name) => (name.startsWith('Total') ? [`t${name.slice(1)}`] : []));
}
