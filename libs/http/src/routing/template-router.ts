import findMyWay from 'find-my-way';
import type { RequestPath } from './request-path.js';
import type { RouteTemplate } from './route-template.js';
import { type RouteValues, type TemplateVariant, variantsOf } from './template-variant.js';

export interface TemplateMatch<T> {
  readonly value: T;
  readonly routeValues: RouteValues;
}

interface Candidate<T> {
  readonly variant: TemplateVariant;
  readonly value: T;
}

/**
 * Finds the most specific template of a path. Immutable: a change builds a new router, because find-my-way builds its
 * whole tree anew for each route that is taken off.
 *
 * find-my-way does the search, so its cost does not grow with the number of templates. The variant it finds is the judge:
 * where a constraint that find-my-way cannot express refuses the path, the others are tried in order of precedence.
 */
export class TemplateRouter<T> {
  private readonly router: findMyWay.Instance<findMyWay.HTTPVersion.V1> = findMyWay({ maxParamLength: 16_384, allowUnsafeRegex: true });
  private readonly candidates: readonly Candidate<T>[];
  /** Those that find-my-way cannot read. */
  private readonly others: Candidate<T>[] = [];

  constructor(entries: Iterable<readonly [RouteTemplate, T]>) {
    const all: Candidate<T>[] = [];
    for (const [template, value] of entries) for (const variant of variantsOf(template)) all.push({ variant, value });
    this.candidates = all.sort((a, b) => compareRank(a.variant.rank, b.variant.rank));
    const groups = new Map<string, Candidate<T>[]>();
    for (const candidate of this.candidates) {
      const group = groups.get(candidate.variant.pattern);
      if (group) group.push(candidate);
      else groups.set(candidate.variant.pattern, [candidate]);
    }
    for (const [pattern, group] of groups) this.register(pattern, group);
  }

  private register(pattern: string, group: Candidate<T>[]): void {
    try {
      this.router.on('GET', pattern, () => undefined, group);
    } catch {
      this.others.push(...group);
    }
  }

  /** The most specific match. */
  find(path: RequestPath): TemplateMatch<T> | undefined {
    const found = this.router.find('GET', path.raw);
    for (const { variant, value } of found ? (found.store as readonly Candidate<T>[]) : this.others) {
      const routeValues = variant.match(path.segments);
      if (routeValues) return { value, routeValues };
    }
    if (found) for (const match of this.all(path)) return match;
    return undefined;
  }

  /** Every match, most specific first. Its cost grows with the number of templates. */
  *all(path: RequestPath): Generator<TemplateMatch<T>> {
    for (const { variant, value } of this.candidates) {
      const routeValues = variant.match(path.segments);
      if (routeValues) yield { value, routeValues };
    }
  }
}

export function compareRank(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
