import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOperationsPolling } from '../api/live/live.js';
import { type Depths, MOST_COUNTED, overviewQuery, type RuntimeNode } from '../api/operations.js';
import { Time, TimeSince } from '../parts/time.js';
import { listTexts } from '../texts/lists.js';
import { homeTexts as texts } from '../texts/operations.js';
import { POLL_MS } from './poll.js';
import { ThroughputPanel } from './throughput-panel.js';
import css from './home.module.css';
import { READ_RUNTIME, useMay } from '../api/permissions.js';

/** How much goes through, what queues up, and who does the work. Left out for a person who may not see the runtime. */
export function Figures() {
  const mayRead = useMay(...READ_RUNTIME);
  const { data } = useQuery({ ...overviewQuery(), enabled: mayRead, refetchInterval: useOperationsPolling(POLL_MS) });
  if (!data) return null;
  return (
    <div className={css.figures}>
      <ThroughputPanel throughput={data.throughput} at={data.at} />
      <Queues depths={data.depths} />
      <Nodes nodes={data.nodes} />
    </div>
  );
}

const shownCount = (count: number): string => listTexts.countUpTo(count, MOST_COUNTED);

function Queues({ depths }: { readonly depths: Depths }) {
  const { outbox, outboxOldestAt, queue, dueTimers, openTasks, schedules, nextScheduleAt } = depths;
  return (
    <section className={css.panel} aria-label={texts.queues.title}>
      <h2 className={css.listTitle}>{texts.queues.title}</h2>
      <dl className={css.numbers}>
        <Number name={texts.queues.outbox} value={shownCount(outbox)}>
          {outbox > 0 && outboxOldestAt !== undefined && (
            <>
              {texts.queues.outboxOldest} <TimeSince value={outboxOldestAt} />
            </>
          )}
        </Number>
        <Number name={texts.queues.queue} value={shownCount(queue)} />
        <Number name={texts.queues.dueTimers} value={shownCount(dueTimers)} />
        <Number name={<Link to="/tasks">{texts.queues.tasks}</Link>} value={shownCount(openTasks)} />
        <Number name={<Link to="/schedules">{texts.queues.schedules}</Link>} value={shownCount(schedules)}>
          {nextScheduleAt !== undefined && (
            <>
              {texts.queues.next} <Time value={nextScheduleAt} />
            </>
          )}
        </Number>
      </dl>
    </section>
  );
}

interface NumberProps {
  readonly name: ReactNode;
  readonly value: string;
  readonly children?: ReactNode;
}

function Number({ name, value, children }: NumberProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong> {children && <span className={css.soft}>{children}</span>}
      </dd>
    </div>
  );
}

function Nodes({ nodes }: { readonly nodes: readonly RuntimeNode[] }) {
  const counts = new Map<RuntimeNode['state'], number>();
  for (const { state } of nodes) counts.set(state, (counts.get(state) ?? 0) + 1);
  const executing = nodes.reduce((sum, { activeBursts, state }) => sum + (state === 'Lost' ? 0 : activeBursts), 0);
  const versions = [...new Set(nodes.map(({ version }) => version))].sort();
  return (
    <section className={css.panel} aria-label={texts.nodes.title}>
      <header className={css.panelHead}>
        <h2 className={css.listTitle}>{texts.nodes.title}</h2>
        <Link to="/settings">{texts.nodes.all}</Link>
      </header>
      {nodes.length === 0 ? (
        <p className={css.soft}>{texts.nodes.none}</p>
      ) : (
        <ul className={css.facts}>
          {[...counts].map(([state, count]) => (
            <li key={state} data-state={state}>
              {texts.nodes.states[state](count)}
            </li>
          ))}
          <li>{texts.nodes.executing(executing)}</li>
          <li>
            {texts.nodes.versions}: {versions.join(', ')}
          </li>
        </ul>
      )}
    </section>
  );
}
