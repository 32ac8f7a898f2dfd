import { Modal } from '@mantine/core';
import { Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { designerTexts as texts } from '../../texts/designer.js';
import css from './chooser.module.css';

export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly detail?: string | undefined;
  /** What is searched besides the label. */
  readonly words?: string | undefined;
  readonly icon?: ReactNode;
}

interface ChooserProps {
  readonly title: string;
  readonly placeholder: string;
  readonly nothing: string;
  readonly choices: readonly Choice[];
  readonly onChoose: (id: string) => void;
  readonly onClose: () => void;
}

const SHOWN = 60;

/** One of many, by a few letters. */
export function Chooser({ title, placeholder, nothing, choices, onChoose, onClose }: ChooserProps) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  const all = useMemo(() => search(choices, text), [choices, text]);
  const found = all.slice(0, SHOWN);
  const index = Math.min(active, found.length - 1);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [index]);
  const choose = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    onChoose(choice.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // These keys choose among the letters that an input method offers.
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      setActive((index + step + found.length) % found.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(found[index]);
    }
  };
  return (
    <Modal.Root
      opened
      onClose={onClose}
      padding={0}
      size="md"
      yOffset="12vh"
      transitionProps={{ duration: 0 }}
      returnFocus={false}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={title}>
        <p className={css.title}>{title}</p>
        <div className={css.field}>
          <Search size={16} aria-hidden />
          <input
            className={css.input}
            // At once, not after the transition: the next letter belongs here.
            autoFocus
            data-autofocus
            role="combobox"
            aria-label={title}
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={found[index] ? `${listId}-${index}` : undefined}
            placeholder={placeholder}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setActive(0);
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        <ul id={listId} ref={list} role="listbox" aria-label={texts.results} className={css.results}>
          {found.map(({ id, label, detail, icon }, position) => (
            <li
              key={id}
              id={`${listId}-${position}`}
              role="option"
              aria-selected={position === index}
              className={css.entry}
              onMouseMove={() => setActive(position)}
              onClick={() => choose(found[position])}
            >
              {icon}
              <span className={css.label}>{label}</span>
              {detail && <span className={css.detail}>{detail}</span>}
            </li>
          ))}
        </ul>
        {/* There from the beginning: what comes with its words is not read out. */}
        <p className={found.length === 0 || all.length > SHOWN ? css.nothing : css.unseen} role="status">
          {found.length === 0 ? nothing : texts.found(found.length, all.length)}
        </p>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Those with all words: at the beginning of their label first. */
function search(choices: readonly Choice[], text: string): readonly Choice[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return choices;
  const rank = ({ label, detail = '', words: more = '' }: Choice): number => {
    const [name, all] = [label.toLowerCase(), `${label} ${detail} ${more}`.toLowerCase()];
    if (!words.every((word) => all.includes(word))) return 0;
    return name.startsWith(words[0]!) ? 3 : name.includes(words[0]!) ? 2 : 1;
  };
  return choices
    .map((choice) => ({ choice, rank: rank(choice) }))
    .filter(({ rank: value }) => value > 0)
    .sort((a, b) => b.rank - a.rank)
    .map(({ choice }) => choice);
}
