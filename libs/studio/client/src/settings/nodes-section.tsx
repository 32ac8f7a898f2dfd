import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX, Pause } from 'lucide-react';
import { useOperationsPolling } from '../api/live/live.js';
import { overviewQuery, type RuntimeNode } from '../api/operations.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { failureOf } from '../api/failure-of.js';
import { ErrorPanel, Loading } from '../parts/states.js';
import { Time } from '../parts/time.js';
import { settingsTexts } from '../texts/operations.js';
import css from './settings.module.css';

const texts = settingsTexts.nodes;
/** How often they are asked for, where the server does not tell. */
const POLL_MS = 5_000;

const LOOKS = {
  Running: { icon: CircleCheck, tone: 'finished' },
  Paused: { icon: Pause, tone: 'waiting' },
  Draining: { icon: Pause, tone: 'waiting' },
  Lost: { icon: CircleX, tone: 'faulted' },
} as const;

const COLUMNS: readonly Column<RuntimeNode>[] = [
  {
    id: 'name',
    title: texts.name,
    cell: ({ name, isThis }) => (
      <>
        <div className={css.name}>{name}</div>
        {isThis && <div className={css.soft}>{texts.thisOne}</div>}
      </>
    ),
  },
  {
    id: 'state',
    title: texts.state,
    isNarrow: true,
    cell: ({ state }) => {
      const { icon: Icon, tone } = LOOKS[state];
      return (
        <span className={css.badge} data-tone={tone}>
          <Icon size={14} aria-hidden />
          {texts.states[state]}
        </span>
      );
    },
  },
  {
    id: 'version',
    title: texts.version,
    cell: ({ version, platform }) => (
      <>
        {version} <span className={css.soft}>Node.js {platform}</span>
      </>
    ),
  },
  { id: 'executing', title: texts.executing, isNarrow: true, isMinor: true, cell: ({ activeBursts }) => activeBursts },
  {
    id: 'started',
    title: texts.started,
    isNarrow: true,
    isMinor: true,
    cell: ({ startedAt }) => <Time value={startedAt} />,
  },
  { id: 'seen', title: texts.seen, isNarrow: true, isMinor: true, cell: ({ seenAt }) => <Time value={seenAt} /> },
];

/** Every process that runs workflows of this database, with its version: those of yesterday's build stand out. */
export function NodesSection() {
  const overview = useQuery({ ...overviewQuery(), refetchInterval: useOperationsPolling(POLL_MS) });
  const nodes = overview.data?.nodes ?? [];
  return (
    <section>
      <h2 className={css.heading}>{texts.title}</h2>
      {failureOf(overview) ? (
        <ErrorPanel error={overview.error} onRetry={() => void overview.refetch()} />
      ) : overview.data === undefined ? (
        <Loading />
      ) : nodes.length === 0 ? (
        <p className={css.soft}>{texts.none}</p>
      ) : (
        <>
          <Remarks nodes={nodes} />
          <DataTable label={texts.title} columns={COLUMNS} rows={nodes} idOf={({ name }) => name} />
        </>
      )}
    </section>
  );
}

/** What a person on call has to know of them, and what to do. */
function Remarks({ nodes }: { readonly nodes: readonly RuntimeNode[] }) {
  const lost = nodes.filter(({ state }) => state === 'Lost').length;
  const versions = [...new Set(nodes.filter(({ state }) => state !== 'Lost').map(({ version }) => version))].sort();
  return (
    <>
      {lost > 0 && <p className={css.remark}>{texts.lost(lost)}</p>}
      {versions.length > 1 && <p className={css.remark}>{texts.versions(versions.join(', '))}</p>}
    </>
  );
}
