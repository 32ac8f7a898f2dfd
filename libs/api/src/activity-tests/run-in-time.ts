import type { ServerResponse } from 'node:http';
import { WaymarkError, type WorkflowExecutionContext } from '@waymark/core';
import type { BurstRequest } from '@waymark/core/adapter';
import type { WorkflowClock } from '@waymark/runtime';
import { whenClosed } from '@waymark/runtime/adapter';

const LONGEST_MS = 30_000;

/** An activity that was tried out did not come to an end. */
export class ActivityTestTimeoutError extends WaymarkError {
  readonly code = 'WM5090';
  constructor(limitMs: number) {
    super(
      `The activity did not finish within ${limitMs / 1000} s and was stopped. Give it less to do, or run the workflow instead: ` +
        'long work belongs in an instance.',
    );
  }
}

/** What is given to the burst. */
export type TestLimits = Pick<BurstRequest, 'onBegin' | 'onCheckpoint' | 'signal'>;

/**
 * Runs an activity by itself, for a client that waits. It is part of no instance that could be cancelled, and nothing of it is
 * stored: a loop without an end would continue until the process ends, and its journal would fill the memory.
 * @throws ActivityTestTimeoutError
 */
export async function runInTime(
  run: (limits: TestLimits) => Promise<WorkflowExecutionContext>,
  clock: WorkflowClock,
  response: ServerResponse,
): Promise<WorkflowExecutionContext> {
  let burst: WorkflowExecutionContext | undefined;
  const limit = new AbortController();
  const giveUp = (): void => {
    limit.abort();
    void burst?.cancel({ isAbandoned: true });
  };
  const running = run({
    signal: limit.signal,
    onBegin: (begun) => (burst = begun),
    // The record of the activity itself comes at its end.
    onCheckpoint: async ({ journal }) => void journal?.take(),
  });
  let cancelTimer!: () => void;
  const late = new Promise<never>((_resolve, reject) => {
    cancelTimer = clock.setTimer(() => {
      reject(new ActivityTestTimeoutError(LONGEST_MS));
      giveUp();
    }, LONGEST_MS);
  });
  const keepOn = whenClosed(response, giveUp);
  try {
    return await Promise.race([running, late]);
  } finally {
    cancelTimer();
    keepOn();
  }
}
