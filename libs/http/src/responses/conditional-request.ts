import { WaymarkError } from '@waymark/core';

/** Thrown when a header of the request is malformed. */
export class BadRequestHeaderError extends WaymarkError {
  readonly code = 'WM5003';
  constructor(
    /** Name of the header. */
    readonly header: string,
    /** Its value. */
    readonly value: string,
  ) {
    super(`The request's ${header} header is malformed: "${value}". Correct it, or leave it out.`);
  }
}

/** What the headers of a download ask for. */
export interface DownloadConditions {
  readonly range?: string;
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  readonly ifRange?: string;
}

/** How to answer: everything, a part of it, or not at all. */
export type DownloadAnswer =
  | { readonly status: 200 | 304 | 412 | 416 }
  | { readonly status: 206; readonly start: number; readonly end: number };

const TAG_LIST = /^\s*(\*|(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*)\s*$/;
/** Of which bytes are the only one here. */
const UNIT = /^\s*(?!bytes\s*=)[!#$%&'*+.^_`|~\w-]+\s*=/i;
const RANGES = /^\s*bytes\s*=\s*(?=\d|-)(\d*-\d*(\s*,\s*\d*-\d*)*)\s*$/i;

/**
 * Judges conditions against content of that length and entity tag (RFC 9110 §13, §14). Several ranges at once are
 * answered with everything, which is allowed. @throws BadRequestHeaderError (`WM5003`)
 */
export function judgeDownload(
  conditions: DownloadConditions,
  length: number,
  eTag: string | undefined,
): DownloadAnswer {
  const { range, ifMatch, ifNoneMatch, ifRange } = conditions;
  if (ifMatch !== undefined && !TAG_LIST.test(ifMatch)) throw new BadRequestHeaderError('If-Match', ifMatch);
  if (ifMatch !== undefined && !includesTag(ifMatch, eTag, isSameStrong)) return { status: 412 };
  if (ifNoneMatch !== undefined && includesTag(ifNoneMatch, eTag, isSameWeak)) return { status: 304 };
  if (range === undefined || UNIT.test(range)) return { status: 200 };
  const spec = RANGES.exec(range)?.[1];
  if (spec === undefined) throw new BadRequestHeaderError('Range', range);
  // Other bytes may have the same weak tag: those of another compression, for instance.
  const isSame = ifRange === undefined || (ifRange.trim() === eTag && !eTag.startsWith('W/'));
  if (spec.includes(',') || !isSame) return { status: 200 };
  return oneRange(spec, range, length);
}

function oneRange(spec: string, header: string, length: number): DownloadAnswer {
  const [first = '', last = ''] = spec.split('-');
  if (first === '' && last === '') throw new BadRequestHeaderError('Range', header);
  if (first === '')
    return Number(last) === 0 || length === 0 ? { status: 416 } : part(Math.max(0, length - Number(last)), length - 1);
  const start = Number(first);
  const end = last === '' ? length - 1 : Math.min(Number(last), length - 1);
  if (last !== '' && Number(last) < start) throw new BadRequestHeaderError('Range', header);
  return start >= length ? { status: 416 } : part(start, end);
}

const part = (start: number, end: number): DownloadAnswer => ({ status: 206, start, end });

type Comparison = (one: string, other: string) => boolean;
const isSameStrong: Comparison = (one, other) => one === other && !one.startsWith('W/');
const isSameWeak: Comparison = (one, other) => one.replace(/^W\//, '') === other.replace(/^W\//, '');

function includesTag(list: string, eTag: string | undefined, isSame: Comparison): boolean {
  if (eTag === undefined) return false;
  if (list.trim() === '*') return true;
  // A tag may contain commas.
  return (list.match(/(W\/)?"[^"]*"/g) ?? []).some((tag) => isSame(tag, eTag));
}
