import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityJson, Input } from '@waymark/core';
import {
  EnvironmentSecrets,
  IBookmarkResumer,
  IEventPublisher,
  IWorkflowRuntime,
  MemoryPersistence,
  WorkflowPersistence,
} from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { literal, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

@Injectable()
@Activity({ type: 'Test.Burn' })
class Burn extends ActivityBase {
  @Input() word?: string;
  @Input({ type: 'Int32' }) pieces?: number;

  execute(): never {
    throw new RangeError(`no fire with ${this.word}`, { cause: new TypeError(`wet ${this.word}`) });
  }
}

const fault = (id: string, message: string) => ({
  type: 'Elsa.Fault',
  id,
  code: literal('E1'),
  category: literal('Test'),
  faultType: literal('Business'),
  message: literal(message),
});
const burn = (more: object = {}): ActivityJson => ({
  type: 'Test.Burn',
  id: 'B',
  name: 'Light it',
  word: literal('wood'),
  ...more,
});
const secretWord = { typeName: 'String', expression: { type: 'Secret', value: 'fuel' } };
const retried = { customProperties: { retryPolicy: { maxAttempts: 3, delay: '00:00:05' } } };

describe('the log of faults', () => {
  let error: jest.SpiedFunction<Logger['error']>;
  let warn: jest.SpiedFunction<Logger['warn']>;
  let clock: VirtualClock;
  let node: RuntimeNode;

  beforeEach(async () => {
    error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    clock = new VirtualClock();
    const secrets = [new EnvironmentSecrets(undefined, { WAYMARK_SECRET_FUEL: 'dry-peat-81' })];
    node = await startNode(new MemoryPersistence(), { clock, secrets, providers: [Burn] });
  });
  afterEach(async () => {
    await node.close();
    jest.restoreAllMocks();
  });

  const faults = () => error.mock.calls.filter(([text]) => String(text).includes('faulted'));
  const retries = () => warn.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('Attempt'));
  async function run(definition: string): Promise<string> {
    const client = await node.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition });
    return client.workflowInstanceId;
  }

  it('has an error with its stack, the place in the workflow and the cause', async () => {
    await node.deploy('burns', sequence('S', burn()));
    const id = await run('burns');
    expect(faults()).toEqual([
      [
        `Activity "Workflow1:S:B" ("Light it", Test.Burn) of workflow "burns" (version 1), instance "${id}", faulted: ` +
          'no fire with wood Caused by TypeError: wet wood',
        expect.stringMatching(/^RangeError: no fire with wood\n\s+at .*Burn\.execute/),
      ],
    ]);
    expect(retries()).toEqual([]);
  });

  it('names each incident once, when it is stored', async () => {
    const options = { incidentStrategyType: 'ContinueWithIncidentsStrategy' };
    const branches = [fault('F', 'out of coal'), sequence('S', waitFor('E', 'go'))];
    await node.deploy('breaks', { type: 'Elsa.Parallel', id: 'P', activities: branches }, { options });
    await run('breaks');
    const first = faults().map(([text]) => String(text));
    await node.get(IEventPublisher).publish('go');
    await node.settled();
    expect(first).toEqual([expect.stringContaining('faulted: E1: out of coal')]);
    expect(faults()).toHaveLength(1);
  });

  it.each([
    ['faults', {}, () => faults().map(([text]) => String(text)), /faulted: WM2001: Failed to evaluate/],
    [
      'is repeated',
      retried,
      retries,
      /\. InputEvaluationError: WM2001: Failed .* Caused by WorkflowExecutionError: WM2039: its value/,
    ],
  ])('has the codes of the error and its cause where an activity %s', async (_what, more, lines, expected) => {
    await node.deploy('counts', burn({ ...more, pieces: { ...secretWord, typeName: 'Int32' } }), {
      options: { strictConversions: true },
    });
    await run('counts');
    expect(lines()[0]).toMatch(expected);
  });

  it('has a warning for an attempt that is repeated, with its number, the cause and the time of the next', async () => {
    await node.deploy('tries', sequence('S', burn(retried)));
    const id = await run('tries');
    const at = (ms: number) => new Date(clock.now() + ms).toISOString();
    const place = `"Workflow1:S:B" ("Light it", Test.Burn) of workflow "tries" (version 1), instance "${id}",`;
    const line = (attempt: number, next: string) =>
      `Attempt ${attempt} of 3 of activity ${place} failed; the next one is at ${next}. RangeError: no fire with wood Caused by TypeError: wet wood`;
    expect(retries()).toEqual([line(1, at(5000))]);
    for (const attempt of [2, 3]) {
      expect(faults()).toEqual([]);
      const [bookmark] = (await node.get(WorkflowPersistence).instances.load(id))!.state.bookmarks;
      await node.get(IBookmarkResumer).resumeById(bookmark!.id);
      expect(retries()).toHaveLength(Math.min(attempt, 2));
    }
    expect(retries()[1]).toBe(line(2, at(10_000)));
    expect(faults()).toHaveLength(1);
  });

  it.each(['faults', 'is repeated'])('shows no secret when the activity that had it %s', async (what) => {
    await node.deploy('secret', burn({ word: secretWord, ...(what === 'faults' ? {} : retried) }));
    await run('secret');
    const lines = JSON.stringify([...error.mock.calls, ...warn.mock.calls]);
    expect(lines).toContain('no fire with (redacted)');
    expect(lines).not.toContain('dry-peat');
  });

  it.each([
    ['faults', {}, () => faults().map(([text]) => String(text))],
    ['failed attempts', retried, retries],
  ])('has ten lines a minute for the %s of one activity, and says how many it left out', async (kind, more, lines) => {
    await node.deploy('often', burn(more));
    await node.deploy('once', burn(more));
    for (let n = 0; n < 14; n++) await run('often');
    expect(lines()).toHaveLength(10);
    const until = new Date(clock.now() + 60_000).toISOString();
    expect(lines()[9]).toContain(`(Further ${kind} of this activity are not logged until ${until}.)`);
    await run('once');
    expect(lines()).toHaveLength(11);
    await clock.advance(60_000);
    await run('often');
    expect(lines()).toHaveLength(12);
    expect(lines()[11]).toContain(`(4 ${kind} of this activity were not logged before.)`);
    await run('often');
    expect(lines()[12]).not.toContain('were not logged');
  });

  it('has the first fault of each workflow, however often others have failed with the same words', async () => {
    const many = Array.from({ length: 15 }, (_, n) => `flood-${n}`);
    for (const id of many) await node.deploy(id, burn());
    for (const id of many) for (let n = 0; n < 10; n++) await run(id);
    await node.deploy('flood-15', burn());
    await run('flood-15');
    expect(faults().map(([text]) => String(text))).toContainEqual(
      expect.stringContaining('of workflow "flood-15" (version 1)'),
    );
  });
});
