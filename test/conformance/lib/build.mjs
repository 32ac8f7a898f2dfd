// Builders for our own workflow definitions, in Elsa 3's JSON format.
// Everything here yields plain objects; nothing is read from Elsa's sources.

// ---------- expressions / inputs / outputs ----------
const input = (typeName, type, value) => ({ typeName, expression: { type, value } });
export const lit = (value, typeName = guess(value)) => input(typeName, 'Literal', value);
export const js = (code, typeName = 'Object') => input(typeName, 'JavaScript', code);
export const liquid = (code, typeName = 'String') => input(typeName, 'Liquid', code);
export const cs = (code, typeName = 'Object') => input(typeName, 'CSharp', code);
/** "Object" expression: the value is JSON text that the server parses. */
export const obj = (value, typeName = 'Object') =>
  input(typeName, 'Object', typeof value === 'string' ? value : JSON.stringify(value));
/** "Variable" expression. */
export const fromVar = (variable, typeName = 'Object') => input(typeName, 'Variable', refVar(variable));
/** "Input" expression (workflow input by name). */
export const fromInput = (name, typeName = 'Object') => input(typeName, 'Input', { name, type: typeName });
/** Bare expression (Switch cases). */
export const expr = (type, value) => ({ type, value });
export const jsx = (code) => expr('JavaScript', code);
/** Activity output captured into a variable (or workflow output, by name). */
export const out = (variable, typeName = 'Object') => ({
  typeName,
  memoryReference: { id: typeof variable === 'string' ? variable : variable.id },
});

function guess(v) {
  if (typeof v === 'boolean') return 'Boolean';
  if (typeof v === 'number') return Number.isInteger(v) ? 'Int32' : 'Double';
  if (typeof v === 'string') return 'String';
  return 'Object';
}

// ---------- variables / inputs / outputs of definitions ----------
export const STORAGE = 'Elsa.Workflows.WorkflowInstanceStorageDriver, Elsa.Workflows.Core';
/** A workflow variable; id and name may differ on purpose. */
export function variable(name, typeName = 'Object', value = undefined, o = {}) {
  const v = {
    id: o.id ?? `${name}-id`,
    name,
    typeName,
    isArray: !!o.isArray,
    storageDriverTypeName: o.storage === undefined ? STORAGE : o.storage,
  };
  if (value !== undefined && value !== null) v.value = typeof value === 'string' ? value : JSON.stringify(value);
  return v;
}
const refVar = (v) => ({
  id: v.id,
  name: v.name,
  typeName: v.typeName,
  isArray: v.isArray,
  storageDriverTypeName: v.storageDriverTypeName,
});
export const inputDef = (name, type = 'Object', o = {}) => ({
  type,
  name,
  displayName: o.displayName ?? name,
  description: o.description ?? '',
  category: o.category ?? '',
  isArray: !!o.isArray,
  uiHint: o.uiHint ?? 'singleline',
  storageDriverType: o.storage === undefined ? STORAGE : o.storage,
});
export const outputDef = (name, type = 'Object', o = {}) => ({
  type,
  name,
  displayName: name,
  description: '',
  category: '',
  isArray: !!o.isArray,
});

// ---------- activities ----------
export function act(type, id, props = {}, o = {}) {
  const a = {
    id,
    type,
    version: o.version ?? 1,
    customProperties: { canStartWorkflow: !!o.start, runAsynchronously: !!o.async, ...(o.custom || {}) },
    metadata: {},
  };
  if (o.name) a.name = o.name;
  for (const [k, v] of Object.entries(props)) if (v !== undefined) a[k] = v;
  return a;
}
const asText = (t) => (t !== null && typeof t === 'object' ? t : lit(t, 'String'));
export const writeLine = (id, text, o) => act('Elsa.WriteLine', id, { text: asText(text) }, o);
export const W = writeLine;
export const start = (id = 'Start') => act('Elsa.Start', id);
export const end = (id = 'End') => act('Elsa.End', id);
export const finish = (id = 'Finish') => act('Elsa.Finish', id);
export const breakOut = (id = 'Break') => act('Elsa.Break', id);
export const complete = (id, outcomes) =>
  act('Elsa.Complete', id, {
    outcomes: Array.isArray(outcomes)
      ? js(JSON.stringify(outcomes))
      : outcomes === undefined
        ? undefined
        : typeof outcomes === 'object'
          ? outcomes
          : lit(outcomes, 'Object'),
  });
