import type { JudgedPoint } from './curves.js';

/** In the order in which reports have them. */
export const STORES: readonly string[] = ['memory', 'sqlite', 'mariadb', 'postgres'];

/** The first row is the head. */
export function table([head, ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = head!.map((_, i) => (i === 0 ? '---' : '---:'));
  return [line(head!), line(rule), ...rows.map(line)].join('\n');
}

/** What misses its target is bold. */
export function cell(point: JudgedPoint | undefined): string {
  if (!point) return '';
  const text = format(point.value);
  return point.verdict === 'missed' ? `**${text}**` : text;
}

export function format(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: value < 100 ? 3 : 4 });
}

export function words(metric: string): string {
  return metric.replaceAll('_', ' ');
}
