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

/** Name of the constraint strategy below. */
const TEMPLATE = 'template';

/**
 * Finds the most specific template of a path. Immutable: a change builds a new router, because find-my-way builds its
 * whole tree anew for each route that is taken off.
 *
 * find-my-way knows segments, parameters and rests, so the cost of a search does not grow with the number of templates.
 * What ASP.NET's templates can say beyond that is asked at the end of each way through its tree, by a constraint strategy:
 * where the template refuses, find-my-way goes back and tries the next best way.
 */
export class TemplateRouter<T> {
  private readonly router: findMyWay.Instance<findMyWay.HTTPVersion.V1>;
  private readonly candidates: readonly Candidate<T>[];
  /** What the strategy accepted last. */
  private accepted: TemplateMatch<T> | undefined;

  constructor(entries: Iterable<readonly [RouteTemplate, T]>) {
    this.router = findMyWay({ maxParamLength: 16_384, constraints: { [TEMPLATE]: this.strategy() as never } });
    const all: Candidate<T>[] = [];
    for (const [template, value] of entries) for (const variant of variantsOf(template)) all.push({ variant, value });
    this.candidates = all.sort((a, b) => compareRank(a.variant.rank, b.variant.rank));
    for (const [pattern, group] of groupByPattern(this.candidates))
      this.router.on('GET', pattern, { constraints: { [TEMPLATE]: group } }, () => undefined);
  }

  /** The most specific match. */
  find(path: RequestPath): TemplateMatch<T> | undefined {
    return this.router.find('GET', path.raw, { [TEMPLATE]: path }) ? this.accepted : undefined;
  }

  /** Every match, most specific first. Its cost grows with the number of templates. */
  *all(path: RequestPath): Generator<TemplateMatch<T>> {
    for (const { variant, value } of this.candidates) {
      const routeValues = variant.match(path.segments);
      if (routeValues) yield { value, routeValues };
    }
  }

  /** Templates with the same pattern share a leaf; the first of them that fits is the one. */
  private strategy() {
    const judge = (group: readonly Candidate<T>[], { segments }: RequestPath): boolean => {
      for (const { variant, value } of group) {
        const routeValues = variant.match(segments);
        if (!routeValues) continue;
        this.accepted = { value, routeValues };
        return true;
      }
      return false;
    };
    return {
      name: TEMPLATE,
      deriveConstraint: () => undefined,
      storage: () => {
        let group: readonly Candidate<T>[] = [];
        let handlers = 0;
        return {
          // Asked with the group while the leaf is built, and with a path afterwards.
          get: (asked: readonly Candidate<T>[] | RequestPath) =>
            Array.isArray(asked) || judge(group, asked as RequestPath) ? handlers : 0,
          set: (given: readonly Candidate<T>[], mask: number) => {
            group = given;
            handlers = mask;
          },
        };
      },
    };
  }
}

function groupByPattern<T>(candidates: readonly Candidate<T>[]): Map<string, Candidate<T>[]> {
  const groups = new Map<string, Candidate<T>[]>();
  for (const candidate of candidates) {
    const group = groups.get(candidate.variant.pattern);
    if (group) group.push(candidate);
    else groups.set(candidate.variant.pattern, [candidate]);
  }
  return groups;
}

export function compareRank(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
