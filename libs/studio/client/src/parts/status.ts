import { Ban, CircleCheck, CircleDashed, CirclePlay, CircleX, Clock, type LucideIcon, Unplug } from 'lucide-react';
import { statusTexts } from '../texts/shell.js';

export type SubStatus = keyof typeof statusTexts;

/** How a status looks: a colour of its own, but never by the colour alone. */
export const statusLooks: Readonly<Record<SubStatus, { readonly icon: LucideIcon; readonly tone: Tone }>> = {
  Pending: { icon: CircleDashed, tone: 'cancelled' },
  Executing: { icon: CirclePlay, tone: 'running' },
  Suspended: { icon: Clock, tone: 'waiting' },
  Finished: { icon: CircleCheck, tone: 'finished' },
  Cancelled: { icon: Ban, tone: 'cancelled' },
  Faulted: { icon: CircleX, tone: 'faulted' },
  Interrupted: { icon: Unplug, tone: 'waiting' },
};

/** Names of the colours in `tokens.css`: `--status-<tone>`, and `--status-<tone>-soft` behind it. */
export type Tone = 'waiting' | 'running' | 'finished' | 'faulted' | 'cancelled';
