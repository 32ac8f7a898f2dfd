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

/** Templates with the same pattern share a leaf of the tree; the most specific one first. Empty: the leaf is dead. */
type Leaf<T> = Candidate<T>[];
type Tree = findMyWay.Instance<findMyWay.HTTPVersion.V1>;

/** Name of the constraint strategy below. */
const TEMPLATE = 'template';
/** So many dead leaves are not worth a new tree. */
const DEAD_LEAVES = 100;
/** Leaves that move to a new tree with each change. */
const MOVED_AT_ONCE = 16;

/**
 * Finds the most specific template of a path. Adding and removing one costs the same however many there are: find-my-way
 * builds its whole tree anew for each route that is taken off, so a leaf is left there, dead. When half of them are, the
 * others move to a new tree, a few with each change.
 *
 * find-my-way knows segments, parameters and rests, so the cost of a search does not grow with the number of templates.
 * What ASP.NET's templates can say beyond that is asked at the end of each way through its tree, by a constraint strategy:
 * where the template refuses, find-my-way goes back and tries the next best way.
 */
export class TemplateRouter<T> {
  private tree = this.plant();
  private leaves = new Map<string, Leaf<T>>();
  private dead = 0;
  /** The tree to come, while leaves move. */
  private next:
    | { readonly tree: Tree; readonly leaves: Map<string, Leaf<T>>; readonly left: [string, Leaf<T>][] }
    | undefined;
  private readonly byValue = new Map<T, Candidate<T>[]>();
  /** All, most specific first. */
  private readonly candidates: Candidate<T>[] = [];
  /** What the strategy accepted last. */
  private accepted: TemplateMatch<T> | undefined;

  /** @param value one that has not been added yet */
  add(template: RouteTemplate, value: T): void {
    const added = variantsOf(template).map((variant) => ({ variant, value }));
    this.byValue.set(value, added);
    for (const candidate of added) {
      insert(this.candidates, candidate);
      insert(this.leafOf(candidate.variant.pattern), candidate);
    }
    this.move();
  }

  remove(value: T): void {
    for (const candidate of this.byValue.get(value) ?? []) {
      take(this.candidates, candidate);
      const leaf = this.leaves.get(candidate.variant.pattern)!;
      take(leaf, candidate);
      if (leaf.length === 0) this.dead++;
    }
    this.byValue.delete(value);
    this.move();
  }

  /** The most specific match. */
  find(path: RequestPath): TemplateMatch<T> | undefined {
    return this.tree.find('GET', path.raw, { [TEMPLATE]: path }) ? this.accepted : undefined;
  }

  /** Every match as of now, most specific first: callers wait between two. Its cost grows with the number of templates. */
  *all(path: RequestPath): Generator<TemplateMatch<T>> {
    for (const { variant, value } of [...this.candidates]) {
      const routeValues = variant.match(path.segments, path.steps);
      if (routeValues) yield { value, routeValues };
    }
  }

  /** The leaf of a pattern, made if there is none. */
  private leafOf(pattern: string): Leaf<T> {
    const known = this.leaves.get(pattern);
    if (known?.length === 0) this.dead--;
    const leaf = known ?? [];
    if (!known) grow(this.tree, this.leaves, pattern, leaf);
    if (this.next && !this.next.leaves.has(pattern)) grow(this.next.tree, this.next.leaves, pattern, leaf);
    return leaf;
  }

  /** Continues with a new tree, or begins one. */
  private move(): void {
    if (!this.next && this.dead > DEAD_LEAVES && this.dead * 2 > this.leaves.size)
      this.next = { tree: this.plant(), leaves: new Map(), left: [...this.leaves] };
    if (!this.next) return;
    const { tree, leaves, left } = this.next;
    for (const [pattern, leaf] of left.splice(-MOVED_AT_ONCE))
      if (leaf.length > 0 && !leaves.has(pattern)) grow(tree, leaves, pattern, leaf);
    if (left.length > 0) return;
    this.tree = tree;
    this.leaves = leaves;
    this.dead = [...leaves.values()].filter((leaf) => leaf.length === 0).length;
    this.next = undefined;
  }

  private plant(): Tree {
    return findMyWay({ maxParamLength: 16_384, constraints: { [TEMPLATE]: this.strategy() as never } });
  }

  /** Of the templates of a leaf, the first that fits is the one. */
  private strategy() {
    const judge = (group: readonly Candidate<T>[], { segments, steps }: RequestPath): boolean => {
      for (const { variant, value } of group) {
        const routeValues = variant.match(segments, steps);
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

function grow<T>(tree: Tree, leaves: Map<string, Leaf<T>>, pattern: string, leaf: Leaf<T>): void {
  leaves.set(pattern, leaf);
  tree.on('GET', pattern, { constraints: { [TEMPLATE]: leaf } }, () => undefined);
}

/** After those of the same rank. */
function insert<T>(sorted: Candidate<T>[], candidate: Candidate<T>): void {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareRank(sorted[middle]!.variant.rank, candidate.variant.rank) <= 0) low = middle + 1;
    else high = middle;
  }
  sorted.splice(low, 0, candidate);
}

function take<T>(list: T[], item: T): void {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
}

export function compareRank(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
