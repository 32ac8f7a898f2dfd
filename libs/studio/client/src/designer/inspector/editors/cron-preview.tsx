import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ActivityJson } from '../../../api/definitions.js';
import { cronTimesQuery } from '../../../api/descriptors.js';
import { useCronWords } from '../../../parts/use-cron-words.js';
import { inspectorTexts } from '../../../texts/inspector.js';
import { textOf } from '../input-value.js';
import css from '../inspector.module.css';

const texts = inspectorTexts.cron;
const PAUSE_MS = 300;

interface CronPreviewProps {
  readonly expression: string;
  /** Has the time zone beside it. */
  readonly activity: ActivityJson;
}

/** A cron expression in words, and when it matches next. */
export function CronPreview({ expression, activity }: CronPreviewProps) {
  const { timeZone: zone } = activity as { timeZone?: { expression?: { type?: string; value?: unknown } } | null };
  const isComputed = zone?.expression !== undefined && zone.expression.type !== 'Literal';
  const timeZone = isComputed ? undefined : textOf(zone?.expression?.value).trim() || undefined;
  const [asked] = useDebouncedValue(expression.trim(), PAUSE_MS);
  const words = useCronWords(asked);
  const times = useQuery(cronTimesQuery(asked, timeZone));
  return (
    <div className={css.cron} aria-live="polite">
      {words && <p className={css.cronWords}>{words}</p>}
      {times.data?.length === 0 && <p className={css.hint}>{texts.never}</p>}
      {times.data && times.data.length > 0 && (
        <>
          <p className={css.hint}>{isComputed ? texts.nextInComputed : texts.next(timeZone ?? 'UTC')}</p>
          <ol className={css.cronTimes} aria-label={texts.nextTimes}>
            {times.data.map((time) => (
              <li key={time}>
                <time dateTime={time}>{inZone(time, timeZone ?? 'UTC')}</time>
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

/** The server takes no zone that it does not know, but a browser may know fewer. */
function inZone(time: string, timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'medium', timeZone }).format(
      new Date(time),
    );
  } catch {
    return time;
  }
}