export const setVariable = (id, v, value) =>
  act('Elsa.SetVariable', id, {
    variable: refVar(v),
    value: value !== null && typeof value === 'object' && value.expression ? value : lit(value, 'Object'),
  });
export const setOutput = (id, name, value) =>
  act('Elsa.SetOutput', id, {
    outputName: lit(name, 'String'),
    outputValue: value !== null && typeof value === 'object' && value.expression ? value : lit(value, 'Object'),
  });
export const runJs = (id, script, o = {}) =>
  act(
    'Elsa.RunJavaScript',
    id,
    { script: lit(script, 'String'), possibleOutcomes: o.outcomes ? obj(o.outcomes) : undefined, result: o.result },
    o,
  );
export const fault = (id, message, o = {}) =>
  act('Elsa.Fault', id, {
    message: lit(message, 'String'),
    code: lit(o.code ?? 'E1', 'String'),
    category: lit(o.category ?? 'Test', 'String'),
    faultType: lit(o.faultType ?? 'Business', 'String'),
  });
export const correlate = (id, value) => act('Elsa.Correlate', id, { correlationId: asText(value) });
export const setName = (id, value) => act('Elsa.SetName', id, { value: asText(value) });

export const seq = (id, activities, o = {}) => act('Elsa.Sequence', id, { activities, variables: o.variables }, o);
export const parallel = (id, activities) => act('Elsa.Parallel', id, { activities, variables: [] });
export const iff = (id, condition, then, otherwise) =>
  act('Elsa.If', id, { condition, then: then ?? undefined, else: otherwise ?? undefined });
export const whileLoop = (id, condition, body) => act('Elsa.While', id, { condition, body });
export const forLoop = (id, o, body) =>
  act('Elsa.For', id, {
    start: num(o.start),
    end: num(o.end),
    step: num(o.step ?? 1),
    outerBoundInclusive: o.inclusive === undefined ? undefined : lit(o.inclusive),
    body,
    currentValue: o.currentValue,
  });
const num = (n) => (n !== null && typeof n === 'object' ? n : lit(n, 'Int32'));
/** Array items as a JavaScript array literal. */
export const list = (items) => js(JSON.stringify(items));
export const forEach = (id, items, body, o = {}) =>
  act('Elsa.ForEach', id, { items, body, currentValue: o.currentValue });
export const parallelForEach = (id, items, body) => act('Elsa.ParallelForEach', id, { items, body });
export const switchOn = (id, cases, o = {}) =>
  act('Elsa.Switch', id, {
    cases: cases.map(([label, condition, activity]) => ({ label, condition, activity: activity ?? undefined })),
    mode: lit(o.mode ?? 'MatchFirst', 'Object'),
    default: o.default,
  });
export const fork = (id, branches, joinMode = 'WaitAll') => act('Elsa.Fork', id, { joinMode, branches });

export const decision = (id, condition, o) =>
  act(
    'Elsa.FlowDecision',
    id,
    { condition: condition !== null && typeof condition === 'object' ? condition : lit(condition) },
    o,
  );
export const flowSwitch = (id, cases, mode = 'MatchFirst') =>
  act('Elsa.FlowSwitch', id, {
    cases: cases.map(([label, condition]) => ({ label, condition })),
    mode: lit(mode, 'Object'),
  });
export const flowFork = (id, branches) => act('Elsa.FlowFork', id, { branches: obj(branches) });
export const flowJoin = (id, mode, o) => act('Elsa.FlowJoin', id, { mode: lit(mode, 'Object') }, o);

