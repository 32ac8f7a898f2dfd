import type { BenchDatabases } from '../databases/databases.js';
import type { BenchOptions } from '../options.js';
import type { Report } from '../report/report.js';

export interface Bench {
  readonly options: BenchOptions;
  readonly report: Report;
  readonly databases: BenchDatabases;
}

export type Scenario = (bench: Bench) => Promise<void>;

/** One part that fails is reported and leaves the others alone. */
export async function attempt(
  { report }: Bench,
  scenario: string,
  variant: string,
  task: () => Promise<void>,
): Promise<void> {
  try {
    await task();
  } catch (error) {
    report.failed(scenario, variant, error);
  }
}
