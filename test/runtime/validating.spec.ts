import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { WorkflowModule } from '@waymark/nestjs';
import { IWorkflowDefinitionPublisher } from '@waymark/runtime';
import { TurnClock } from '../hostile/bodies/turn-clock.js';
import { literal, sequence } from '../support/runtime-node.js';

let app: NestFastifyApplication;
beforeAll(async () => {
  app = await NestFactory.create<NestFastifyApplication>(
    WorkflowModule.forRoot({ writeLine: () => undefined }),
    new FastifyAdapter(),
    { logger: false },
  );
  await app.init();
});
afterAll(() => app.close());

it('a validated draft learns which definition has its endpoint already', async () => {
  const publisher = app.get(IWorkflowDefinitionPublisher);
  const endpoint = {
    type: 'Elsa.HttpEndpoint',
    id: 'In',
    path: literal('orders'),
    customProperties: { canStartWorkflow: true },
  };
  const root = sequence('Root', endpoint);
  const fine = { problems: [], warnings: [] };
  expect(await publisher.validate({ definitionId: 'one', root })).toEqual(fine);
  expect((await publisher.saveAndPublish({ definitionId: 'one', root })).problems).toEqual([]);
  expect(await publisher.validate({ definitionId: 'one', root })).toEqual(fine);
  const { problems } = await publisher.validate({ definitionId: 'two', root });
  expect(problems).toEqual([
    {
      message: expect.stringMatching(/already in use by another workflow! It is "one"/),
      activityId: 'In',
      path: 'root.activities[0]',
    },
  ]);
});

it('warns of an event without a name, which never starts a workflow', async () => {
  const event = (id: string, members: object = {}) => ({
    type: 'Elsa.Event',
    id,
    customProperties: { canStartWorkflow: true },
    ...members,
  });
  const root = sequence(
    'Root',
    event('None'),
    event('Blank', { eventName: literal(' ') }),
    event('Named', { eventName: literal('paid') }),
  );
  const { problems, warnings } = await app.get(IWorkflowDefinitionPublisher).validate({ definitionId: 'deaf', root });
  expect([problems, warnings.map(({ activityId, message }) => [activityId, message])]).toEqual([
    [],
    ['None', 'Blank'].map((id) => [id, expect.stringMatching(`^Event '${id}' never starts a workflow`)]),
  ]);
});

it('names every trigger that is refused, whatever refuses it', async () => {
  const publisher = app.get(IWorkflowDefinitionPublisher);
  const customProperties = { canStartWorkflow: true };
  const script = (value: string) => ({ typeName: 'String', expression: { type: 'JavaScript', value } });
  const cron = (id: string, cronExpression: object) => ({ type: 'Elsa.Cron', id, cronExpression, customProperties });
  const root = sequence(
    'Root',
    cron('A', script('nothing.of.that')),
    cron('B', script('none.of.this')),
    cron('C', literal('no cron')),
    cron('D', literal('0 8 * * *')),
  );
  const { problems } = await publisher.validate({ definitionId: 'refused', root });
  expect(problems.map(({ activityId, code }) => [activityId, code])).toEqual([
    ['A', 'WM2001'],
    ['B', 'WM2001'],
    ['C', 'WM6001'],
  ]);
  const published = await publisher.saveAndPublish({ definitionId: 'refused', root });
  expect(published).toMatchObject({ succeeded: false, problems: problems.map(({ message }) => ({ message })) });
});

it('looks at no more triggers after the twentieth that is refused', async () => {
  const publisher = app.get(IWorkflowDefinitionPublisher);
  const cronExpression = { typeName: 'String', expression: { type: 'JavaScript', value: 'nothing.of.that' } };
  const customProperties = { canStartWorkflow: true };
  const crons = Array.from({ length: 25 }, (_, n) => ({
    type: 'Elsa.Cron',
    id: `C${n}`,
    cronExpression,
    customProperties,
  }));
  const { problems } = await publisher.validate({ definitionId: 'refused', root: sequence('Root', ...crons) });
  expect(problems.slice(0, 20).every(({ code }) => code === 'WM2001')).toBe(true);
  expect(problems.slice(20)).toEqual([{ message: expect.stringContaining('later triggers were not checked') }]);
});

