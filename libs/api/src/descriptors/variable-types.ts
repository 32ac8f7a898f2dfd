import type { VariableType } from '../module/api-options.js';

const of = (category: string, types: Readonly<Record<string, string>>): VariableType[] =>
  Object.entries(types).map(([typeName, description]) => ({
    typeName,
    displayName: /([^.,]+)(?:,|$)/.exec(typeName)![1]!,
    category,
    description,
  }));

/** The types that variables may have, by the names under which definitions know them. */
export const VARIABLE_TYPES: readonly VariableType[] = [
  ...of('Primitives', {
    Object: 'Any value.',
    String: 'A text.',
    Boolean: 'True or false.',
    Int32: 'A whole number of up to nine digits.',
    Long: 'A whole number of any size.',
    Single: 'A number of about seven digits.',
    Double: 'A number of about fifteen digits.',
    Decimal: 'A number, for amounts.',
    Guid: 'A globally unique id.',
    DateTime: 'A date and time.',
    DateTimeOffset: 'A date and time with a time zone.',
    TimeSpan: 'A duration.',
  }),
  ...of('Lookups', { StringDictionary: 'Texts by name.', ObjectDictionary: 'Values by name.' }),
  ...of('Dynamic', {
    JSON: 'An object whose members are not known beforehand.',
    JsonElement: 'A JSON value.',
    JsonNode: 'A JSON value that can be changed.',
    JsonObject: 'A JSON object.',
  }),
  ...of('Data', { ByteArray: 'Bytes.', Stream: 'Data that is read piece by piece; it is not stored.' }),
  ...of('System', {
    'Elsa.Workflows.LogPersistence.LogPersistenceMode, Elsa.Workflows.Core': 'What the journal keeps.',
  }),
  ...of('HTTP', {
    'Elsa.Http.HttpRouteData, Elsa.Http': 'Values from the path of a request.',
    'Microsoft.AspNetCore.Http.HttpRequest, Microsoft.AspNetCore.Http.Abstractions': 'A request; it is not stored.',
    'Microsoft.AspNetCore.Http.HttpResponse, Microsoft.AspNetCore.Http.Abstractions': 'A response; it is not stored.',
    'System.Net.Http.HttpResponseMessage, System.Net.Http': 'The response to an outgoing request; it is not stored.',
    'Elsa.Http.HttpHeaders, Elsa.Http': 'Headers of a request or response.',
    'Microsoft.AspNetCore.Http.IFormFile, Microsoft.AspNetCore.Http.Features': 'An uploaded file; it is not stored.',
    'Elsa.Http.HttpFile, Elsa.Http': 'A file with its name and type; it is not stored.',
    'Elsa.Http.Downloadable, Elsa.Http': 'Content that is sent as a file; it is not stored.',
  }),
];
