import { describe, expect, it } from '@jest/globals';
import { createDefaultTypeRegistry } from './default-types.js';
import { TypeRegistry } from './type-registry.js';

describe('createDefaultTypeRegistry', () => {
  const types = createDefaultTypeRegistry();

  it.each([
    ['String', 'string'],
    ['Boolean', 'boolean'],
    ['Int16', 'integer'],
    ['Int32', 'integer'],
    ['Int64', 'bigint'],
    ['Single', 'double'],
    ['Double', 'double'],
    ['Decimal', 'double'],
    ['Object', 'object'],
    ['Guid', 'guid'],
    ['DateTime', 'date'],
    ['DateTimeOffset', 'date'],
    ['TimeSpan', 'timespan'],
    ['ByteArray', 'bytes'],
    ['Stream', 'opaque'],
    ['JSON', 'json'],
    ['JsonElement', 'json'],
    ['JsonNode', 'json'],
    ['JsonObject', 'dictionary'],
    ['JsonArray', 'list'],
    ['JObject', 'dictionary'],
    ['JArray', 'list'],
    ['StringDictionary', 'dictionary'],
    ['StringMap', 'dictionary'],
    ['ObjectDictionary', 'dictionary'],
    ['ObjectMap', 'dictionary'],
    ['HttpHeaders', 'dictionary'],
    ['VariablesDictionary', 'dictionary'],
    ['HttpRequest', 'opaque'],
    ['HttpResponse', 'opaque'],
    ['HttpResponseMessage', 'opaque'],
    ['RouteData', 'object'],
    ['FormFile', 'opaque'],
    ['HttpFile', 'opaque'],
    ['Downloadable', 'opaque'],
    ['HttpStatusCode', 'enum'],
    ['FlowJoinMode', 'enum'],
    ['LogPersistenceMode', 'enum'],
    ['FaultStrategy', 'object'],
    ['WorkflowInstanceStorageDriver', 'object'],
    ['EventStimulus', 'object'],
    ['AlterationPlanParams', 'object'],
    ['ExecuteWorkflowResult', 'object'],
    ['ExceptionState', 'object'],
    ['RetryAttemptRecordList', 'list'],
  ])('knows %s as %s', (alias, kind) => {
    expect(types.resolve(alias)).toMatchObject({ alias, kind });
  });

  it('matches names in any casing and ignores surrounding blanks', () => {
    expect(types.resolve('sTRING')).toBe(types.resolve('String'));
    expect(types.resolve(' string ')).toBe(types.resolve('String'));
    expect(types.resolve('list<STRING>')).toBe(types.resolve('List<String>'));
  });

  it('has Long as another name of Int64', () => {
    expect(types.resolve('Long')).toBe(types.resolve('Int64'));
  });

  it.each([
    ['String[]', 'String[]', 'String'],
    ['Int32?[]', 'Int32?[]', 'Int32?'],
    ['FormFile[]', 'FormFile[]', 'FormFile'],
    ['List<String>', 'List<String>', 'String'],
    ['IEnumerable<Int32>', 'List<Int32>', 'Int32'],
    ['ICollection<Int32>', 'List<Int32>', 'Int32'],
    ['IList<Int32>', 'List<Int32>', 'Int32'],
    ['IReadOnlyCollection<Int32>', 'List<Int32>', 'Int32'],
    ['IReadOnlyList<Int32>', 'List<Int32>', 'Int32'],
    ['Collection<Guid>', 'Collection<Guid>', 'Guid'],
    ['HashSet<Object>', 'HashSet<Object>', 'Object'],
    ['ISet<Object>', 'HashSet<Object>', 'Object'],
    ['List<List<String>>', 'List<List<String>>', 'List<String>'],
    ['System.String[], System.Private.CoreLib', 'String[]', 'String'],
    [
      'System.Collections.Generic.List`1[[System.String, System.Private.CoreLib]], System.Private.CoreLib',
      'List<String>',
      'String',
    ],
    [
      'System.Collections.Generic.ICollection`1[[Elsa.Http.HttpStatusCodeCase, Elsa.Http]], System.Private.CoreLib',
      'UnregisteredClrType:System.Collections.Generic.List`1[[Elsa.Http.HttpStatusCodeCase, Elsa.Http]], System.Private.CoreLib',
      'UnregisteredClrType:Elsa.Http.HttpStatusCodeCase, Elsa.Http',
    ],
  ])('reads %s as a list', (text, alias, element) => {
    expect(types.resolve(text)).toMatchObject({ alias, kind: 'list', element: { alias: element } });
  });

  it('marks nullable types, once', () => {
    expect(types.resolve('Int32?')).toMatchObject({ alias: 'Int32?', kind: 'integer', nullable: true });
    expect(types.resolve('Nullable<Int32>')).toBe(types.resolve('Int32?'));
    expect(types.resolve('System.Nullable`1[[System.Int32, System.Private.CoreLib]]')).toBe(types.resolve('Int32?'));
    expect(types.resolve('Int32??')).toBe(types.resolve('Int32?'));
  });

  it.each([
    ['IDictionary<String, Object>', 'ObjectDictionary'],
    ['Dictionary<String, Object>', 'ObjectMap'],
    ['IDictionary<string,string>', 'StringDictionary'],
    ['Dictionary<String,String>', 'StringMap'],
    ['Dictionary<String, Int32>', 'Dictionary<String, Int32>'],
    [
      'System.Collections.Generic.IDictionary`2[[System.String, System.Private.CoreLib],[System.Object, System.Private.CoreLib]], System.Private.CoreLib',
      'ObjectDictionary',
    ],
  ])('reads %s as %s', (text, alias) => {
    expect(types.resolve(text)).toMatchObject({ alias, kind: 'dictionary' });
  });

  it.each([
    ['System.Byte[], System.Private.CoreLib', 'ByteArray'],
    ['System.Int64, System.Private.CoreLib', 'Int64'],
    ['System.Dynamic.ExpandoObject, System.Linq.Expressions', 'JSON'],
    ['System.Text.Json.Nodes.JsonObject, System.Text.Json', 'JsonObject'],
    ['Newtonsoft.Json.Linq.JArray, Newtonsoft.Json', 'JArray'],
    ['Microsoft.AspNetCore.Http.HttpRequest, Microsoft.AspNetCore.Http.Abstractions', 'HttpRequest'],
    ['Microsoft.AspNetCore.Http.IFormFile, Microsoft.AspNetCore.Http.Features', 'FormFile'],
    ['System.Net.Http.HttpResponseMessage, System.Net.Http', 'HttpResponseMessage'],
    ['System.Net.HttpStatusCode, System.Net.Primitives', 'HttpStatusCode'],
    ['Elsa.Http.HttpRouteData, Elsa.Http', 'RouteData'],
    ['Elsa.Http.Downloadable, Elsa.Http', 'Downloadable'],
    ['Elsa.Workflows.LogPersistence.LogPersistenceMode, Elsa.Workflows.Core', 'LogPersistenceMode'],
    ['Elsa.Workflows.Core.Activities.Flowchart.Models.FlowJoinMode, Elsa.Workflows.Core', 'FlowJoinMode'],
    ['Elsa.Workflows.Services.WorkflowStorageDriver, Elsa.Workflows.Core', 'WorkflowStorageDriver'],
    ['UnregisteredClrType:Elsa.Http.HttpFile, Elsa.Http', 'HttpFile'],
    ['Elsa.Workflows.ActivationValidators.AllowAlwaysStrategy, Elsa.Workflows.Core', 'AllowAlwaysStrategy'],
  ])('reads the CLR name %s', (text, alias) => {
    expect(types.resolve(text)?.alias).toBe(alias);
  });

  it.each([
    ['SwitchMode', 'UnregisteredClrType:Elsa.Workflows.SwitchMode, Elsa.Workflows.Core'],
    ['ForkJoinMode', 'UnregisteredClrType:Elsa.Workflows.ForkJoinMode, Elsa.Workflows.Core'],
    ['Uri', 'UnregisteredClrType:System.Uri, System.Private.Uri'],
    ['Variable', 'UnregisteredClrType:Elsa.Workflows.Memory.Variable, Elsa.Workflows.Core'],
    [
      'ICollection<SwitchCase>',
      'UnregisteredClrType:System.Collections.Generic.ICollection`1[[Elsa.Workflows.Activities.SwitchCase, Elsa.Workflows.Core]], System.Private.CoreLib',
    ],
    ['SwitchMode[]', 'UnregisteredClrType:Elsa.Workflows.SwitchMode[], Elsa.Workflows.Core'],
    [
      'List<SwitchMode>',
      'UnregisteredClrType:System.Collections.Generic.List`1[[Elsa.Workflows.SwitchMode, Elsa.Workflows.Core]], System.Private.CoreLib',
    ],
  ])('writes %s under its CLR name, and reads that back', (name, alias) => {
    expect(types.resolve(name)?.alias).toBe(alias);
    expect(types.resolve(alias)).toBe(types.resolve(name));
  });

  it.each([
    'Acme.Missing, Acme',
    'Acme.HttpFile, Acme',
    'Missing',
    'Missing[]',
    'Missing?',
    'List<Missing>',
    'List<String, String>',
    'Queue<String>',
    'Dictionary<String>',
    'List<>',
    'System.Threading.Timer',
    '',
    ' ',
    '[]',
    '?',
    '__proto__',
    'constructor',
    `${'x'.repeat(2000)}`,
    'String' + '[]'.repeat(600),
  ])('does not know %.40s', (text) => {
    expect(types.resolve(text)).toBeUndefined();
  });

  it('does not know null and undefined', () => {
    expect(types.resolve(null)).toBeUndefined();
    expect(types.resolve(undefined)).toBeUndefined();
  });

  it('has the numbers of HttpStatusCode', () => {
    const type = types.resolve('HttpStatusCode');
    expect(type?.values?.NotFound).toBe(404);
    expect(type?.members).toContain('TemporaryRedirect');
  });

  it('is independent of other registries', () => {
    const other = createDefaultTypeRegistry();
    other.register('Order', { kind: 'object' });
    expect(types.resolve('Order')).toBeUndefined();
    expect(other.resolve('Order')?.alias).toBe('Order');
  });
});

