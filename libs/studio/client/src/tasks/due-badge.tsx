import { AlarmClock, ArrowUpCircle, Clock } from 'lucide-react';
import type { UserTask } from '../api/tasks.js';
import { Time, TimeSince } from '../parts/time.js';
import { taskTexts as texts } from '../texts/tasks.js';
import css from './tasks.module.css';

/** When an open task is due, and whether it was escalated. */
export function DueBadge({ task }: { readonly task: UserTask }) {
  const { dueAt, escalatedAt, status } = task;
  if (status !== 'Open' || (dueAt === undefined && escalatedAt === undefined)) return null;
  const isOver = dueAt !== undefined && new Date(dueAt).getTime() < Date.now();
  const Icon = isOver ? AlarmClock : Clock;
  return (
    <span className={css.badges}>
      {escalatedAt !== undefined && (
        <span className={css.badge} data-tone="faulted">
          <ArrowUpCircle size={13} aria-hidden />
          {texts.escalated}
        </span>
      )}
      {dueAt !== undefined && (
        <span className={css.badge} data-tone={isOver ? 'faulted' : 'waiting'}>
          <Icon size={13} aria-hidden />
          {isOver ? texts.overdue : texts.due} {isOver ? <TimeSince value={dueAt} /> : <Time value={dueAt} />}
        </span>
      )}
    </span>
  );
}
