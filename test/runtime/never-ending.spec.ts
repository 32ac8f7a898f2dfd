import { afterEach, expect, it, jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext } from '@waymark/core';
import { IWorkflowDispatcher, MemoryPersistence } from '@waymark/runtime';
import { RuntimeMaintenance } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { line, sequence, startNode } from '../support/runtime-node.js';

// A call of another system that never returns. Its burst cannot be stored before its end, so the instance is in no list.

const release: (() => void)[] = [];
let began = (): void => {};

@Injectable()
@Activity({ namespace: 'Test', kind: 'Task' })
class CallsOut extends ActivityBase {
  execute(_ctx: ActivityExecutionContext): Promise<void> {
    return new Promise((resolve) => {
      release.push(resolve);
      began();
    });
  }
}

afterEach(() => {
  jest.restoreAllMocks();
});

it('names executions of activities that do not end, after a minute, after ten, and then ever more seldom', async () => {
  const warnings: string[] = [];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((text: unknown) => void warnings.push(String(text)));
  const clock = new VirtualClock();
  const node = await startNode(new MemoryPersistence(), { clock, deliveryConcurrency: 2, providers: [CallsOut] });
  await node.deploy('quick', line('L', 'done'));
  await node.deploy('endless', sequence('S', { type: 'Test.CallsOut', id: 'Call' }, line('L', 'returned')));
  const look = async (seconds: number): Promise<string[]> => {
    for (let passed = 0; passed < seconds; passed += 15) {
      await clock.advance(15_000);
      await node.get(RuntimeMaintenance).runOnce();
    }
    return warnings.splice(0).filter((text) => text.includes('has been executing'));
  };

  const both = new Promise<void>((resolve) => (began = () => release.length === 2 && resolve()));
  const dispatcher = node.get(IWorkflowDispatcher);
  for (let n = 0; n < 2; n++) await dispatcher.dispatch({ definition: 'endless' });
  await both;
  await dispatcher.dispatch({ definition: 'quick' });
  expect(await look(60)).toEqual([]);
  const logged = await look(15);
  expect(logged).toHaveLength(2);
  expect(logged[0]).toMatch(
    /^Activity 'Call' \(Test.CallsOut\) of instance '\w+' of 'endless' has been executing for 60 s .* serves 2 messages/,
  );
  expect(await look(500)).toEqual([]);
  expect(await look(60)).toHaveLength(2);
  expect(await look(3000)).toEqual([]);
  expect(node.lines).toEqual([]);

  for (const end of release.splice(0)) end();
  await node.settled();
  expect(node.lines.toSorted()).toEqual(['done', 'returned', 'returned']);
  expect(await look(6000)).toEqual([]);
  await node.close();
});
