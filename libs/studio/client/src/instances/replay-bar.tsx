import { ActionIcon, Button } from '@mantine/core';
import { Pause, Play, SkipBack, SkipForward, StepBack, StepForward } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { ActivityJson } from '../api/definitions.js';
import { nameOfEntry } from './name-of-entry.js';
import { duration } from '../parts/times.js';
import { instanceTexts } from '../texts/instances.js';
import type { Replay } from './use-replay.js';
import css from './replay-bar.module.css';

const texts = instanceTexts.replay;
const PACE_MS = 700;

interface ReplayBarProps {
  readonly replay: Replay;
  /** Of the definition, where that is known. */
  readonly root: ActivityJson | undefined;
  readonly createdAt: string;
  /** `undefined`: back to now. */
  readonly onStep: (step: number | undefined) => void;
}

/** Goes through the journal, one entry after the other. */
export function ReplayBar({ replay, root, createdAt, onStep }: ReplayBarProps) {
  const { step, totalCount, entry, states } = replay;
  const [isPlaying, setPlaying] = useState(false);
  const isAtEnd = step >= totalCount;
  useEffect(() => {
    if (!isPlaying || states === undefined) return;
    const timer = setTimeout(() => (isAtEnd ? setPlaying(false) : onStep(step + 1)), isAtEnd ? 0 : PACE_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, isAtEnd, states, step, onStep]);
  const go = (next: number) => {
    setPlaying(false);
    onStep(next);
  };
  const elapsed = entry && duration(new Date(entry.timestamp).getTime() - new Date(createdAt).getTime());
  const name = entry && nameOfEntry(root, entry);
  const event = entry && (instanceTexts.journal.events[entry.eventName ?? ''] ?? entry.eventName ?? '');
  return (
    <div className={css.bar} role="group" aria-label={texts.label}>
      <Key label={texts.first} icon={<SkipBack size={15} />} isDisabled={step <= 1} onClick={() => go(1)} />
      <Key label={texts.previous} icon={<StepBack size={15} />} isDisabled={step <= 1} onClick={() => go(step - 1)} />
      <Key
        label={isPlaying ? texts.pause : texts.play}
        icon={isPlaying ? <Pause size={15} /> : <Play size={15} />}
        isDisabled={isAtEnd && !isPlaying}
        onClick={() => setPlaying(!isPlaying)}
      />
      <Key label={texts.next} icon={<StepForward size={15} />} isDisabled={isAtEnd} onClick={() => go(step + 1)} />
      <Key label={texts.last} icon={<SkipForward size={15} />} isDisabled={isAtEnd} onClick={() => go(totalCount)} />
      <input
        className={css.slider}
        type="range"
        min={1}
        max={totalCount}
        value={step}
        aria-label={texts.step}
        aria-valuetext={texts.at(step, totalCount)}
        onChange={(event) => go(Number(event.currentTarget.value))}
      />
      <span className={css.where} role="status">
        <strong>{texts.at(step, totalCount)}</strong>
        {entry && ` · +${elapsed} · ${name} ${event}`}
      </span>
      <Button size="compact-sm" variant="default" onClick={() => onStep(undefined)}>
        {texts.toNow}
      </Button>
    </div>
  );
}

interface KeyProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly isDisabled: boolean;
  readonly onClick: () => void;
}

function Key({ label, icon, isDisabled, onClick }: KeyProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} disabled={isDisabled} onClick={onClick}>
      {icon}
    </ActionIcon>
  );
}
