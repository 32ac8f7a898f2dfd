import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.js';
import {
  type ActivityExecution,
  allExecutionsQuery,
  type JournalEntry,
  journalPageQuery,
} from '../../api/instance-records.js';
import { type Instance, instanceKey, instanceQuery } from '../../api/instances.js';
import { followsState } from '../../api/journal-parts.js';
import { useFollowed, usePolling } from '../../api/live/live.js';
import { useDesign } from '../designer-context.js';
import { outcomesOf, type RunPath, runPath } from './run-path.js';

/** A run that was started from the canvas. */
export interface DraftRun {
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  readonly instanceId: string | undefined;
  readonly setInstanceId: (id: string | undefined) => void;
  readonly instance: Instance | undefined;
  readonly error: Error | null;
  readonly entries: readonly JournalEntry[];
  readonly executions: readonly ActivityExecution[];
  readonly steps: Steps;
}

/** How much of the journal the picture shows. */
export interface Steps {
  readonly shown: number;
  readonly total: number;
  /** Stays there. */
  readonly go: (count: number) => void;
  /** Once more from the beginning. */
  readonly play: () => void;
}

const Context = createContext<DraftRun | undefined>(undefined);
export const DraftRunProvider = Context.Provider;

export function useDraftRun(): DraftRun {
  const run = useContext(Context);
  if (!run) throw new Error('Outside of the designer.');
  return run;
}

const POLL_MS = 1_000;
/** The instance of a start that waits in a line is not there at once. */
const ATTEMPTS = 30;
/** What a picture can show of it: a run for trying out is short. */
export const ENTRIES = 500;
/** From one entry to the next, so that the eye can follow. All of them together take no longer than that. */
const STEP_MS = 140;
const ALL_MS = 2_500;

/** The state of the run; there is one of a canvas. */
export function useDraftRunState(): DraftRun {
  const [isOpen, setOpen] = useState(false);
  const [instanceId, setInstanceId] = useState<string>();
  const polling = usePolling(POLL_MS);
  useFollowed(instanceId === undefined ? [] : [instanceId]);
  const isOn = instanceId !== undefined;
  const { data: instance, error } = useQuery({
    ...instanceQuery(instanceId ?? ''),
    enabled: isOn,
    retry: (count, problem) => count < ATTEMPTS && problem instanceof ApiError && problem.status === 404,
    retryDelay: POLL_MS / 4,
    refetchInterval: ({ state }) => (state.data?.status === 'Finished' || state.error ? false : polling),
  });
  useFollow(instanceId, instance?.updatedAt);
  const hasBegun = instance !== undefined;
  const journal = useQuery({ ...journalPageQuery(instanceId ?? '', 0, ENTRIES), enabled: isOn && hasBegun });
  const records = useQuery({ ...allExecutionsQuery(instanceId ?? ''), enabled: isOn && hasBegun });
  const entries = journal.data?.items ?? NO_ENTRIES;
  const executions = records.data?.items ?? NO_EXECUTIONS;
  const steps = useSteps(instanceId, entries.length);
  return useMemo(
    () => ({ isOpen, setOpen, instanceId, setInstanceId, instance, error, entries, executions, steps }),
    [isOpen, instanceId, instance, error, entries, executions, steps],
  );
}

const NO_ENTRIES: readonly JournalEntry[] = [];
const NO_EXECUTIONS: readonly ActivityExecution[] = [];

/** When the instance has gone on, its journal has too. */
function useFollow(instanceId: string | undefined, updatedAt: string | undefined): void {
  const client = useQueryClient();
  const seen = useRef<string>(undefined);
  useEffect(() => {
    const now = updatedAt === undefined ? undefined : `${instanceId} ${updatedAt}`;
    const last = seen.current;
    seen.current = now;
    if (last === undefined || now === undefined || last === now) return;
    void client.invalidateQueries({
      queryKey: instanceKey(instanceId!),
      predicate: followsState,
    });
  }, [client, instanceId, updatedAt]);
}

/** Goes through the journal entry by entry, so that the eye can follow a workflow that takes milliseconds. */
function useSteps(instanceId: string | undefined, total: number): Steps {
  const [shown, setShown] = useState(0);
  const [isPlaying, setPlaying] = useState(true);
  useEffect(() => {
    setShown(0);
    setPlaying(true);
  }, [instanceId]);
  useEffect(() => {
    if (shown >= total || !isPlaying) return undefined;
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const stride = isStill ? total : Math.max(1, Math.ceil((total - shown) / (ALL_MS / STEP_MS)));
    const timer = setTimeout(() => setShown(Math.min(total, shown + stride)), isStill ? 0 : STEP_MS);
    return () => clearTimeout(timer);
  }, [shown, total, isPlaying]);
  return useMemo(
    () => ({
      shown,
      total,
      go: (count: number) => {
        setPlaying(false);
        setShown(count);
      },
      play: () => {
        setShown(0);
        setPlaying(true);
      },
    }),
    [shown, total],
  );
}

/** What the run did on the level that is seen; `undefined` without a run. */
export function useRunPath(): RunPath | undefined {
  const { isOpen, instanceId, entries, executions, steps } = useDraftRun();
  const level = useDesign((state) => state.level);
  const outcomes = useMemo(() => outcomesOf(executions), [executions]);
  return useMemo(
    () => (isOpen && instanceId !== undefined ? runPath(level, entries.slice(0, steps.shown), outcomes) : undefined),
    [isOpen, instanceId, level, entries, steps.shown, outcomes],
  );
}
