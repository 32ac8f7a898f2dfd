import { CirclePlay, CircleStop, Pause } from 'lucide-react';
import type { Schedule, ScheduleFailure } from '../api/schedules.js';
import badge from '../parts/status-badge.module.css';
import { Time } from '../parts/time.js';
import { duration, interval, shownTime } from '../parts/times.js';
import { useCronWords } from '../parts/use-cron-words.js';
import { scheduleTexts as texts } from '../texts/schedules.js';
import css from './schedules.module.css';

/** Its expression, as a reader would say it. */
export function When({ schedule: { kind, expression, timeZone } }: { readonly schedule: Schedule }) {
  if (expression === undefined) return null;
  if (kind === 'Cron') return <CronExpression expression={expression} timeZone={timeZone} />;
  // Not letter by letter where there is little room.
  return (
    <div className={css.what}>
      {kind === 'StartAt' ? texts.at(shownTime(expression)) : texts.every(interval(expression))}
    </div>
  );
}

function CronExpression({
  expression,
  timeZone,
}: {
  readonly expression: string;
  readonly timeZone: string | undefined;
}) {
  const words = useCronWords(expression);
  return (
    <div className={css.what}>
      {words && <span>{words}</span>}
      <code className={css.detail}>{expression}</code>
      {timeZone !== undefined && <span className={css.detail}>{timeZone}</span>}
    </div>
  );
}

interface NextTimesProps {
  readonly schedule: Schedule;
  readonly label: string;
}

/** The next one; the others unfold below it. */
export function NextTimes({ schedule, label }: NextTimesProps) {
  const { nextTimes, overdueMs, timeZone, validFrom, validUntil } = schedule;
  const [next, ...further] = nextTimes;
  if (next === undefined) return null;
  const first = (
    <>
      <Time value={next} />
      {overdueMs !== undefined && <span className={css.late}>{texts.overdue(duration(overdueMs))}</span>}
      {validFrom !== undefined && <span className={css.detail}>{texts.validFrom(shownTime(validFrom))}</span>}
      {validUntil !== undefined && <span className={css.detail}>{texts.validUntil(shownTime(validUntil))}</span>}
    </>
  );
  if (further.length === 0) return <div className={css.what}>{first}</div>;
  return (
    <details className={css.times}>
      <summary title={nextTimes.map(shownTime).join('\n')}>{first}</summary>
      <div className={css.small}>
        <When schedule={schedule} />
      </div>
      {timeZone !== undefined && <span className={css.detail}>{texts.yourZone}</span>}
      <ol aria-label={label}>
        {nextTimes.map((time) => (
          <li key={time}>
            <time dateTime={time}>{shownTime(time)}</time>
          </li>
        ))}
      </ol>
    </details>
  );
}

/** What happens while an instance that it has started still runs. */
export function Overlap({ schedule: { overlap } }: { readonly schedule: Schedule }) {
  return overlap && <span title={texts.overlapHints[overlap]}>{texts.overlaps[overlap]}</span>;
}

/** By how much later it fires, always the same, and within what. */
export function Jitter({ schedule: { jitter, jitterMs } }: { readonly schedule: Schedule }) {
  if (jitter === undefined) return null;
  return (
    <div className={css.what}>
      {jitterMs !== undefined && <span>+{duration(jitterMs)}</span>}
      <span className={css.detail}>{texts.jitterWithin(jitter)}</span>
    </div>
  );
}

/** What keeps the server that answers from firing it. */
export function Failure({ failure }: { readonly failure: ScheduleFailure | undefined }) {
  if (!failure) return null;
  return (
    <div className={css.failure}>
      <span className={css.late}>{texts.attempts(failure.attempts)}</span>
      {failure.lastError}
      <span className={css.detail}>
        {texts.triedAgain} <Time value={failure.retryAt} />
      </span>
    </div>
  );
}

/** One that is neither paused nor due again has done all it will do. */
export function StateBadge({ schedule: { isPaused, pausedAt, nextTimes } }: { readonly schedule: Schedule }) {
  const state = isPaused ? 'paused' : nextTimes.length > 0 ? 'running' : 'over';
  const { icon: Icon, tone } = LOOKS[state];
  return (
    <span className={badge.badge} data-tone={tone} title={pausedAt && `${texts.pausedSince} ${shownTime(pausedAt)}`}>
      <Icon size={14} aria-hidden />
      {texts.states[state]}
    </span>
  );
}

const LOOKS = {
  running: { icon: CirclePlay, tone: 'running' },
  paused: { icon: Pause, tone: 'waiting' },
  over: { icon: CircleStop, tone: 'cancelled' },
} as const;
