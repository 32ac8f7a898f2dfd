import { relativeTime, shownTime } from './times.js';

/** "3 minutes ago", with the moment itself for those who point at it, and for machines. */
export function Time({ value }: { readonly value: string | undefined }) {
  if (value === undefined) return null;
  return (
    <time dateTime={value} title={shownTime(value)}>
      {relativeTime(value)}
    </time>
  );
}