it('names scripts and templates that cannot be parsed, and publishes them all the same', async () => {
  const publisher = app.get(IWorkflowDefinitionPublisher);
  const expression = (type: string, value: string) => ({ typeName: 'String', expression: { type, value } });
  const write = (id: string, type: string, value: string) => ({
    type: 'Elsa.WriteLine',
    id,
    text: expression(type, value),
  });
  const root = sequence(
    'Root',
    write('J', 'JavaScript', 'const a = ;'),
    write('Q', 'Liquid', '{% if x %}no end'),
    { type: 'Elsa.RunJavaScript', id: 'R', script: expression('Literal', 'return ((1)') },
    write('F', 'JavaScript', 'const a = await getName();\nreturn `${a}`'),
    write('G', 'Liquid', '{{ Variables.A | upcase }}'),
  );
  const at = (activityId: string, path: string, message: string) => ({
    code: 'WM4004',
    activityId,
    path,
    message: expect.stringContaining(message),
  });
  const warnings = [
    at('J', 'root.activities[0].text', "The JavaScript expression is not valid: Unexpected ';' (line 1, column 11)"),
    at('Q', 'root.activities[1].text', 'not closed (line 1, column 1)'),
    at('R', 'root.activities[2].script', 'Unexpected end of the text (line 1, column 12)'),
  ];
  expect(await publisher.validate({ definitionId: 'scripts', root })).toEqual({ problems: [], warnings });
  expect(await publisher.saveAndPublish({ definitionId: 'scripts', root })).toMatchObject({
    succeeded: true,
    warnings,
  });
});

it.each([
  ['a list that does not have it', { expression: { type: 'Object', value: '["Approve"]' } }, 'Approve'],
  ['no list', undefined, 'Done'],
])('warns of a connection that leaves a task by an outcome with %s', async (_what, possibleOutcomes, outcomes) => {
  const task = { type: 'Waymark.UserTask', id: 'Ask', taskName: literal('ask'), possibleOutcomes };
  const root = {
    type: 'Elsa.Flowchart',
    id: 'F',
    activities: [task, { type: 'Elsa.WriteLine', id: 'W', text: literal('x') }],
    connections: [
      { source: { activity: 'Ask', port: 'Aproved' }, target: { activity: 'W', port: 'In' } },
      { source: { activity: 'Ask', port: outcomes }, target: { activity: 'W', port: 'In' } },
    ],
  };
  const { warnings } = await app.get(IWorkflowDefinitionPublisher).validate({ definitionId: 'asks', root });
  const message = expect.stringMatching(new RegExp(`'Aproved', which .* Its outcomes: ${outcomes}\\.$`));
  expect(warnings).toEqual([{ code: 'WM1046', activityId: 'Ask', path: 'root.connections[0]', message }]);
});

it('does not judge outcomes of a task that an expression states', async () => {
  const possibleOutcomes = { expression: { type: 'JavaScript', value: '["Approve"]' } };
  const root = {
    type: 'Elsa.Flowchart',
    id: 'F',
    activities: [
      { type: 'Waymark.UserTask', id: 'Ask', taskName: literal('ask'), possibleOutcomes },
      { type: 'Elsa.WriteLine', id: 'W', text: literal('x') },
    ],
    connections: [{ source: { activity: 'Ask', port: 'Aproved' }, target: { activity: 'W', port: 'In' } }],
  };
  const { warnings } = await app.get(IWorkflowDefinitionPublisher).validate({ definitionId: 'asks', root });
  expect(warnings).toEqual([]);
});