export const event = (id, name, o = {}) => act('Elsa.Event', id, { eventName: asText(name), result: o.result }, o);
export const publishEvent = (id, name, o = {}) =>
  act('Elsa.PublishEvent', id, {
    eventName: asText(name),
    correlationId: o.correlationId === undefined ? undefined : asText(o.correlationId),
    isLocalEvent: o.local === undefined ? undefined : lit(o.local),
    payload: o.payload,
  });
export const runTask = (id, name, o = {}) =>
  act('Elsa.RunTask', id, { taskName: asText(name), payload: o.payload, result: o.result });

const span = (s) => (s !== null && typeof s === 'object' ? s : lit(s, 'TimeSpan'));
export const delay = (id, timeSpan, o) => act('Elsa.Delay', id, { timeSpan: span(timeSpan) }, o);
export const timer = (id, interval, o) => act('Elsa.Timer', id, { interval: span(interval) }, o);
export const cron = (id, expression, o) => act('Elsa.Cron', id, { cronExpression: asText(expression) }, o);
export const startAt = (id, when, o) =>
  act(
    'Elsa.StartAt',
    id,
    {
      dateTime:
        when !== null && typeof when === 'object' && !(when instanceof Date)
          ? when
          : lit(when instanceof Date ? when.toISOString() : when, 'DateTimeOffset'),
    },
    o,
  );

const strs = (v) => (v === undefined ? undefined : obj(v, 'Object'));
export const httpEndpoint = (id, path, o = {}) =>
  act(
    'Elsa.HttpEndpoint',
    id,
    {
      path: asText(path),
      supportedMethods: strs(o.methods ?? ['GET']),
      authorize: o.authorize === undefined ? undefined : lit(o.authorize),
      policy: o.policy === undefined ? undefined : lit(o.policy),
      requestTimeout: o.requestTimeout === undefined ? undefined : span(o.requestTimeout),
      requestSizeLimit: o.requestSizeLimit === undefined ? undefined : lit(o.requestSizeLimit, 'Int64'),
      fileSizeLimit: o.fileSizeLimit === undefined ? undefined : lit(o.fileSizeLimit, 'Int64'),
      allowedFileExtensions: strs(o.allowedFileExtensions),
      blockedFileExtensions: strs(o.blockedFileExtensions),
      allowedMimeTypes: strs(o.allowedMimeTypes),
      exposeRequestTooLargeOutcome: o.exposeRequestTooLarge,
      exposeFileTooLargeOutcome: o.exposeFileTooLarge,
      exposeInvalidFileExtensionOutcome: o.exposeInvalidFileExtension,
      exposeInvalidFileMimeTypeOutcome: o.exposeInvalidFileMimeType,
      ...(o.outputs || {}),
    },
    { start: o.start ?? true, name: o.name },
  );
export const httpResponse = (id, content, o = {}) =>
  act('Elsa.WriteHttpResponse', id, {
    statusCode:
      o.status === undefined
        ? undefined
        : typeof o.status === 'object'
          ? o.status
          : lit(o.status, 'System.Net.HttpStatusCode, System.Net.Primitives'),
    content:
      content === undefined
        ? undefined
        : content !== null && typeof content === 'object' && content.expression
          ? content
          : lit(content, 'Object'),
    contentType: o.contentType === undefined ? undefined : lit(o.contentType, 'String'),
    responseHeaders: o.headers === undefined ? undefined : obj(o.headers),
  });
export const fileResponse = (id, content, o = {}) =>
  act('Elsa.WriteFileHttpResponse', id, {
    content,
    filename: o.filename === undefined ? undefined : asText(o.filename),
    contentType: o.contentType === undefined ? undefined : asText(o.contentType),
    entityTag: o.entityTag === undefined ? undefined : asText(o.entityTag),
    enableResumableDownloads: o.resumable === undefined ? undefined : lit(o.resumable),
  });

