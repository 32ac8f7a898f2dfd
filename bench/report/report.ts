import { medianOf, type Sample, shareOf, timeShareOf } from '../measure/in-turns.js';
import { type Cell, printTable } from './table.js';

export interface Comparison {
  readonly scenario: string;
  readonly variant: string;
  /** What is counted, e.g. `requests`. */
  readonly unit: string;
  readonly own: readonly Sample[];
  /** `variant`: what the ceiling is called where it is reported itself. */
  readonly ceiling?: { readonly name: string; readonly variant: string; readonly samples: readonly Sample[] };
  /** Printed beside the result. A benchmark asserts nothing: a busy machine must not turn into a red build. */
  readonly target?: string;
}

interface Quotient {
  readonly scenario: string;
  readonly variant: string;
  readonly metric: string;
  readonly own: number;
  readonly ceiling: { readonly name: string; readonly value: number };
  readonly target?: string;
}

interface Judged extends Omit<Quotient, 'own' | 'ceiling'> {
  readonly unit: string;
  readonly value: number;
  readonly verdict: 'met' | 'missed' | undefined;
}

interface Times {
  readonly scenario: string;
  readonly variant: string;
  readonly own: readonly Sample[];
  readonly alone: readonly Sample[];
  readonly target: string;
}

/** Writes each value as a line of JSON on stdout at once, and a table of all on stderr at the end. */
export class Report {
  private readonly rows = new Map<string, Cell[][]>();
  private readonly told = new Set<string>();

  value(scenario: string, variant: string, metric: string, value: number | string): void {
    console.log(
      JSON.stringify({ scenario, variant, metric, value: typeof value === 'number' ? rounded(value) : value }),
    );
  }

  /** More is better: operations per second, against those of a ceiling. */
  comparison({ scenario, variant, unit, own, ceiling, target }: Comparison): void {
    this.samples(scenario, variant, unit, own);
    if (!ceiling) return this.row(scenario, [variant, `${rate(own)} /s`, '', '', '', '', '']);
    this.samples(scenario, ceiling.variant, unit, ceiling.samples);
    const share = shareOf(own, ceiling.samples);
    const cpuShare = timeShareOf(own, ceiling.samples, 'cpuMicros');
    const fastShare = timeShareOf(own, ceiling.samples, 'fastMicros');
    const of = ceiling.name.replaceAll(/\W+/g, '_');
    this.value(scenario, variant, `share_of_${of}`, share);
    if (cpuShare !== undefined) this.value(scenario, variant, `cpu_share_of_${of}`, cpuShare);
    if (fastShare !== undefined) this.value(scenario, variant, `fast_share_of_${of}`, fastShare);
    this.row(scenario, [
      variant,
      `${rate(own)} /s`,
      `${ceiling.name} ${rate(ceiling.samples)} /s`,
      percent(share),
      percent(cpuShare),
      percent(fastShare),
      target ?? '',
    ]);
  }

  /** Less is better: median times of two that were measured in turns, as a multiple. */
  times({ scenario, variant, own, alone, target }: Times): void {
    const millis = (samples: readonly Sample[]): number => medianOf(samples, (s) => s.p50Millis)!;
    // By rounds, like the shares.
    const times = timeShareOf(alone, own, 'p50Millis')!;
    this.value(scenario, variant, 'times_alone_p50_ms', times);
    this.row(scenario, [
      `${variant}: p50`,
      `${number(millis(own))} ms`,
      `alone ${number(millis(alone))} ms`,
      `${times.toFixed(2)} x`,
      '',
      '',
      target,
    ]);
  }

  /** Less is better: time or memory, as a multiple of the ceiling's. */
  quotient({ scenario, variant, metric, own, ceiling, target }: Quotient): void {
    this.value(scenario, variant, metric, own);
    this.value(scenario, variant, `times_${ceiling.name.replaceAll(/\W+/g, '_')}_${metric}`, own / ceiling.value);
    const [quantity = metric, unit = ''] = metric.split(/_(?=[^_]+$)/);
    this.row(scenario, [
      `${variant}: ${quantity}`,
      `${number(own)} ${unit}`,
      `${ceiling.name} ${number(ceiling.value)} ${unit}`,
      `${(own / ceiling.value).toFixed(2)} x`,
      '',
      '',
      target ?? '',
    ]);
  }

  /** A value with nothing to compare it to but its target. */
  plain({ scenario, variant, metric, value, target }: Omit<Quotient, 'own' | 'ceiling'> & { value: number }): void {
    this.value(scenario, variant, metric, value);
    const [quantity = metric, unit = ''] = metric.split(/_(?=[^_]+$)/);
    this.row(scenario, [`${variant}: ${quantity}`, `${number(value)} ${unit}`, '', '', '', '', target ?? '']);
  }

  /** A value that is judged where it has something to be compared with. */
  judged({ scenario, variant, metric, unit, value, target, verdict }: Judged): void {
    this.value(scenario, variant, metric, value);
    if (verdict) this.value(scenario, variant, `${metric}_target`, verdict);
    const name = `${variant}: ${metric.replaceAll('_', ' ')}`;
    this.row(scenario, [name, `${number(value)} ${unit}`, '', verdict ?? '', '', '', target ?? '']);
  }

  /** Makes the run fail in the end, not now: the rest is worth measuring. */
  failed(scenario: string, variant: string, error: unknown): void {
    process.exitCode = 1;
    console.error(error);
    this.notMeasured(
      scenario,
      variant,
      String((error as Error).message)
        .split('\n')
        .slice(0, 2)
        .join(' '),
    );
  }

  notMeasured(scenario: string, variant: string, reason: string): void {
    this.value(scenario, variant, 'not_measured', reason);
    this.row(scenario, [variant, 'not measured', reason.slice(0, 70), '', '', '', '']);
  }

  /** For the person who waits. */
  progress(text: string): void {
    console.error(`bench: ${text}`);
  }

  table(): void {
    printTable(['', 'own', 'ceiling', 'share', 'by CPU', 'at rest', 'target'], this.rows);
  }

  private samples(scenario: string, variant: string, unit: string, samples: readonly Sample[]): void {
    // A ceiling is compared with several variants, and told once.
    if (this.told.has(`${scenario} ${variant}`)) return;
    this.told.add(`${scenario} ${variant}`);
    const one = unit.replace(/s$/, '');
    this.value(
      scenario,
      variant,
      `${unit}_per_second`,
      medianOf(samples, (s) => s.perSecond)!,
    );
    const cpu = medianOf(samples, (s) => s.cpuMicros);
    if (cpu !== undefined) this.value(scenario, variant, `cpu_us_per_${one}`, cpu);
    const fast = medianOf(samples, (s) => s.fastMicros);
    if (fast !== undefined) this.value(scenario, variant, `fast_us_per_${one}`, fast);
    const p50 = medianOf(samples, (s) => s.p50Millis);
    if (p50 !== undefined) this.value(scenario, variant, 'p50_ms', p50);
    const p99 = medianOf(samples, (s) => s.p99Millis);
    if (p99 !== undefined) this.value(scenario, variant, 'p99_ms', p99);
  }

  private row(scenario: string, cells: Cell[]): void {
    const rows = this.rows.get(scenario);
    if (rows) rows.push(cells);
    else this.rows.set(scenario, [cells]);
  }
}

function rate(samples: readonly Sample[]): string {
  return number(medianOf(samples, (s) => s.perSecond)!);
}

function number(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: value < 100 ? 3 : 4 });
}

function percent(share: number | undefined): string {
  if (share === undefined) return '';
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

/** Four significant digits: more would only look exact. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