describe('a definition that is made to hold the process up', () => {
  const script = (id: string, value: string) => ({
    type: 'Elsa.WriteLine',
    id,
    text: { typeName: 'String', expression: { type: 'JavaScript', value } },
  });
  /** The longest turn of the event loop meanwhile, in milliseconds of the processor. */
  const longestTurn = async (work: () => Promise<unknown>): Promise<number> => {
    const clock = new TurnClock();
    clock.start();
    await work();
    return clock.stop().longestMs;
  };

  it('has its scripts checked in turns, and only the first ones', async () => {
    const publisher = app.get(IWorkflowDefinitionPublisher);
    // The parser compares each name with all before it.
    const names = `let ${Array.from({ length: 800 }, (_, n) => `n${n}`).join(',')}`;
    const root = sequence('Root', ...Array.from({ length: 1900 }, (_, n) => script(`S${n}`, names)));
    let warnings: readonly { readonly message: string }[] = [];
    const stall = await longestTurn(async () => ({ warnings } = await publisher.validate({ definitionId: 'x', root })));
    expect(stall).toBeLessThan(1500);
    expect(warnings).toEqual([{ message: expect.stringContaining('the rest was not checked') }]);
  });

  it.each([
    ['of a million letters', 1, 'n'.repeat(1_000_000)],
    ['of many', 60_000, 'pathOfIt'],
  ])('has names of inputs compared with known ones in a bounded time: %s', async (_, count, name) => {
    const publisher = app.get(IWorkflowDefinitionPublisher);
    const inputs = Array.from({ length: count }, (_each, n) => [`${name}${n}`, literal('x')] as const);
    const root = { type: 'Elsa.HttpEndpoint', id: 'In', path: literal('x'), ...Object.fromEntries(inputs) };
    let warnings: readonly { readonly code?: string }[] = [];
    const stall = await longestTurn(async () => ({ warnings } = await publisher.validate({ definitionId: 'x', root })));
    expect(stall).toBeLessThan(1500);
    expect(warnings[0]).toMatchObject({ code: 'WM1051' });
    expect(warnings).toHaveLength(Math.min(count, 501));
  });

  it('has a bounded number of problems and warnings, whatever the length of its ids', async () => {
    const publisher = app.get(IWorkflowDefinitionPublisher);
    const id = 'F'.repeat(200_000);
    const lost = Array.from({ length: 20_000 }, () => ({ source: { activity: 'A' }, target: { activity: 'none' } }));
    const root = { type: 'Elsa.Flowchart', id, activities: [], connections: lost };
    const { warnings } = await publisher.validate({ definitionId: 'x', root });
    expect(warnings.at(-1)).toEqual({ message: expect.stringMatching(/^There are \d+ more/) });
    expect(JSON.stringify(warnings).length).toBeLessThan(2_500_000);
  });

  it('has its names of inputs compared in one pass', async () => {
    const publisher = app.get(IWorkflowDefinitionPublisher);
    const inputs = Array.from({ length: 60_000 }, (_, n) => ({ name: `input ${n}`, type: 'String' }));
    const validate = () => publisher.validate({ definitionId: 'x', root: sequence('Root'), inputs: inputs as never });
    expect(await longestTurn(validate)).toBeLessThan(500);
  });
});

it('warns of inputs and outputs whose names differ in case only', async () => {
  const named = (...names: string[]) => names.map((name) => ({ name, type: 'String', isArray: false }));
  const draft = {
    definitionId: 'alike',
    root: sequence('Root'),
    inputs: named('Id', 'Name', 'ID'),
    outputs: named('a', 'A'),
  };
  const warning = (what: string, first: string, name: string, path: string) => ({
    message: `The ${what} '${first}' and '${name}' differ in case only: where the workflow is used as an activity, they are one. Rename one of them.`,
    path,
  });
  expect(await app.get(IWorkflowDefinitionPublisher).validate(draft)).toEqual({
    problems: [],
    warnings: [warning('inputs', 'Id', 'ID', 'inputs[2]'), warning('outputs', 'a', 'A', 'outputs[1]')],
  });
});

