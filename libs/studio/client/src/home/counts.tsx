import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { CircleCheck, CirclePlay, CircleX, Clock, type LucideIcon, MailWarning, Unplug } from 'lucide-react';
import { letterCountQuery } from '../api/dead-letters.js';
import type { Total } from '../api/definitions.js';
import { finishedSinceQuery, instanceCountQuery } from '../api/instances.js';
import { useOperationsPolling, usePolling } from '../api/live/live.js';
import { listTexts } from '../texts/lists.js';
import { homeTexts as texts } from '../texts/operations.js';
import { POLL_MS } from './poll.js';
import css from './home.module.css';
import { READ_INSTANCES, useMay } from '../api/permissions.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** How many there are of each kind; each leads to its list. */
export function Counts() {
  const polled = { refetchInterval: usePolling(POLL_MS), enabled: useMay(READ_INSTANCES) };
  const asked = { refetchInterval: useOperationsPolling(POLL_MS) };
  const running = useQuery({ ...instanceCountQuery({ subStatuses: ['Executing', 'Pending'] }), ...polled });
  const waiting = useQuery({ ...instanceCountQuery({ subStatuses: ['Suspended'] }), ...polled });
  const faulted = useQuery({ ...instanceCountQuery({ subStatuses: ['Faulted'] }), ...polled });
  const interrupted = useQuery({ ...instanceCountQuery({ subStatuses: ['Interrupted'] }), ...polled });
  const finished = useQuery({ ...finishedSinceQuery(DAY_MS), ...polled });
  const mayReadMessages = useMay('read:outbox:dead-letters');
  const mayReadStimuli = useMay('read:bookmark-queue:dead-letters');
  const messages = useQuery({ ...letterCountQuery('outbox'), ...asked, enabled: mayReadMessages });
  const stimuli = useQuery({ ...letterCountQuery('bookmark-queue'), ...asked, enabled: mayReadStimuli });
  const letters =
    messages.data === undefined && stimuli.data === undefined ? undefined : sumOf([messages.data, stimuli.data]);
  const { tiles } = texts;
  return (
    <ul className={css.tiles} aria-label={texts.now}>
      <Tile
        name={tiles.faulted}
        count={faulted.data}
        icon={CircleX}
        tone="faulted"
        to="/instances"
        search={{ status: ['Faulted'] }}
      />
      <Tile
        name={tiles.waiting}
        count={waiting.data}
        icon={Clock}
        tone="waiting"
        to="/instances"
        search={{ status: ['Suspended'] }}
      />
      <Tile
        name={tiles.running}
        count={running.data}
        icon={CirclePlay}
        tone="running"
        to="/instances"
        search={{ status: ['Executing', 'Pending'] }}
      />
      <Tile
        name={tiles.finished}
        count={finished.data}
        icon={CircleCheck}
        tone="finished"
        to="/instances"
        // Those that were counted.
        search={{
          ...{ status: ['Finished'], sort: 'finished', time: 'finished' },
          from: new Date(Math.floor((Date.now() - DAY_MS) / MINUTE_MS) * MINUTE_MS).toISOString(),
        }}
      />
      {interrupted.data !== undefined && interrupted.data.totalCount > 0 && (
        <Tile
          name={tiles.interrupted}
          count={interrupted.data}
          icon={Unplug}
          tone="waiting"
          to="/instances"
          search={{ status: ['Interrupted'] }}
        />
      )}
      <Tile
        name={tiles.deadLetters}
        count={letters}
        icon={MailWarning}
        tone="faulted"
        to="/dead-letters"
        search={messages.data?.totalCount === 0 && stimuli.data?.totalCount !== 0 ? { source: 'bookmark-queue' } : {}}
      />
    </ul>
  );
}

function sumOf(totals: readonly (Total | undefined)[]): Total {
  const totalCount = totals.reduce((sum, total) => sum + (total?.totalCount ?? 0), 0);
  return totals.some((total) => total?.isTotalLowerBound) ? { totalCount, isTotalLowerBound: true } : { totalCount };
}

interface TileProps extends Pick<LinkProps, 'to' | 'search'> {
  readonly name: string;
  /** `undefined`: not known, or not allowed to be. */
  readonly count: Total | undefined;
  readonly icon: LucideIcon;
  readonly tone: string;
}

function Tile({ name, count, icon: Icon, tone, to, search }: TileProps) {
  const shown = count ? listTexts.count(count) : texts.unknown;
  const isNone = count?.totalCount === 0;
  return (
    <li>
      <Link className={css.tile} to={to} search={search}>
        <span className={css.tileName} data-tone={isNone || count === undefined ? 'none' : tone}>
          <Icon size={15} aria-hidden />
          {name}
        </span>
        <span className={css.tileCount} data-none={isNone || count === undefined || undefined}>
          {shown}
        </span>
      </Link>
    </li>
  );
}
