import { CircleCheck, CirclePlay, CircleX, Clock } from 'lucide-react';
import { draftRunTexts as texts } from '../../texts/draft-run.js';
import type { NodeRun } from '../run/run-path.js';
import css from './canvas.module.css';

const ICONS = { running: CirclePlay, waiting: Clock, finished: CircleCheck, faulted: CircleX };

/** What the run did here: an icon and a word, never a colour alone. */
export function RunMark({ ran: { tone, times } }: { readonly ran: NodeRun }) {
  const Icon = ICONS[tone];
  const said = times > 1 ? `${texts.tones[tone]}, ${texts.times(times)}` : texts.tones[tone];
  return (
    <span className={css.ran} data-tone={tone} title={said}>
      <Icon size={15} aria-hidden />
      {times > 1 && times}
      <span className={css.hidden}>{said}</span>
    </span>
  );
}
