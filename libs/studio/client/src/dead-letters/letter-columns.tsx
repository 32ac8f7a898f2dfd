import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Ellipsis, Eye, RotateCcw, Trash2 } from 'lucide-react';
import { type DeadLetter, isMessage, type LetterSource } from '../api/dead-letters.js';
import type { Column } from '../parts/data-table.js';
import { Time } from '../parts/time.js';
import { deadLetterTexts as texts } from '../texts/dead-letters.js';
import type { LetterAction } from './letter-dialogs.js';
import css from './dead-letters.module.css';
import { May } from '../parts/may.js';

/** What it was to do. */
export function nameOf(letter: DeadLetter): string {
  if (isMessage(letter)) return texts.kinds[letter.kind] ?? letter.kind;
  return letter.activityTypeName ?? texts.anyStimulus;
}

interface RowActions {
  readonly onLook: (letter: DeadLetter) => void;
  readonly onAct: (action: LetterAction, letter: DeadLetter) => void;
}

export const columnsOf = (source: LetterSource, actions: RowActions): readonly Column<DeadLetter>[] => [
  {
    id: 'what',
    title: texts.columns.what,
    cell: (letter) => (
      <button type="button" className={css.what} onClick={() => actions.onLook(letter)}>
        <span className={css.name}>{nameOf(letter)}</span>
        <span className={css.detail}>{letter.id}</span>
      </button>
    ),
  },
  {
    id: 'error',
    title: texts.columns.error,
    cell: (letter) => (
      <div className={css.cellError}>
        {!isMessage(letter) && (
          <span className={css.reason}>
            {letter.replayedAt === undefined ? texts.reasons[letter.reason] : texts.replayed}
          </span>
        )}
        {letter.lastError}
      </div>
    ),
  },
  {
    id: 'instance',
    title: texts.columns.instance,
    isMinor: true,
    cell: ({ workflowInstanceId }) =>
      workflowInstanceId && (
        <Link className={css.quiet} to="/instances/$instanceId" params={{ instanceId: workflowInstanceId }}>
          {workflowInstanceId}
        </Link>
      ),
  },
  { id: 'attempts', title: texts.columns.attempts, isNarrow: true, isMinor: true, cell: ({ attempts }) => attempts },
  {
    id: 'at',
    title: source === 'outbox' ? texts.columns.created : texts.columns.given,
    isNarrow: true,
    isMinor: true,
    cell: (letter) => <Time value={isMessage(letter) ? letter.createdAt : letter.deadLetteredAt} />,
  },
  {
    id: 'actions',
    title: texts.columns.actions,
    isTitleHidden: true,
    isNarrow: true,
    cell: (letter) => <RowMenu letter={letter} {...actions} />,
  },
];

function RowMenu({ letter, onLook, onAct }: RowActions & { readonly letter: DeadLetter }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={texts.actionsOf(letter.id)}>
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Eye size={14} />} onClick={() => onLook(letter)}>
          {texts.actions.look}
        </Menu.Item>
        <May permission={`replay:${sourceOf(letter)}:dead-letters`}>
          <Menu.Item
            leftSection={<RotateCcw size={14} />}
            disabled={!isMessage(letter) && !letter.canReplay}
            onClick={() => onAct('replay', letter)}
          >
            {texts.actions.replay}
          </Menu.Item>
        </May>
        <May permission={`delete:${sourceOf(letter)}:dead-letters`}>
          <Menu.Item color="red.8" leftSection={<Trash2 size={14} />} onClick={() => onAct('delete', letter)}>
            {texts.actions.delete}
          </Menu.Item>
        </May>
      </Menu.Dropdown>
    </Menu>
  );
}

const sourceOf = (letter: DeadLetter): LetterSource => (isMessage(letter) ? 'outbox' : 'bookmark-queue');
