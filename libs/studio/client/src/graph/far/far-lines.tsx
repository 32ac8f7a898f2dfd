import { ViewportPortal } from '@xyflow/react';
import { useMemo } from 'react';
import css from './far-lines.module.css';

/** A connection seen from afar. */
export interface FarLine {
  readonly from: { readonly x: number; readonly y: number };
  readonly to: { readonly x: number; readonly y: number };
  /** A run came this way. */
  readonly isTaken?: boolean | undefined;
}

/** So many connections are one line. What is dragged draws few of the lines anew. */
const OF_ONE_LINE = 100;

/**
 * All connections as a few lines, those that were taken apart. A thousand edges that each look after themselves would be asked on
 * every move of the hand.
 */
export function FarLines({ lines }: { readonly lines: readonly FarLine[] }) {
  const [plain, taken] = useMemo(() => pathsOf(lines), [lines]);
  return (
    <ViewportPortal>
      <svg className={css.lines} width={1} height={1} aria-hidden>
        {plain.map((path, index) => (
          <path key={index} d={path} />
        ))}
        <path d={taken} data-taken />
      </svg>
    </ViewportPortal>
  );
}

function pathsOf(lines: readonly FarLine[]): [string[], string] {
  const plain: string[] = [];
  let taken = '';
  for (const [number, { from, to, isTaken }] of lines.entries()) {
    const path = `M${from.x} ${from.y}H${(from.x + to.x) / 2}V${to.y}H${to.x}`;
    const line = Math.floor(number / OF_ONE_LINE);
    if (isTaken) taken += path;
    else plain[line] = (plain[line] ?? '') + path;
  }
  return [Array.from(plain, (path) => path ?? ''), taken];
}
