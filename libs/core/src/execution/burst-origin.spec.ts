import { BurstOrigin, CONTINUES_BURST, originOf } from './burst-origin.js';
import type { BurstRequest } from './burst-request.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';

const bookmark = { id: 'b', autoBurn: true };
/** Of the activity that waits. */
let waitingExecution: object | undefined;

/** An instance of which so many executions are stored. */
const nameOf = (
  executions: number,
  number: number,
  state: object,
  request: object = {},
  waiting: object = bookmark,
) => {
  const wec = {
    activityExecutionCount: executions,
    bookmarks: new Map([['b', waiting]]),
    contexts: new Map([['a', waitingExecution]]),
    engine: { hash: (text: string) => `HASH OF ${text}`.padEnd(64, '.') },
  } as unknown as WorkflowExecutionContext;
  return originOf(wec, { state, ...request } as unknown as BurstRequest).nameOf(number);
};
const RUNNING = { subStatus: 'Suspended' };

describe('originOf', () => {
  it('counts from the first execution in the first burst, also of an instance that was stored before it ran', () => {
    expect([nameOf(0, 3, { subStatus: 'Pending' }), nameOf(0, 36, { subStatus: 'Pending' })]).toEqual(['3', '10']);
  });

  it('counts from the burst when a bookmark can cause one only, whatever was committed before it', () => {
    const one = nameOf(5, 6, RUNNING, { bookmarkId: 'b' });
    expect(nameOf(25, 26, RUNNING, { bookmarkId: 'b' })).toBe(one);
    expect(one).toMatch(/-1$/);
  });

  it('goes by the message when the bookmark stays, and counts all executions when there is none', () => {
    const stays = { ...bookmark, autoBurn: false };
    const comesAgain = { ...bookmark, isIdChosen: true };
    const request = { bookmarkId: 'b', cause: 'm1' };
    expect(nameOf(5, 6, RUNNING, request, comesAgain)).toBe(nameOf(5, 6, RUNNING, request, stays));
    const byMessage = (executions: number, cause: string) =>
      nameOf(executions, executions + 1, RUNNING, { bookmarkId: 'b', cause }, stays);
    expect(byMessage(5, 'm1')).toBe(byMessage(9, 'm1'));
    expect(byMessage(5, 'm1')).not.toBe(byMessage(5, 'm2'));
    const direct = (executions: number) => nameOf(executions, executions + 1, RUNNING, { bookmarkId: 'b' }, stays);
    expect(direct(5)).not.toBe(direct(9));
  });

  it.each([
    ['3', '4'],
    ['cause-3', 'cause-4'],
  ])(
    'continues with the names of the burst that made the bookmark, after %s, unless more has begun',
    (origin, next) => {
      waitingExecution = { id: 'instance-of-a-test-a', origin };
      const continues = { ...bookmark, activityInstanceId: 'a', metadata: { [CONTINUES_BURST]: 'true' } };
      expect(nameOf(10, 11, RUNNING, { bookmarkId: 'b' }, continues)).toBe(next);
      const afterOthers = nameOf(12, 13, RUNNING, { bookmarkId: 'b' }, continues);
      expect(afterOthers).toBe(nameOf(12, 13, RUNNING, { bookmarkId: 'b' }));
    },
  );

  it('continues with the names of a burst that is stored half-way', () => {
    const burstOrigin = new BurstOrigin('cause', 4).stateAt(10);
    expect(burstOrigin).toEqual({ cause: 'cause', executions: 6 });
    expect(nameOf(10, 11, { subStatus: 'Executing', burstOrigin })).toBe('cause-7');
    // Others have been committed meanwhile.
    expect(nameOf(30, 31, { subStatus: 'Executing', burstOrigin })).toBe('cause-7');
  });

  it('continues with the identities of what a cancellation has left, by its message or without one', () => {
    const state = { subStatus: 'Suspended', burstOrigin: { cause: 'cause', executions: 0 } };
    expect(nameOf(10, 11, state)).toBe('cause-1');
    expect(nameOf(10, 11, state, { cause: 'message' })).toBe('cause-1');
    // What comes in between is not part of it.
    const without = { subStatus: 'Suspended' };
    for (const between of [{ cause: 'm', isChange: true }, { cause: 'm', activityHandle: {} }, { bookmarkId: 'b' }])
      expect(nameOf(10, 11, state, between)).toBe(nameOf(10, 11, without, between));
    expect(nameOf(10, 11, { ...state, burstId: 'b' }, { cause: 'm' })).toBe(nameOf(10, 11, without, { cause: 'm' }));
  });
});