describe('TypeRegistry', () => {
  it('knows nothing at first', () => {
    expect(new TypeRegistry().resolve('String')).toBeUndefined();
  });

  it('registers a host type under several names', () => {
    const types = new TypeRegistry();
    const order = types.register('Order', { kind: 'object' }, 'Acme.Sales.Order', 'PurchaseOrder');
    expect(types.resolve('order')).toBe(order);
    expect(types.resolve('Acme.Sales.Order, Acme.Sales')).toBe(order);
    expect(types.resolve('purchaseorder')).toBe(order);
    expect(types.resolve('Other.Order, Other')).toBeUndefined();
  });

  it('does not continue using a type that was replaced', () => {
    const types = new TypeRegistry();
    types.register('Colour', { kind: 'string' });
    expect(types.resolve('Colour[]')?.element?.kind).toBe('string');
    types.register('Colour', { kind: 'enum', members: ['Red'] });
    expect(types.resolve('Colour[]')?.element?.kind).toBe('enum');
  });

  it('answers with the same object every time', () => {
    const types = createDefaultTypeRegistry();
    const text = types.resolve('String');
    expect(text && types.arrayOf(text)).toBe(types.resolve('String[]'));
    expect(types.resolve('IEnumerable<String>')).toBe(types.resolve('List<String>'));
  });

  it('remembers a limited number of spellings, and knows all of them', () => {
    const types = createDefaultTypeRegistry();
    const kept = (): number => Math.max(...Object.values(types).map((part) => (part instanceof Map ? part.size : 0)));
    const text = types.resolve('String');
    for (let n = 0; n < 25_000; n++)
      expect(types.resolve(`System.String, System.Private.CoreLib, Version=1.0.0.${n}`)).toBe(text);
    expect(kept()).toBeLessThanOrEqual(10_000);
  });

  it('makes an array of bytes a ByteArray', () => {
    const types = createDefaultTypeRegistry();
    const byte = types.resolve('Byte');
    expect(byte && types.arrayOf(byte)).toBe(types.resolve('ByteArray'));
  });
});
