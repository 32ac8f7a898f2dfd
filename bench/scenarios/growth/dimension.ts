import type { DatabaseName } from '../../options.js';
import type { Target } from '../../report/growth/judge.js';
import type { Place } from './place.js';

/** What one size cost: numbers by the names of the dimension's metrics. A number that is unknown here is left out. */
export type Values = Readonly<Record<string, number>>;

export interface Metric {
  /** Written behind the number: `ms`, `/s`, `MB`, `bytes`, … */
  readonly unit: string;
  readonly target?: Target;
  /** Drawn as a curve of the dimension. @default true where there is a target */
  readonly isDrawn?: boolean;
}

interface Common {
  /** As `--dimensions` takes it, and in the names of files. */
  readonly name: string;
  /** One sentence for the report: what is done among, or to, how many of what. */
  readonly description: string;
  /** What a size counts, in the plural. */
  readonly unit: string;
  /** Smallest first. `--sizes` replaces them. */
  readonly sizes: readonly number[];
  /** Of those that are measured at all. @default all three databases, without memory */
  readonly databases?: readonly StoreName[];
  readonly metrics: Readonly<Record<string, Metric>>;
}

/** What a node holds after a collection, when all is done: however much there was, it keeps none of it. */
export const flatHeap = (above: number): Metric => ({ unit: 'MB', target: { flatAbove: above, times: 1.2 } });

export type StoreName = DatabaseName | 'memory';

/**
 * One way in which an installation grows. Most measure one size after the other (`run`), each on tables of its own; what
 * compares short times measures all sizes in turns (`runInTurns`), so that another job on the machine meets all alike.
 */
export type Dimension = Common &
  (
    | { readonly run: (place: Place) => Promise<Values> }
    /** Values in the order of the places, one place for each size. */
    | { readonly runInTurns: (places: readonly Place[]) => Promise<readonly Values[]> }
  );

/** For `databases`: memory, and whatever `--databases` names. */
export const ALL_STORES: readonly StoreName[] = ['memory', 'sqlite', 'mariadb', 'postgres'];
export const DATABASES: readonly StoreName[] = ['sqlite', 'mariadb', 'postgres'];
