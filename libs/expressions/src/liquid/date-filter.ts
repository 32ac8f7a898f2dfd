import { type FilterImplOptions, toValue } from 'liquidjs';
import { requireFormat } from '../dotnet/format-error.js';
import { zoneOffset } from '../dotnet/time-zones.js';
import { writeDirectives } from './strftime.js';
import { textOf } from './text-filters.js';
import { toZonedDate, ZonedDate } from './zoned-date.js';

/** `date`, and the filters of the engine that have a format of their own. */
export function dateFilters(now: () => number): Readonly<Record<string, FilterImplOptions>> {
  const written = (formatOf: (date: ZonedDate, args: readonly unknown[]) => string): FilterImplOptions =>
    function (value: unknown, ...args: unknown[]) {
      const plain = toValue(value) as unknown;
      const date = toZonedDate(plain, now);
      return date ? writeDirectives(date, formatOf(date, args), (count) => this.context.memoryLimit.use(count)) : plain;
    };
  return {
    date: function (value: unknown, format: unknown, zone: unknown) {
      const date = toZonedDate(toValue(value) as unknown, now);
      const plain = toValue(format) as unknown;
      // What is not a date is nothing, and a date without a format is shown as any date is.
      if (!date || plain === undefined || plain === null) return date;
      // A list is a format as well: as the text that it is.
      const directives = requireFormat(textOf(plain));
      return writeDirectives(inZone(date, toValue(zone)), directives, (count) => this.context.memoryLimit.use(count));
    },
    date_to_xmlschema: written(() => '%Y-%m-%dT%H:%M:%S%:z'),
    date_to_rfc822: written(() => '%a, %d %b %Y %H:%M:%S %z'),
    date_to_string: written((date, args) => dayFormat(date, '%b', args)),
    date_to_long_string: written((date, args) => dayFormat(date, '%B', args)),
  };
}

/** As far from UTC as .NET lets a clock be, in minutes: beyond the end of time there are no dates. */
const FARTHEST = 14 * 60;

/** By the name of a zone, or the minutes that it is behind UTC. What no zone has changes nothing. */
function inZone(date: ZonedDate, zone: unknown): ZonedDate {
  const offset =
    typeof zone === 'number' && Math.abs(zone) <= FARTHEST
      ? -zone
      : typeof zone === 'string'
        ? zoneOffset(zone, date.ms)
        : undefined;
  return offset === undefined ? date : new ZonedDate(date.ms, offset);
}

function dayFormat(date: ZonedDate, month: string, [type, style]: readonly unknown[]): string {
  if (type !== 'ordinal') return `%d ${month} %Y`;
  const day = new Date(date.wallMs).getUTCDate();
  const ordinal = `${day}${day > 10 && day < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th')}`;
  return style === 'US' ? `${month} ${ordinal}, %Y` : `${ordinal} ${month} %Y`;
}
