import { EventEmitter2 } from '@nestjs/event-emitter';
import { describe, expect, it, jest } from '@jest/globals';
import { VirtualClock } from '@waymark/testing';
import { SystemClock } from '../clock/system-clock.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { WorkflowEventEmitter } from './workflow-event-emitter.js';
import { WorkflowEvent } from './workflow-events.js';

const EVENT = WorkflowEvent.BookmarksIndexed;

function setUp(...listeners: ((called: string[]) => unknown)[]) {
  const clock = new VirtualClock('2026-03-01T00:00:00Z');
  const events = new WorkflowEventEmitter(new EventEmitter2(), clock);
  const called: string[] = [];
  for (const listener of listeners) events.listen(EVENT, () => listener(called));
  return { events, called, clock };
}

describe('WorkflowEventEmitter', () => {
  it('gives nothing to wait for where no listener does: each burst would wait', () => {
    const { events, called } = setUp(
      (all) => all.push('first'),
      (all) => void all.push('second'),
    );
    expect(events.emit(EVENT, {})).toBeUndefined();
    expect(called).toEqual(['first', 'second']);
  });

  it('waits for each listener before the next one is called', async () => {
    const { events, called } = setUp(
      async (all) => {
        await new Promise(setImmediate);
        all.push('asynchronous');
      },
      (all) => void all.push('next'),
    );
    await events.emit(EVENT, {});
    expect(called).toEqual(['asynchronous', 'next']);
  });

  it('an event reaches the listeners of the moment at which it was emitted', async () => {
    const emitter = new EventEmitter2();
    const events = new WorkflowEventEmitter(emitter, new VirtualClock('2026-03-01T00:00:00Z'));
    const called: string[] = [];
    emitter.once(EVENT, () => called.push('once'));
    const stop = events.listen(EVENT, () => called.push('stopped later'));
    events.listen(EVENT, async () => {
      called.push('slow');
      await new Promise(setImmediate);
      stop();
    });
    events.listen(EVENT, () => called.push('after it'));
    events.listen(EVENT, () => events.listen(EVENT, () => called.push('too late')));
    await events.emit(EVENT, {});
    expect(called).toEqual(['once', 'stopped later', 'slow', 'after it']);
  });

  it('waits half a minute for one that does not complete, says so, and calls the others', async () => {
    const warn = jest.spyOn(WorkflowLogger.prototype, 'warn').mockReturnValue(undefined);
    const { events, called, clock } = setUp(
      () => new Promise(() => {}),
      (all) => void all.push('next'),
    );
    const emitted = events.emit(EVENT, {});
    await clock.advance(29_999);
    expect(called).toEqual([]);
    await clock.advance(1);
    await emitted;
    expect(called).toEqual(['next']);
    expect(warn.mock.calls.map(([message]) => String(message))).toEqual([
      expect.stringMatching(/^WM1055: a listener of waymark\.bookmarks/),
    ]);
    warn.mockRestore();
  });

  it('does not keep the process from ending while it waits for one', () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const events = new WorkflowEventEmitter(new EventEmitter2(), new SystemClock());
    events.listen(EVENT, () => new Promise(() => {}));
    const before = timers();
    void events.emit(EVENT, {});
    expect(timers()).toBe(before);
  });

  it('calls the others when one fails, and logs it', async () => {
    const error = jest.spyOn(WorkflowLogger.prototype, 'error').mockReturnValue(undefined);
    const { events, called } = setUp(
      () => {
        throw new Error('at once');
      },
      () => Promise.reject(new Error('later')),
      (all) => void all.push('last'),
    );
    await events.emit(EVENT, {});
    expect(called).toEqual(['last']);
    expect(error.mock.calls.map(([message]) => /at once|later/.exec(String(message))?.[0])).toEqual([
      'at once',
      'later',
    ]);
    error.mockRestore();
  });
});
