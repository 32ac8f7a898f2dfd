import { createHash } from 'node:crypto';
import { type FilterImplOptions, toValue } from 'liquidjs';
import { type Culture, findCulture } from '../dotnet/culture.js';
import { formatComposite, type WriteValue } from '../dotnet/composite-format.js';
import { formatClockDate } from '../dotnet/date-format.js';
import { formatNumber } from '../dotnet/number-format.js';
import { zoneOffset } from '../dotnet/time-zones.js';
import { dateFilters } from './date-filter.js';
import { jsonOf } from './json-filter.js';
import { decodeHtml, decodeUrl, encodeHtml, encodeUrl, handleize, stripHtml } from './html-filters.js';
import { LiquidDecimal } from './liquid-decimal.js';
import { numberOf } from './number-filters.js';
import { toZonedDate, ZonedDate } from './zoned-date.js';

/** Counts characters against the memory that one rendering may use. */
type Spend = (characters: number) => void;
/** Characters that an item of a list counts for. */
const MEMORY_OF_ITEM = 8;

type Filter = (value: unknown, ...args: unknown[]) => unknown;
type Filters = Readonly<Record<string, Filter>>;

/** Filters of the format that the template engine lacks, or has with another meaning. */
export function fluidFilters(now: () => number): Readonly<Record<string, FilterImplOptions>> {
  const filters = (spend: Spend): Filters => ({
    base64: (value) => Buffer.from(textOf(value), 'utf8').toString('base64'),
    base64_url_safe_encode: (value) => toUrlSafe(Buffer.from(textOf(value), 'utf8').toString('base64')),
    base64_url_safe_decode: (value) => Buffer.from(textOf(value), 'base64url').toString('utf8'),
    json: (value, isIndented) => {
      if (isFalsy(isIndented)) return jsonOf(value);
      spend(indentation(value));
      return jsonOf(value, 2);
    },
    escape: (value) => encodeHtml(textOf(value)),
    escape_once: (value) => encodeHtml(decodeHtml(textOf(value))),
    strip_html: (value) => stripHtml(textOf(value)),
    url_encode: (value) => encodeUrl(textOf(value)),
    url_decode: (value) => decodeUrl(textOf(value)),
    reverse: (value) =>
      typeof value === 'string'
        ? reversed(value, spend)
        : Array.isArray(value)
          ? [...(value as unknown[])].reverse()
          : value,
    keys: (value) => (isDictionary(value) ? Object.keys(value) : []),
    size: (value) => (isDictionary(value) ? Object.keys(value).length : sizeOf(value)),
    handle: (value) => handleize(textOf(value)),
    handleize: (value) => handleize(textOf(value)),
    md5: (value) => hash('md5', textOf(value)),
    sha1: (value) => hash('sha1', textOf(value)),
    sha256: (value) => hash('sha256', textOf(value)),
    format_number: (value, format, culture) =>
      isNil(format) ? undefined : formatNumber(numberOf(value), textOf(format), findCulture(culture)),
    format_date: (value, format, culture) => {
      const date = isNil(format) ? undefined : toZonedDate(value, now);
      return date && writeDate(date, textOf(format), findCulture(culture));
    },
    format_string: (value, ...args) => (isNil(value) ? undefined : formatString(textOf(value), args, now, spend)),
    time_zone: (value, zone) => {
      const date = isNil(zone) ? undefined : toZonedDate(value, now);
      return date && inZone(date, textOf(zone));
    },
  });
  const names = Object.keys(filters(() => undefined));
  const plain = names.map((name): [string, FilterImplOptions] => [
    name,
    function (...args: unknown[]) {
      const spend: Spend = (characters) => this.context.memoryLimit.use(characters);
      // Constants such as `nil` reach a filter as objects of the engine.
      const [value, ...rest] = args.map((arg) => (isNumberOfJson(name, arg) ? arg : (toValue(arg) as unknown)));
      const result = filters(spend)[name]!(value, ...rest);
      if (typeof result === 'string') spend(result.length);
      return result;
    },
  ]);
  return { ...Object.fromEntries(plain), ...dateFilters(now) };
}

/** It is written with its places, which the number of the engine does not have. */
function isNumberOfJson(filter: string, arg: unknown): boolean {
  return filter === 'json' && arg instanceof LiquidDecimal;
}

function toUrlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

function hash(algorithm: string, text: string): string {
  return text === '' ? '' : createHash(algorithm).update(text, 'utf8').digest('hex');
}

function inZone(date: ZonedDate, zone: string): ZonedDate {
  const offset = zoneOffset(zone, date.ms);
  return offset === undefined ? date : new ZonedDate(date.ms, offset);
}

function writeDate({ wallMs, offset }: ZonedDate, format: string | undefined, culture: Culture): string {
  return formatClockDate({ wallMs, offset, kind: 'Offset' }, format, culture);
}

/** `{{ "{0:N2} of {1}" | format_string: 5, "x", culture: "de-DE" }}`. */
function formatString(format: string, args: readonly unknown[], now: () => number, spend: Spend): string {
  const culture = args.find(isCulture)?.[1];
  const values = args.filter((arg) => !isCulture(arg));
  const write: WriteValue = (value, itemFormat, language) => {
    if (typeof value === 'number') return formatNumber(value, itemFormat, language);
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    // Dates of variables reach a template as text; other texts have no format.
    const isDate = value instanceof ZonedDate || (itemFormat && typeof value === 'string' && dateText.test(value));
    const date = isDate ? toZonedDate(value, now) : undefined;
    return date ? writeDate(date, itemFormat, language) : textOf(value);
  };
  return formatComposite(format, values, findCulture(culture), write, spend);
}

const dateText = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

/** How the engine passes `culture: "de-DE"`. */
function isCulture(arg: unknown): arg is [name: string, value: unknown] {
  return Array.isArray(arg) && arg.length === 2 && arg[0] === 'culture';
}

/** The characters, as a list. */
function reversed(text: string, spend: Spend): string[] {
  spend(text.length * MEMORY_OF_ITEM);
  return Array.from(text).reverse();
}

/** Blanks before what is in it: without a count, lists in lists become a hundred times as long. */
function indentation(value: unknown, blanks = 2): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + blanks + indentation(item, blanks + 2), 0);
}

const sizeOf = (value: unknown): number => (typeof value === 'string' || Array.isArray(value) ? value.length : 0);
const isFalsy = (value: unknown): boolean => isNil(value) || value === false;
const isNil = (value: unknown): boolean => value === null || value === undefined;

/** A value as the text that filters work on. */
function textOf(value: unknown): string {
  if (isNil(value)) return '';
  if (typeof value !== 'object' || value instanceof ZonedDate) return String(value as string);
  return JSON.stringify(value);
}

export function isDictionary(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ZonedDate);
}
