export type Cell = string;

/** Prints to stderr, so that stdout holds JSON lines only. Text to the left, figures to the right. */
export function printTable(head: readonly Cell[], groups: ReadonlyMap<string, readonly (readonly Cell[])[]>): void {
  const all = [head, ...[...groups.values()].flat()];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly Cell[]): string =>
    row
      .map((cell, column) =>
        column === 0 || column === head.length - 1 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join('  ');
  for (const [group, rows] of groups) {
    console.error(`\n${group}`);
    console.error(line(head));
    for (const row of rows) console.error(line(row).trimEnd());
  }
}
