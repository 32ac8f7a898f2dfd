import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, Pause, Play, PowerOff } from 'lucide-react';
import { useState } from 'react';
import { useOperationsPolling } from '../api/live/live.js';
import {
  drainRuntime,
  pauseRuntime,
  resumeRuntime,
  runtimeKey,
  type RuntimeStatus,
  runtimeStatusQuery,
} from '../api/runtime.js';
import { Confirm } from '../parts/confirm.js';
import { failureOf } from '../api/failure-of.js';
import { ErrorPanel, Loading } from '../parts/states.js';
import { Time } from '../parts/time.js';
import { notify } from '../parts/toasts.js';
import { settingsTexts as texts } from '../texts/operations.js';
import css from './settings.module.css';
import { useMay } from '../api/permissions.js';

/** Until the server can tell: how often it is asked for while the page is looked at. */
const POLL_MS = 5_000;

/** Whether this server takes work, and the switch for it. */
export function RuntimeSection() {
  const status = useQuery({ ...runtimeStatusQuery(), refetchInterval: useOperationsPolling(POLL_MS) });
  return (
    <section className={css.section}>
      <h2 className={css.heading}>{texts.runtime}</h2>
      {failureOf(status) ? (
        <ErrorPanel error={status.error} onRetry={() => void status.refetch()} />
      ) : status.data ? (
        <Runtime status={status.data} />
      ) : (
        <Loading />
      )}
    </section>
  );
}

function Runtime({ status: { state, sources, activeExecutionCycleCount } }: { readonly status: RuntimeStatus }) {
  const mayManage = useMay('ManageWorkflowRuntime');
  const [isAsking, setAsking] = useState(false);
  const [isDraining, setDraining] = useState(false);
  const isPaused = state.reason === 'AdministrativePause';
  const Icon = state.isAcceptingNewWork ? CircleCheck : Pause;
  return (
    <>
      <div className={css.line}>
        <span className={css.badge} data-tone={state.isAcceptingNewWork ? 'finished' : 'waiting'}>
          <Icon size={14} aria-hidden />
          {texts.states[state.reason]}
        </span>
        <span>{texts.working(activeExecutionCycleCount)}</span>
        {mayManage && state.reason !== 'Drain' && (
          <Button
            size="xs"
            variant={isPaused ? 'filled' : 'default'}
            leftSection={isPaused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
            onClick={() => setAsking(true)}
          >
            {isPaused ? texts.resume : texts.pause}
          </Button>
        )}
        {mayManage && state.reason !== 'Drain' && (
          <Button
            size="xs"
            variant="default"
            leftSection={<PowerOff size={14} aria-hidden />}
            onClick={() => setDraining(true)}
          >
            {texts.drain}
          </Button>
        )}
      </div>
      {isPaused && state.pausedAt !== undefined && (
        <p className={css.soft}>
          {texts.pausedSince} <Time value={state.pausedAt} />
          {state.pauseRequestedBy !== undefined && ` ${texts.pausedBy(state.pauseRequestedBy)}`}
          {state.pauseReasonText !== undefined && `: ${state.pauseReasonText}`}
        </p>
      )}
      <dl className={css.facts} aria-label={texts.waysIn}>
        {sources.map((source) => (
          <div key={source.name}>
            <dt>{texts.sources[source.name] ?? source.name}</dt>
            <dd>{texts.sourceStates[source.state] ?? source.state}</dd>
          </div>
        ))}
        <div>
          <dt>{texts.generation}</dt>
          <dd>
            <code>{state.generationId}</code>
          </dd>
        </div>
      </dl>
      {isAsking && <Switch isPaused={isPaused} onClose={() => setAsking(false)} />}
      {isDraining && <Drain onClose={() => setDraining(false)} />}
    </>
  );
}

function Drain({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const run = async () => {
    const { outcome, activeExecutionCycleCount } = await drainRuntime();
    notify(
      outcome?.overallResult === 'DeadlineExceeded' ? texts.stillDraining(activeExecutionCycleCount) : texts.drained,
    );
    await client.invalidateQueries({ queryKey: runtimeKey });
  };
  return (
    <Confirm title={texts.drainTitle} action={texts.drain} isDangerous onConfirm={run} onClose={onClose}>
      <p>{texts.drainLead}</p>
    </Confirm>
  );
}

function Switch({ isPaused, onClose }: { readonly isPaused: boolean; readonly onClose: () => void }) {
  // What it is about to become, even when the answer has come and the dialog still closes.
  const [wasPaused] = useState(isPaused);
  const client = useQueryClient();
  const run = async () => {
    await (wasPaused ? resumeRuntime() : pauseRuntime());
    notify(wasPaused ? texts.resumed : texts.paused);
    await client.invalidateQueries({ queryKey: runtimeKey });
  };
  return (
    <Confirm
      title={wasPaused ? texts.resumeTitle : texts.pauseTitle}
      action={wasPaused ? texts.resume : texts.pause}
      isDangerous={!wasPaused}
      onConfirm={run}
      onClose={onClose}
    >
      <p>{wasPaused ? texts.resumeLead : texts.pauseLead}</p>
    </Confirm>
  );
}
