import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { Activity, ActivityBase, Output } from '@waymark/core';
import { IEventPublisher, IWorkflowRuntime, WorkflowEvent, WorkflowPersistence } from '@waymark/runtime';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

// A burst that fails for what its activity threw or gave is repeated, with all that it did outside, and leaves no incident behind.

const fails = (): never => {
  throw new Error('trap');
};

/** What has a member that fails when it is read. */
const withFailing = (name: string): Error => Object.defineProperty(new Error('x'), name, { get: fails });

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

const thrown: Record<string, () => unknown> = {
  'whose message fails': () => withFailing('message'),
  'whose message has no text': () => Object.assign(new Error(), { message: Object.create(null) as unknown }),
  'whose stack fails': () => withFailing('stack'),
  'whose code fails': () => withFailing('code'),
  'whose cause fails': () => withFailing('cause'),
  'with a cause whose message fails': () => new Error('outer', { cause: withFailing('message') }),
  'that is an object without a prototype': () => Object.create(null),
  'that is a proxy which fails': () => new Proxy({}, { get: fails, has: fails }),
  'that is a revoked proxy': revoked,
};

const given: Record<string, () => unknown> = {
  'with a getter that fails': () => Object.defineProperty({}, 'a', { get: fails, enumerable: true }),
  'with a list of such': () => [1, Object.defineProperty({}, 'a', { get: fails, enumerable: true })],
  'that is a proxy which fails': () => new Proxy({}, { ownKeys: fails }),
  'that is a revoked proxy': revoked,
};

let act: (self: Odd) => void;

@Activity({ type: 'Test.Odd' })
class Odd extends ActivityBase {
  static runs = 0;
  @Output() result: unknown;

  execute(): void {
    Odd.runs++;
    act(this);
  }
}

const odd = { type: 'Test.Odd', id: 'O', result: { typeName: 'Object', memoryReference: { id: 'v' } } };
const MORE = { variables: [{ id: 'v', name: 'V', typeName: 'Object' }] };

const backends = await testBackends('memory', 'sqlite');

describeOn(backends, 'what cannot be read: $name', (backend) => {
  let node: RuntimeNode;
  beforeEach(async () => {
    Odd.runs = 0;
    node = await startNode(await backend.create(), { providers: [Odd] });
  });
  afterEach(() => node.close());

  /** Both in the burst of the start and in one that a message began, which would be delivered again. */
  async function expectFault(message: RegExp): Promise<void> {
    await node.deploy('now', sequence('S', odd, waitFor('E', 'go')), MORE);
    const first = await node.get(IWorkflowRuntime).createClient();
    const { subStatus, incidents } = await first.createAndRunInstance({ definition: 'now' });
    expect([subStatus, incidents.map((incident) => incident.message)]).toEqual([
      'Faulted',
      [expect.stringMatching(message)],
    ]);

    await node.deploy('later', sequence('S', waitFor('E', 'go'), odd, waitFor('F', 'on')), MORE);
    const second = await node.get(IWorkflowRuntime).createClient();
    await second.createAndRunInstance({ definition: 'later' });
    await node.get(IEventPublisher).dispatch('go');
    await node.settled();
    expect((await second.exportState()).subStatus).toBe('Faulted');
    expect((await node.get(WorkflowPersistence).outbox.count()).waiting).toBe(0);
    expect(Odd.runs).toBe(2);
  }

  describe('faults the instance whose activity throws an error', () => {
    it.each(Object.keys(thrown))('%s', async (name) => {
      act = () => {
        throw thrown[name]!();
      };
      await expectFault(/cannot be read/);
    });
  });

  describe('faults the instance whose activity gives a value', () => {
    it.each(Object.keys(given))('%s', async (name) => {
      act = (self) => (self.result = given[name]!());
      await expectFault(/cannot be stored: it cannot be read \(.+\)/);
    });
  });

  it('a listener that throws such an error keeps no other one from its event', async () => {
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    act = (self) => (self.result = 1);
    const heard: string[] = [];
    const emitter = node.get(EventEmitter2);
    emitter.on(WorkflowEvent.WorkflowExecuted, () => {
      throw withFailing('stack');
    });
    emitter.on(WorkflowEvent.WorkflowExecuted, () => void heard.push('second'));
    await node.deploy('heard', odd, MORE);
    const client = await node.get(IWorkflowRuntime).createClient();
    expect((await client.createAndRunInstance({ definition: 'heard' })).subStatus).toBe('Finished');
    expect(heard).toEqual(['second']);
    expect(errors).toHaveBeenCalledWith(expect.stringMatching(/A listener of .* failed: .*cannot be read: trap/s));
    errors.mockRestore();
  });

  it('a rejected promise that is given as a value does not end the process', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      act = (self) => {
        self.result = Promise.reject(new Error('too late'));
      };
      await expectFault(/a promise that was not awaited/);
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });
});