it('warns of storage drivers that do not exist, and publishes all the same', async () => {
  const publisher = app.get(IWorkflowDefinitionPublisher);
  const variable = (id: string, storageDriverTypeName: string | null) => ({
    id,
    name: id,
    typeName: 'String',
    storageDriverTypeName,
  });
  const root = {
    ...sequence('Root', { type: 'Elsa.WriteLine', id: 'W', text: literal('x') }),
    variables: [variable('inner', 'Nonsense'), variable('kept', 'WorkflowInstanceStorageDriver')],
  };
  const draft = {
    definitionId: 'drivers',
    root,
    variables: [
      variable('lost', 'Acme.RedisStorageDriver, Acme'),
      variable('old', 'Elsa.Workflows.Services.WorkflowStorageDriver, Elsa.Workflows.Core'),
      variable('none', null),
      variable('brief', 'MemoryStorageDriver'),
    ].map((each) => ({ ...each, isArray: false })),
    inputs: [{ name: 'Customer', type: 'String', isArray: false, storageDriverType: 'Nonsense' }],
  };
  const warning = (place: object, message: string) => ({
    code: 'WM1053',
    message: expect.stringContaining(`${message}, which does not exist, so its value is lost when the instance waits`),
    ...place,
  });
  const warnings = [
    warning({ path: 'variables[0]' }, "Variable 'lost' has the storage driver 'Acme.RedisStorageDriver, Acme'"),
    warning({ path: 'inputs[0]' }, "Input 'Customer' has the storage driver 'Nonsense'"),
    warning(
      { activityId: 'Root', path: 'root.variables[0]' },
      "Variable 'inner' of activity 'Root' (Elsa.Sequence) has the storage driver 'Nonsense'",
    ),
  ];
  expect(await publisher.validate(draft)).toEqual({ problems: [], warnings });
  expect(await publisher.saveAndPublish(draft)).toMatchObject({ succeeded: true, warnings });
});

it('warns of inputs that an activity type does not have, and publishes all the same', async () => {
  const publisher = app.get(IWorkflowDefinitionPublisher);
  const root = sequence(
    'Root',
    { type: 'Elsa.WriteLine', id: 'W', txet: literal('x'), note: 'read by nothing', Text: literal('y') },
    { type: 'Elsa.Break', id: 'B', reason: literal('enough') },
    { type: 'Acme.Unknown', id: 'U', anything: literal('x') },
    { type: 'Elsa.HttpEndpoint', id: 'H', PATH: literal('a'), quality: literal('z') },
  );
  const warning = (activityId: string, path: string, message: unknown) => ({
    code: 'WM1051',
    message,
    activityId,
    path,
  });
  const { warnings } = await publisher.validate({ definitionId: 'members', root });
  expect(warnings.filter(({ code }) => code === 'WM1051')).toEqual([
    warning(
      'W',
      'root.activities[0].txet',
      "Activity 'W' (Elsa.WriteLine) has no input 'txet', so its expression is never evaluated. Did you mean 'text'?",
    ),
    warning(
      'B',
      'root.activities[1].reason',
      expect.stringContaining("no input 'reason', so its expression is never evaluated. It has no inputs."),
    ),
    warning('H', 'root.activities[3].quality', expect.stringMatching(/ Its inputs: path, supportedMethods, /)),
  ]);
});

it('warns of members of a retry policy that none has, and publishes all the same', async () => {
  const publisher = app.get(IWorkflowDefinitionPublisher);
  const retryPolicy = { maxAttempts: 3, delayMs: 100, jitter: true, backoff: 'Constant' };
  const root = sequence('Root', { type: 'Elsa.WriteLine', id: 'W', customProperties: { retryPolicy } });
  const { problems, warnings } = await publisher.validate({ definitionId: 'policies', root });
  const at = 'root.activities[0].customProperties.retryPolicy';
  const what = "Retry policy of activity 'W' (Elsa.WriteLine) has";
  const warning = { code: 'WM1051', activityId: 'W' };
  expect(problems).toEqual([]);
  expect(warnings.filter(({ code }) => code === 'WM1051')).toEqual([
    { ...warning, path: `${at}.delayMs`, message: `${what} 'delayMs', which is not read. Did you mean 'delay'?` },
    {
      ...warning,
      path: `${at}.jitter`,
      message: `${what} 'jitter', which is not read. It may have maxAttempts, delay, backoff, maxDelay, errors.`,
    },
  ]);
});
