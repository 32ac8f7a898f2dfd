import { HTTP_STATUS_CODES } from './http-status-codes.js';
import { collectionAlias, unregisteredAlias } from './type-alias.js';
import { TypeRegistry } from './type-registry.js';
import type { ValueKind } from './value-type.js';

/**
 * A new registry with every type alias of Elsa. Each call gives one of its own: hosts add their types to it.
 * With `strict`, values must fit their types: see `ValueType.isStrict`; the default is false.
 */
export function createDefaultTypeRegistry({ strict = false }: { strict?: boolean } = {}): TypeRegistry {
  const types = new TypeRegistry(strict);
  addScalars(types);
  addJson(types);
  addDictionaries(types);
  addEnums(types);
  addHttp(types);
  addEngineTypes(types);
  return types;
}

function addAll(types: TypeRegistry, kind: ValueKind, aliases: string): void {
  for (const alias of aliases.split(' ')) types.register(alias, { kind });
}

function addScalars(types: TypeRegistry): void {
  types.register('Object', { kind: 'object' });
  types.register('String', { kind: 'string' });
  types.register('Boolean', { kind: 'boolean' });
  addAll(types, 'integer', 'Byte Int16 Int32');
  types.register('Int64', { kind: 'bigint' }, 'Long');
  addAll(types, 'double', 'Single Double Decimal');
  addAll(types, 'date', 'DateTime DateTimeOffset');
  types.register('TimeSpan', { kind: 'timespan' });
  types.register('Guid', { kind: 'guid' });
  types.register('ByteArray', { kind: 'bytes' });
  types.register('Stream', { kind: 'opaque' });
  types.register('Uri', { kind: 'string', alias: unregisteredAlias('System.Uri, System.Private.Uri') });
}

function addJson(types: TypeRegistry): void {
  const element = types.resolve('Object');
  types.register('JSON', { kind: 'json' }, 'ExpandoObject');
  addAll(types, 'json', 'JsonElement JsonNode');
  types.register('JsonObject', { kind: 'dictionary', element });
  types.register('JObject', { kind: 'dictionary', element });
  types.register('JsonArray', { kind: 'list', element });
  types.register('JArray', { kind: 'list', element });
}

function addDictionaries(types: TypeRegistry): void {
  for (const [prefix, element] of [
    ['String', types.resolve('String')] as const,
    ['Object', types.resolve('Object')] as const,
  ]) {
    types.register(`${prefix}Dictionary`, { kind: 'dictionary', element });
    types.register(`${prefix}Map`, { kind: 'dictionary', element });
  }
  types.register('VariablesDictionary', { kind: 'dictionary', element: types.resolve('Object') });
}

function addEnums(types: TypeRegistry): void {
  const add = (name: string, members: string[], alias?: string): void => {
    types.register(name, { kind: 'enum', members, alias });
  };
  add('FlowJoinMode', ['WaitAll', 'WaitAllActive', 'WaitAny']);
  add('LogPersistenceMode', ['Inherit', 'Include', 'Exclude']);
  add('SwitchMode', ['MatchFirst', 'MatchAny'], unregisteredAlias('Elsa.Workflows.SwitchMode, Elsa.Workflows.Core'));
  add('ForkJoinMode', ['WaitAll', 'WaitAny'], unregisteredAlias('Elsa.Workflows.ForkJoinMode, Elsa.Workflows.Core'));
  types.register('HttpStatusCode', {
    kind: 'enum',
    members: Object.keys(HTTP_STATUS_CODES),
    values: HTTP_STATUS_CODES,
  });
}

function addHttp(types: TypeRegistry): void {
  addAll(types, 'opaque', 'HttpRequest HttpResponse HttpResponseMessage HttpFile Downloadable');
  types.register('FormFile', { kind: 'opaque' }, 'IFormFile');
  // Values are texts or lists of texts, as they come; converting them to one of the two would lose the other.
  types.register('HttpHeaders', { kind: 'dictionary', element: types.resolve('Object') });
  types.register('RouteData', { kind: 'object' }, 'HttpRouteData');
  addAll(types, 'object', 'HttpEndpointBookmarkPayload HttpRequestException');
}

function addEngineTypes(types: TypeRegistry): void {
  addAll(types, 'object', STRATEGIES);
  addAll(types, 'object', PAYLOADS);
  addAll(types, 'object', EXCEPTIONS);
  addAll(types, 'object', 'ExceptionState Token FlowScope');
  for (const name of ['Inherit', 'Include', 'Exclude', 'Configuration']) {
    types.register(`Elsa.Workflows.LogPersistence.Strategies.${name}`, {
      kind: 'object',
      alias: `Elsa.Workflows.LogPersistence.Strategies.${name}, Elsa.Workflows.Core`,
    });
  }
  types.register('RetryAttemptRecordList', { kind: 'list', element: types.resolve('Object') });
  types.register('Variable', {
    kind: 'object',
    alias: unregisteredAlias('Elsa.Workflows.Memory.Variable, Elsa.Workflows.Core'),
  });
  addCases(types, 'SwitchCase', 'Elsa.Workflows.Activities.SwitchCase, Elsa.Workflows.Core');
  addCases(types, 'FlowSwitchCase', 'Elsa.Workflows.Activities.Flowchart.Models.FlowSwitchCase, Elsa.Workflows.Core');
  addCases(types, 'HttpStatusCodeCase', 'Elsa.Http.HttpStatusCodeCase, Elsa.Http');
}

/** The case lists of Switch and its relatives: descriptors name them in the long form of a CLR generic. */
function addCases(types: TypeRegistry, name: string, clrName: string): void {
  const element = types.register(name, { kind: 'object', alias: unregisteredAlias(clrName) });
  types.register(`ICollection<${name}>`, {
    kind: 'list',
    element,
    alias: collectionAlias('ICollection', element.alias),
  });
}

const STRATEGIES =
  'FaultStrategy ContinueWithIncidentsStrategy WorkflowStorageDriver WorkflowInstanceStorageDriver ' +
  'MemoryStorageDriver AllowAlwaysStrategy SingletonStrategy CorrelationStrategy CorrelatedSingletonStrategy';

const PAYLOADS =
  'CronBookmarkPayload CronTriggerPayload DelayPayload StartAtPayload TimerBookmarkPayload TimerTriggerPayload ' +
  'EventStimulus RunTaskStimulus DispatchWorkflowStimulus ExecuteWorkflowStimulus BulkDispatchWorkflowsStimulus ' +
  'BackgroundActivityStimulus ExecuteWorkflowResult BookmarkTokenPayload EventTokenPayload AlterationPlanParams';

const EXCEPTIONS =
  'Exception FaultException AggregateException ArgumentException ArgumentNullException ArgumentOutOfRangeException ' +
  'FormatException IndexOutOfRangeException InvalidCastException InvalidOperationException JsonException ' +
  'KeyNotFoundException NotImplementedException NotSupportedException NullReferenceException ' +
  'OperationCanceledException TaskCanceledException TimeoutException';
