import { withSlashes } from './encoded-slash.js';
import { setText } from '../requests/multi-map.js';
import type { RouteSteps } from './route-steps.js';
import { isParameter, type RouteParameter, type RouteTemplate, type Segment } from './route-template.js';

/** Values by parameter. A catch-all parameter that takes nothing is there, as null: so ASP.NET's routes have it. */
export type RouteValues = Record<string, string | null>;

/**
 * One length of a template: `a/{b?}` has two, with and without its last segment. Says exactly which paths it matches.
 */
export interface TemplateVariant {
  /** For find-my-way: as many segments, wider where the template is choosy. */
  readonly pattern: string;
  /** Precedence by segment, smaller is more specific; compared from left to right. */
  readonly rank: readonly number[];
  /** @param steps of the request; none: as many as it takes */
  match(segments: readonly string[], steps?: RouteSteps): RouteValues | undefined;
}

export function variantsOf(template: RouteTemplate): TemplateVariant[] {
  const full = template.segments.map(compileSegment);
  const fullRank = full.map((s) => s.rank);
  const variants: TemplateVariant[] = [];
  for (let length = full.length; ; length--) {
    const omitted = template.segments.slice(length).flatMap(parametersOf);
    variants.push(variant(full.slice(0, length), omitted, fullRank));
    const last = template.segments[length - 1];
    if (!last) break;
    const shorter = withoutOptionalEnd(last);
    if (shorter) variants.push(variant([...full.slice(0, length - 1), compileSegment(shorter)], omitted, fullRank));
    if (!last.every((part) => isParameter(part) && isOmittable(part.parameter))) break;
  }
  return variants;
}

const isOmittable = (p: RouteParameter): boolean => p.kind !== 'required' || p.defaultValue !== undefined;

const parametersOf = (segment: Segment): RouteParameter[] => segment.filter(isParameter).map((part) => part.parameter);

/** `file.{ext?}` also matches `file`: the dot goes with the parameter. */
export function withoutOptionalEnd(segment: Segment): Segment | undefined {
  const end = segment.at(-1);
  const before = segment.at(-2);
  if (!end || !before || !isParameter(end) || end.parameter.kind !== 'optional' || isParameter(before))
    return undefined;
  if (!before.literal.endsWith('.')) return undefined;
  const literal = before.literal.slice(0, -1);
  return [...segment.slice(0, -2), ...(literal ? [{ literal }] : [])];
}

interface CompiledSegment {
  readonly rank: number;
  readonly isRest?: boolean;
  pattern(index: number): string;
  /** Adds what it takes from the text to the values; false when the text does not fit. */
  read(text: string, values: RouteValues, steps: RouteSteps | undefined): boolean;
}

function variant(
  segments: readonly CompiledSegment[],
  omitted: readonly RouteParameter[],
  fullRank: readonly number[],
): TemplateVariant {
  const rest = segments.at(-1)?.isRest ? segments.at(-1) : undefined;
  const fixed = rest ? segments.length - 1 : segments.length;
  return {
    pattern: `/${segments.map((s, i) => s.pattern(i)).join('/')}`,
    // A template that had to drop a segment comes after one that did not.
    rank: [...segments.map((s) => s.rank), ...(omitted.length ? [0, ...fullRank] : [])],
    match(path, steps) {
      if (rest ? path.length <= fixed : path.length !== fixed) return undefined;
      const values: RouteValues = {};
      for (const { name, kind, defaultValue } of omitted) {
        if (defaultValue !== undefined) setText(values, name, defaultValue);
        else if (kind === 'rest') setText(values, name, null);
      }
      for (let i = 0; i < fixed; i++) if (!segments[i]!.read(path[i]!, values, steps)) return undefined;
      return !rest || rest.read(path.slice(fixed).join('/'), values, steps) ? values : undefined;
    },
  };
}

function compileSegment(written: Segment): CompiledSegment {
  // An encoded slash is part of its segment, and paths of requests are decoded.
  const segment = written.map((part) => (isParameter(part) ? part : { literal: withSlashes(part.literal) }));
  const [only] = segment;
  if (segment.length === 1 && only)
    return isParameter(only) ? parameterSegment(only.parameter) : literalSegment(only.literal);
  return complexSegment(segment);
}

function literalSegment(literal: string): CompiledSegment {
  return {
    rank: 1,
    // The router has no way to write these.
    pattern: (index) => (/[*?#/]/.test(literal) ? anyOf(index) : literal.replaceAll(':', '::')),
    read: (text) => text === literal || text.toLowerCase() === literal,
  };
}

function parameterSegment({ name, kind, constraints }: RouteParameter): CompiledSegment {
  const isRest = kind === 'rest';
  return {
    rank: (isRest ? 5 : 3) - (constraints.length ? 1 : 0),
    isRest,
    pattern: (index) => (isRest ? '*' : constraints.length ? anyOf(index) : `:p${index}`),
    read(text, values, steps) {
      if (text === '' || !constraints.every((c) => c.accepts(text, steps))) return false;
      setText(values, name, text);
      return true;
    },
  };
}

/** Several parts in one segment, as `{name}.{ext}`. Each parameter takes as much as it can, the first one first. */
function complexSegment(segment: Segment): CompiledSegment {
  const parameters = parametersOf(segment);
  return {
    rank: 2,
    pattern: anyOf,
    read(text, values, steps) {
      if (steps && !steps.spend(text.length)) return false;
      const found = readParts(segment, text);
      if (!found) return false;
      return parameters.every(({ name, constraints }, i) => {
        setText(values, name, found[i]!);
        return constraints.every((c) => c.accepts(found[i]!, steps));
      });
    },
  };
}

/**
 * The texts of the parameters, from the right: where each literal stands as far right as it can, the parameters before it
 * take as much as they can. One pass: a regular expression with a gap for each parameter tries every combination of places,
 * which a crafted path turns into minutes.
 */
function readParts(segment: Segment, text: string): string[] | undefined {
  const folded = foldCase(text);
  const found: string[] = [];
  let end = text.length;
  for (let i = segment.length - 1; i >= 0; i--) {
    const part = segment[i]!;
    if (!isParameter(part)) {
      if (!folded.startsWith(part.literal, end - part.literal.length)) return undefined;
      end -= part.literal.length;
      continue;
    }
    const before = segment[i - 1];
    // A parameter is never empty, so the literal before it ends at least one character earlier.
    const start = before && !isParameter(before) ? lastEnd(folded, before.literal, end - 1, i === 1) : 0;
    if (start === undefined || start >= end) return undefined;
    found.unshift(text.slice(start, end));
    end = start;
  }
  return end === 0 ? found : undefined;
}

/** Where the last occurrence of a literal ends that ends at `limit` or before; the first part of a segment has only one place. */
function lastEnd(text: string, literal: string, limit: number, isFirst: boolean): number | undefined {
  const from = isFirst ? 0 : limit - literal.length;
  const at = from < 0 || literal.length > limit ? -1 : text.lastIndexOf(literal, from);
  return at < 0 ? undefined : at + literal.length;
}

/** Lower case with every character where it was: a few become two in lower case. */
function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (char) => (char.toLowerCase().length === char.length ? char.toLowerCase() : char)).join('');
}

/** A parameter that the router tries before an ordinary one, since it has an expression. */
const anyOf = (index: number): string => `:p${index}(.+)`;
