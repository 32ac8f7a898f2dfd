import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { WorkflowModule } from '@waymark/nestjs';
import { IWorkflowDefinitionPublisher, periodicCommits } from '@waymark/runtime';
import { literal, sequence } from '../support/runtime-node.js';

let app: NestFastifyApplication;
beforeAll(async () => {
  app = await NestFactory.create<NestFastifyApplication>(
    WorkflowModule.forRoot({
      writeLine: () => undefined,
      commitStrategies: { workflows: [periodicCommits('Mine', 'Mine', 60_000)] },
      http: { retryStrategies: [{ id: 'patient', maxRetryAttempts: 5 }] },
    }),
    new FastifyAdapter(),
    { logger: false },
  );
  await app.init();
});
afterAll(() => app.close());

/** Paths and messages of warnings about settings, of an activity W with these custom properties. */
async function warned(
  customProperties: object,
  type = 'Elsa.WriteLine',
  members: object = { text: literal('x') },
): Promise<[string, string][]> {
  const root = sequence('Root', { type, id: 'W', ...members, customProperties: customProperties as never });
  const { warnings } = await app.get(IWorkflowDefinitionPublisher).validate({ definitionId: 'settings', root });
  return warnings.map(({ code, path, message }) => {
    expect(code).toBe('WM4096');
    return [path!.replace('root.activities[0].customProperties.', ''), message];
  });
}

describe('what records are to keep', () => {
  const strategy = (name: string) => ({ evaluationMode: 'Strategy', strategyType: name });
  const expression = { evaluationMode: 'Expression', expression: { type: 'JavaScript', value: '"Exclude"' } };
  const config = (members: object) => ({ logPersistenceConfig: members });

  it.each<[string, object, string, string]>([
    ['a mistyped mode', { logPersistenceMode: 'Exlude' }, 'logPersistenceMode', 'Exlude'],
    ['a mistyped mode of all', { logPersistenceMode: { default: 'Exlude' } }, 'logPersistenceMode.default', 'Exlude'],
    [
      'a strategy of another application',
      config({ default: strategy('Acme.MaskStrategy, Acme') }),
      'logPersistenceConfig.default',
      'Acme.MaskStrategy, Acme',
    ],
    [
      'a mistyped mode of an input',
      config({ inputs: { text: strategy('Hide') } }),
      'logPersistenceConfig.inputs.text',
      'Hide',
    ],
    ['a mistyped mode of the internal state', { internalState: strategy('None') }, 'internalState', 'None'],
  ])('is warned of for %s', async (_, custom, path, name) => {
    expect(await warned(custom)).toEqual([
      [
        path,
        `'${path}' of activity 'W' (Elsa.WriteLine) names '${name}', which is not Inherit, Include, Exclude or Configuration, so the values are kept. Use one of them.`,
      ],
    ]);
  });

  it('is warned of for the workflow as well', async () => {
    const customProperties = { logPersistenceMode: 'Exlude' };
    const publisher = app.get(IWorkflowDefinitionPublisher);
    const { warnings } = await publisher.validate({ definitionId: 'x', root: sequence('Root'), customProperties });
    expect(warnings).toMatchObject([{ code: 'WM4096', path: 'customProperties.logPersistenceMode' }]);
  });

  it.each(['Text', 'txet'])('is warned of for an input that is called %s', async (name) => {
    const path = `logPersistenceConfig.inputs.${name}`;
    expect(await warned(config({ inputs: { [name]: strategy('Exclude') } }))).toEqual([
      [
        path,
        `'${path}' of activity 'W' (Elsa.WriteLine) is not read, because there is no '${name}' among the inputs. Did you mean 'text'?`,
      ],
    ]);
  });

  it.each<[string, object]>([
    ['modes in any casing', { logPersistenceMode: { default: 'exclude', inputs: { text: 'Include' } } }],
    [
      'class names of Elsa',
      config({ default: strategy('Elsa.Workflows.LogPersistence.Strategies.Configuration, Elsa') }),
    ],
    ['expressions', config({ default: expression, inputs: { text: expression } })],
    ['nothing', { logPersistenceMode: null, ...config({ default: null, inputs: { text: strategy('') } }) }],
    ['an input that the type no longer has', config({ inputs: { somethingElse: strategy('Exclude') } })],
  ])('is not warned of for %s', async (_, custom) => {
    expect(await warned(custom)).toEqual([]);
  });
});