const strInput = (v) => (v !== null && typeof v === 'object' ? v : lit(v, 'String'));
/** A dictionary input (JavaScript object literal: the form Elsa's own fixtures use). */
export const dict = (o) => js(`(${JSON.stringify(o)})`, 'ObjectDictionary');
const composition =
  (type) =>
  (id, definitionId, o = {}) =>
    act(type, id, {
      workflowDefinitionId: strInput(definitionId),
      waitForCompletion: o.wait === undefined ? undefined : lit(o.wait),
      correlationId: o.correlationId === undefined ? undefined : asText(o.correlationId),
      input: o.input === undefined ? undefined : o.input.expression ? o.input : dict(o.input),
      result: o.result,
    });
/** ExecuteWorkflow reads waitForCompletion unconditionally, so it is always given. */
export const executeWorkflow = (id, definitionId, o = {}) =>
  composition('Elsa.ExecuteWorkflow')(id, definitionId, { ...o, wait: o.wait ?? false });
export const dispatchWorkflow = composition('Elsa.DispatchWorkflow');
export const bulkDispatch = (id, definitionId, items, o = {}) =>
  act('Elsa.BulkDispatchWorkflows', id, {
    workflowDefinitionId: strInput(definitionId),
    items,
    waitForCompletion: o.wait === undefined ? undefined : lit(o.wait),
    correlationIdFunction: o.correlationIdFunction,
    input: o.input === undefined ? undefined : dict(o.input),
    defaultItemInputKey: o.itemKey === undefined ? undefined : lit(o.itemKey, 'String'),
    childCompleted: o.childCompleted,
    childFaulted: o.childFaulted,
  });
/** Use of a published workflow as an activity. `child` is the deployed child ({definitionId,id,version,name}). */
export const subWorkflow = (id, child, props = {}, o = {}) => {
  const a = act(child.name, id, props, { ...o, version: child.version ?? 1 });
  a.workflowDefinitionId = child.definitionId;
  a.workflowDefinitionVersionId = child.id;
  a.latestAvailablePublishedVersion = child.version ?? 1;
  a.latestAvailablePublishedVersionId = child.id;
  return a;
};

// ---------- flowchart ----------
/** edges: ['A->B', 'D:True->B', …] or [source, target, port?, vertices?] */
export function flow(id, activities, edges = [], o = {}) {
  const connections = edges.map((e) => {
    if (typeof e === 'string') {
      const m = /^([^:>]+?)(?::([^>]+?))?\s*->\s*(.+)$/.exec(e);
      if (!m) throw new Error(`bad edge ${e}`);
      return {
        source: { activity: m[1].trim(), port: (m[2] ?? 'Done').trim() },
        target: { activity: m[3].trim(), port: 'In' },
      };
    }
    return { source: { activity: e[0], port: e[2] ?? 'Done' }, target: { activity: e[1], port: 'In' } };
  });
  const known = new Set(activities.map((a) => a.id));
  for (const c of connections)
    for (const end of [c.source, c.target])
      if (!known.has(end.activity)) throw new Error(`flow ${id}: unknown activity ${end.activity}`);
  return act('Elsa.Flowchart', id, { activities, connections, variables: [], start: o.start });
}
/** A -> B -> C … on the given activities, port Done. */
export const chain = (id, activities, extra = []) =>
  flow(
    id,
    activities,
    activities
      .slice(1)
      .map((a, i) => [activities[i].id, a.id])
      .concat(extra),
  );

// ---------- definitions ----------
export function workflow(definitionId, root, o = {}) {
  return {
    definitionId,
    name: o.name ?? definitionId,
    description: o.description ?? '',
    variables: o.variables ?? [],
    inputs: o.inputs ?? [],
    outputs: o.outputs ?? [],
    outcomes: o.outcomes ?? [],
    customProperties: o.customProperties ?? {},
    isReadonly: false,
    isLatest: true,
    isPublished: false,
    version: 1,
    toolVersion: '3.6.0.0',
    options: o.options ?? { autoUpdateConsumingWorkflows: false },
    root,
    ...(o.id ? { id: o.id } : {}),
  };
}
