import { relativeTime, shownTime, timeSince } from './times.js';
import { useMinute } from './use-minute.js';

interface TimeProps {
  readonly value: string | undefined;
}

/** "3 minutes ago", with the moment itself for those who point at it, and for machines. */
export const Time = ({ value }: TimeProps) => <Shown value={value} text={relativeTime} />;

/** "3 minutes", behind "for": what has lasted since then. */
export const TimeSince = ({ value }: TimeProps) => <Shown value={value} text={timeSince} />;

function Shown({ value, text }: TimeProps & { readonly text: (iso: string) => string }) {
  useMinute();
  if (value === undefined) return null;
  return (
    <time dateTime={value} title={shownTime(value)}>
      {text(value)}
    </time>
  );
}