describe('a custom property', () => {
  const request = { url: literal('http://localhost') };
  const cron = { cronExpression: literal('@daily') };
  const event = { eventName: literal('paid') };
  const TIMED = 'has no effect: it is for a Timer, Cron or StartAt that starts workflows.';

  it.each<[string, string, object, string, unknown, string]>([
    ['in another casing', 'Elsa.Cron', cron, 'misFire', 'all', "is not read. Did you mean 'misfire'?"],
    ['with a capital', 'Elsa.HttpEndpoint', {}, 'RateLimit', {}, "is not read. Did you mean 'rateLimit'?"],
    ['mistyped by a letter', 'Elsa.Cron', cron, 'mistfire', 'all', "is not read. Did you mean 'misfire'?"],
    ['mistyped', 'Elsa.WriteLine', {}, 'timeOut', '5m', "is not read. Did you mean 'timeout'?"],
    [
      'that merges as nothing does',
      'Elsa.WriteLine',
      {},
      'mergeMode',
      'Merg',
      'has a value that is not read. Use Stream, Merge, Converge, Cascade or Race.',
    ],
    [
      'that names a mode of flowcharts that there is not',
      'Elsa.Flowchart',
      {},
      'Flowchart:ExecutionMode',
      'Tokn',
      'has a value that is not read. Use TokenBased, CounterBased or Default.',
    ],
    [
      'that is for flowcharts',
      'Elsa.WriteLine',
      {},
      'Flowchart:ExecutionMode',
      'TokenBased',
      'has no effect: it is for a Flowchart.',
    ],
    [
      'that names a retry strategy that there is not',
      'Elsa.SendHttpRequest',
      request,
      'resilienceStrategy',
      { mode: 'Identifier', strategyId: 'impatient' },
      'has a value that is not read. Use the id of a strategy of the option http.retryStrategies (patient), or { id, maxRetryAttempts, delay, backoffType }; without one, requests are sent once.',
    ],
    [
      'that is for requests',
      'Elsa.WriteLine',
      {},
      'resilienceStrategy',
      { strategyId: 'patient' },
      'has no effect: it is for activities that send requests.',
    ],
    [
      'that is for endpoints',
      'Elsa.SendHttpRequest',
      request,
      'rateLimit',
      { limit: 1, ttl: '1s' },
      'has no effect: it is for an HttpEndpoint.',
    ],
    ['that is for triggers', 'Elsa.Cron', cron, 'misfire', 'all', TIMED],
    ['that is for triggers by time', 'Elsa.Event', event, 'overlap', 'queue', TIMED],
    [
      'that is for tasks',
      'Elsa.WriteLine',
      {},
      'runAsynchronously',
      true,
      'has no effect: it is for activities of the kinds Task and Job.',
    ],
  ])('%s is warned of', async (_, type, members, name, value, message) => {
    expect(await warned({ [name]: value }, type, members)).toEqual([
      [name, `Custom property '${name}' of activity 'W' (${type}) ${message}`],
    ]);
  });

  it('is warned of where it names an unknown commit strategy', async () => {
    const [[path, message]] = (await warned({ commitStrategyName: 'commitAlways' })) as [[string, string]];
    expect(path).toBe('commitStrategyName');
    expect(message).toMatch(/has a value that is not read\. Use .*CommitAlways/);
  });

  it.each<[string, string, object, object]>([
    [
      'of the application',
      'Elsa.WriteLine',
      {},
      { skipThrottle: true, department: 'stock', note: 'x', source: 'a.json' },
    ],
    ['in any casing where it is read so', 'Elsa.WriteLine', {}, { CanStartWorkflow: false, RunAsynchronously: false }],
    ['without a value', 'Elsa.Cron', cron, { misfire: null, jitter: '' }],
    ['that merges', 'Elsa.WriteLine', {}, { mergeMode: 'race' }],
    ['that commits', 'Elsa.WriteLine', {}, { commitStrategyName: 'CommitAlways' }],
    ['of a flowchart', 'Elsa.Flowchart', {}, { 'Flowchart:ExecutionMode': 'TokenBased' }],
    ['that names a retry strategy', 'Elsa.SendHttpRequest', request, { resilienceStrategy: { strategyId: 'patient' } }],
    ['that is a retry strategy', 'Elsa.SendHttpRequest', request, { resilienceStrategy: { id: 'own', delay: '1s' } }],
    [
      'that computes a retry strategy',
      'Elsa.SendHttpRequest',
      request,
      { resilienceStrategy: { mode: 'Expression', expression: { type: 'JavaScript', value: '"x"' } } },
    ],
    [
      'of a trigger by time',
      'Elsa.Cron',
      cron,
      { canStartWorkflow: true, misfire: 'all', overlap: 'skip', jitter: '00:01:00' },
    ],
  ])('%s is not', async (_, type, members, custom) => {
    expect(await warned(custom, type, members)).toEqual([]);
  });
});

describe('the commit strategy of a workflow', () => {
  const warnedOf = async (commitStrategyName: string | undefined) =>
    (
      await app
        .get(IWorkflowDefinitionPublisher)
        .validate({ definitionId: 'committing', root: sequence('Root'), options: { commitStrategyName } })
    ).warnings;
  const UNKNOWN =
    /^The workflow names the commit strategy 'Nothing', which this node does not have: .*\. Use one of WorkflowExecuting, .*Periodic/;

  it.each<[string, string | RegExp]>([
    [
      'ActivityExecutd',
      "The workflow names the commit strategy 'ActivityExecutd', which this node does not have: its bursts are committed as by default. Did you mean 'ActivityExecuted'?",
    ],
    ['Nothing', UNKNOWN],
    // The name of one for activities.
    ['CommitAlways', /which this node does not have/],
  ])('is warned of when it is %s', async (name, message) => {
    expect(await warnedOf(name)).toEqual([
      {
        code: 'WM4096',
        path: 'options.commitStrategyName',
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      },
    ]);
  });

  it.each([undefined, 'ActivityExecuted', 'Mine'])('is not warned of when it is %s', async (name) => {
    expect(await warnedOf(name)).toEqual([]);
  });
});
