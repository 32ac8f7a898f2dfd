import { ActionIcon, CloseButton, TextInput } from '@mantine/core';
import { ChevronRight, CircleDot, PanelLeftClose, PanelLeftOpen, Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ActivityDescriptor } from '../api/descriptors.js';
import { designerTexts } from '../texts/designer.js';
import { shellTexts } from '../texts/shell.js';
import { iconOf } from './canvas/category-look.js';
import { typeName } from './canvas/names.js';
import { DRAGGED_TYPE } from './canvas/use-canvas-mouse.js';
import { useDesign, useDesigner } from './designer-context.js';
import { STATE_TYPE } from './model/state-machine.js';
import { useOneStop } from './use-one-stop.js';
import css from './toolbox.module.css';

const texts = designerTexts.toolbox;

/** All types of activities by category. */
export function Toolbox() {
  const { catalogue } = useDesigner();
  // Where there is little room, the canvas has it.
  const [isOpen, setOpen] = useState(() => window.matchMedia('(min-width: 1100px)').matches);
  const [text, setText] = useState('');
  const list = useOneStop<HTMLDivElement>();
  const isMachine = useDesign(({ level }) => level.kind === 'machine');
  const groups = useMemo(() => groupsOf([...catalogue.choices, ...catalogue.containers], text), [catalogue, text]);
  if (!isOpen)
    return (
      <aside className={css.closed} aria-label={texts.title}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={texts.open}
          title={texts.open}
          onClick={() => setOpen(true)}
        >
          <PanelLeftOpen size={17} />
        </ActionIcon>
      </aside>
    );
  return (
    <aside className={css.toolbox} aria-label={texts.title}>
      <div className={css.top}>
        <TextInput
          type="search"
          size="xs"
          className={css.search}
          aria-label={texts.search}
          placeholder={texts.search}
          leftSection={<Search size={14} aria-hidden />}
          rightSection={
            text === '' ? undefined : (
              <CloseButton size="xs" aria-label={shellTexts.clear} onClick={() => setText('')} />
            )
          }
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={texts.close}
          title={texts.close}
          onClick={() => setOpen(false)}
        >
          <PanelLeftClose size={16} />
        </ActionIcon>
      </div>
      <div className={css.list} {...list}>
        {isMachine && <StateEntry />}
        {groups.length === 0 && !isMachine && <p className={css.hint}>{texts.nothing}</p>}
        {(isMachine ? [] : groups).map(([category, descriptors]) => (
          <Group key={category} category={category} descriptors={descriptors} isForced={text !== ''} />
        ))}
      </div>
      <p className={css.hint}>{isMachine ? designerTexts.machine.toolboxHint : texts.hint}</p>
    </aside>
  );
}

interface GroupProps {
  readonly category: string;
  readonly descriptors: readonly ActivityDescriptor[];
  /** If true, a search found something here. */
  readonly isForced: boolean;
}

function Group({ category, descriptors, isForced }: GroupProps) {
  const [isOpen, setOpen] = useState(true);
  const isShown = isForced || isOpen;
  return (
    <section>
      <button type="button" className={css.category} aria-expanded={isShown} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={13} aria-hidden className={css.chevron} />
        {category}
      </button>
      {isShown && (
        <ul className={css.entries}>
          {descriptors.map((descriptor) => (
            <Entry key={descriptor.typeName} descriptor={descriptor} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Entry({ descriptor }: { readonly descriptor: ActivityDescriptor }) {
  const { actions, focusCanvas } = useDesigner();
  const name = typeName(descriptor.typeName, descriptor);
  const Icon = iconOf(descriptor.category);
  return (
    <li>
      <button
        type="button"
        className={css.entry}
        draggable
        title={descriptor.description || name}
        aria-label={texts.add(name)}
        onDragStart={(event) => {
          event.dataTransfer.setData(DRAGGED_TYPE, descriptor.typeName);
          event.dataTransfer.effectAllowed = 'copy';
        }}
        onClick={() => focusCanvas(actions.insert(descriptor))}
      >
        <Icon size={14} aria-hidden />
        <span>{name}</span>
      </button>
    </li>
  );
}

/** All that a state machine takes. */
function StateEntry() {
  const { actions, focusCanvas } = useDesigner();
  const { state, add } = designerTexts.machine;
  return (
    <button
      type="button"
      className={css.entry}
      draggable
      aria-label={add}
      onDragStart={(event) => {
        event.dataTransfer.setData(DRAGGED_TYPE, STATE_TYPE);
        event.dataTransfer.effectAllowed = 'copy';
      }}
      onClick={() => focusCanvas(actions.addState())}
    >
      <CircleDot size={14} aria-hidden />
      <span>{state}</span>
    </button>
  );
}

function groupsOf(descriptors: readonly ActivityDescriptor[], text: string): [string, ActivityDescriptor[]][] {
  const word = text.trim().toLowerCase();
  const groups = new Map<string, ActivityDescriptor[]>();
  for (const descriptor of descriptors) {
    const { typeName: type, displayName = '', category, description = '' } = descriptor;
    if (!`${type} ${displayName} ${category} ${description}`.toLowerCase().includes(word)) continue;
    groups.set(category, [...(groups.get(category) ?? []), descriptor]);
  }
  for (const list of groups.values())
    list.sort((a, b) => typeName(a.typeName, a).localeCompare(typeName(b.typeName, b)));
  return [...groups].sort(([a], [b]) => a.localeCompare(b));
}
