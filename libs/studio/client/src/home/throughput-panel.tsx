import type { Throughput } from '../api/operations.js';
import { homeTexts } from '../texts/operations.js';
import { shownClock } from '../parts/times.js';
import { type Bar, barsOf } from './throughput-bars.js';
import css from './home.module.css';

const texts = homeTexts.throughput;
const HOUR_MS = 3_600_000;
const WIDTH = 240;
const HEIGHT = 56;

interface PanelProps {
  readonly throughput: Throughput;
  /** By the clock of the server. */
  readonly at: string;
}

/** How many instances began and ended, in numbers and as bars. */
export function ThroughputPanel({ throughput, at }: PanelProps) {
  const now = new Date(at).getTime();
  const { slots, countedFrom } = throughput;
  const sum = (member: 'started' | 'finished' | 'faulted') => slots.reduce((total, slot) => total + slot[member], 0);
  const coveredMs = now - new Date(countedFrom).getTime();
  const isWhole = coveredMs >= HOUR_MS - 1000;
  // Where more happened than was counted, the time that was counted is shorter, and the rate still true.
  const rate = (count: number) => texts.perMinute(perMinute(count, coveredMs));
  const minutes = Math.max(1, Math.round(coveredMs / 60_000));
  const [started, finished, faulted] = [sum('started'), sum('finished'), sum('faulted')];
  const shown = (count: number) => count.toLocaleString('en');
  const title = isWhole ? texts.title : texts.since(minutes);
  return (
    <section className={css.panel} aria-label={title}>
      <h2 className={css.listTitle}>{title}</h2>
      <ul className={css.rates}>
        {(
          [
            ['started', started],
            ['finished', finished],
            ['faulted', faulted],
          ] as const
        ).map(([member, count]) => (
          <li key={member} data-member={member} data-none={count === 0 || undefined}>
            <strong>{shown(count)}</strong> {texts[member]}
            <span className={css.soft}>{rate(count)}</span>
          </li>
        ))}
      </ul>
      <Chart bars={barsOf(throughput, now)} label={texts.chart(shown(started), shown(finished), shown(faulted))} />
    </section>
  );
}

const perMinute = (count: number, ms: number): string => {
  const rate = (count * 60_000) / Math.max(ms, 1000);
  if (rate > 0 && rate < 0.05) return texts.hardlyAny;
  return rate.toLocaleString('en', { maximumFractionDigits: rate < 10 ? 1 : 0 });
};

function Chart({ bars, label }: { readonly bars: readonly Bar[]; readonly label: string }) {
  const most = Math.max(1, ...bars.map(({ started, finished, faulted }) => Math.max(started, finished + faulted)));
  const step = WIDTH / bars.length;
  const heightOf = (count: number) => (count / most) * (HEIGHT - 2);
  const half = step / 2 - 2;
  return (
    <svg
      className={css.chart}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {bars.map(({ from, started, finished, faulted }, index) => (
        <g key={from}>
          <title>{texts.slot(shownClock(from), started, finished, faulted)}</title>
          <rect x={index * step} y={0} width={step} height={HEIGHT} fill="transparent" />
          <Rect x={index * step + 1} height={heightOf(started)} width={half} from={0} member="started" />
          <Rect x={index * step + half + 2} height={heightOf(faulted)} width={half} from={0} member="faulted" />
          <Rect
            x={index * step + half + 2}
            height={heightOf(finished)}
            width={half}
            from={heightOf(faulted)}
            member="finished"
          />
        </g>
      ))}
      <line x1={0} x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className={css.axis} />
    </svg>
  );
}

interface RectProps {
  readonly x: number;
  readonly width: number;
  readonly height: number;
  /** How high it begins. */
  readonly from: number;
  readonly member: string;
}

function Rect({ x, width, height, from, member }: RectProps) {
  if (height === 0) return null;
  return <rect x={x} y={HEIGHT - from - height} width={width} height={height} data-member={member} />;
}
