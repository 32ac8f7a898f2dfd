import { useVirtualizer } from '@tanstack/react-virtual';
import { CircleCheck, CircleDot, CirclePlay, CircleX, Clock, History, type LucideIcon, RotateCcw } from 'lucide-react';
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ActivityJson } from '../api/definitions.js';
import { nameOfEntry } from './name-of-entry.js';
import type { JournalEntry } from '../api/instance-records.js';
import { failureOf } from '../api/failure-of.js';
import { ErrorPanel, Loading } from '../parts/states.js';
import type { Tone } from '../parts/status.js';
import { duration, shownTime } from '../parts/times.js';
import { instanceTexts } from '../texts/instances.js';
import { ReplayBar } from './replay-bar.js';
import { useJournal } from './use-journal.js';
import type { Replay } from './use-replay.js';
import css from './journal.module.css';

const texts = instanceTexts.journal;
const ROW_HEIGHT = 30;
/** A pause from which on it is shown as one. */
const WAIT_MS = 5_000;

const LOOKS: Readonly<Record<string, { readonly icon: LucideIcon; readonly tone: Tone }>> = {
  Started: { icon: CirclePlay, tone: 'running' },
  Completed: { icon: CircleCheck, tone: 'finished' },
  Faulted: { icon: CircleX, tone: 'faulted' },
  Suspended: { icon: Clock, tone: 'waiting' },
  Resumed: { icon: RotateCcw, tone: 'running' },
};
const OTHER = { icon: CircleDot, tone: 'cancelled' } as const;

interface JournalProps {
  readonly instanceId: string;
  /** Of its definition, where that is known. */
  readonly root: ActivityJson | undefined;
  readonly createdAt: string;
  readonly selectedNodeId: string | undefined;
  /** While the journal is replayed. */
  readonly replay: Replay | undefined;
  readonly onSelect: (nodeId: string) => void;
  readonly onStep: (step: number | undefined) => void;
}

/** What happened, in order, with the time since the start. Only what is on the screen is there. */
export function Journal({ instanceId, root, createdAt, selectedNodeId, replay, onSelect, onStep }: JournalProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ first: 0, last: 0 });
  const { totalCount, entries, head } = useJournal(instanceId, range.first, range.last);
  const virtual = useVirtualizer({
    count: totalCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    onChange: ({ range: shown }) => {
      if (shown && (shown.startIndex !== range.first || shown.endIndex !== range.last))
        setRange({ first: shown.startIndex, last: shown.endIndex });
    },
  });
  const start = new Date(createdAt).getTime();
  const step = replay?.step;
  useEffect(() => {
    if (step !== undefined) virtual.scrollToIndex(step - 1);
  }, [virtual, step]);
  return (
    <section className={css.journal} aria-labelledby="journal-title">
      <h2 id="journal-title" className={css.title}>
        {texts.title} <span className={css.count}>{head.data && texts.entries(totalCount)}</span>
      </h2>
      {replay ? (
        <ReplayBar replay={replay} root={root} createdAt={createdAt} onStep={onStep} />
      ) : (
        totalCount > 0 && (
          <Button
            className={css.replay!}
            size="compact-sm"
            variant="default"
            leftSection={<History size={14} aria-hidden />}
            onClick={() => onStep(1)}
          >
            {instanceTexts.replay.begin}
          </Button>
        )
      )}
      {failureOf(head) ? (
        <ErrorPanel error={head.error} onRetry={() => void head.refetch()} />
      ) : head.data === undefined ? (
        <Loading />
      ) : totalCount === 0 ? (
        <p className={css.empty}>{texts.empty}</p>
      ) : (
        // The list is as high as all of its entries, of which those in sight exist.
        <div ref={scroller} className={css.scroller} tabIndex={0} role="group" aria-labelledby="journal-title">
          <ol className={css.list} style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start: top, key }) => {
              const entry = entries.get(index);
              return (
                <li
                  key={key}
                  data-index={index}
                  ref={virtual.measureElement}
                  className={css.item}
                  style={{ transform: `translateY(${top}px)` }}
                  aria-posinset={index + 1}
                  aria-setsize={totalCount}
                  data-later={(step !== undefined && index >= step) || undefined}
                  aria-current={step === index + 1 ? 'step' : undefined}
                >
                  {entry ? (
                    <Entry
                      entry={entry}
                      root={root}
                      previous={entries.get(index - 1)}
                      start={start}
                      isSelected={entry.nodeId === selectedNodeId}
                      onSelect={replay ? () => onStep(index + 1) : onSelect}
                    />
                  ) : (
                    <span className={css.blank} />
                  )}
                </li>
              );
            })}
          </ol>
        </div>
      )}
    </section>
  );
}

interface EntryProps {
  readonly entry: JournalEntry;
  readonly root: ActivityJson | undefined;
  readonly previous: JournalEntry | undefined;
  readonly start: number;
  readonly isSelected: boolean;
  readonly onSelect: (nodeId: string) => void;
}

function Entry({ entry, root, previous, start, isSelected, onSelect }: EntryProps) {
  const { eventName = '', message, timestamp, nodeId } = entry;
  const { icon: Icon, tone } = LOOKS[eventName] ?? OTHER;
  const at = new Date(timestamp).getTime();
  const pause = previous ? at - new Date(previous.timestamp).getTime() : 0;
  return (
    <>
      {pause >= WAIT_MS && <div className={css.pause}>{texts.waited(duration(pause))}</div>}
      <button type="button" className={css.entry} aria-pressed={isSelected} onClick={() => onSelect(nodeId)}>
        <time className={css.time} dateTime={timestamp} title={shownTime(timestamp)}>
          +{duration(at - start)}
        </time>
        <Icon size={14} aria-hidden className={css.icon} data-tone={tone} />
        <span className={css.name}>{nameOfEntry(root, entry)}</span>
        <span className={css.event}>{texts.events[eventName] ?? eventName}</span>
        {message && <span className={css.message}>{message}</span>}
      </button>
    </>
  );
}
