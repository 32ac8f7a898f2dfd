import { Loader, Modal, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react';
import { definitionListQuery } from '../api/definitions.js';
import { instanceListQuery } from '../api/instances.js';
import { useDefinitionNames } from '../api/use-definition-names.js';
import { paletteTexts as texts, shellTexts } from '../texts/shell.js';
import { workflowTexts } from '../texts/workflows.js';
import { useRooms } from './rooms.js';
import { READ_DEFINITIONS, READ_INSTANCES, useMay } from '../api/permissions.js';
import { useReturnedFocus } from '../parts/use-returned-focus.js';
import css from './palette.module.css';

interface Entry {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly detail?: string | undefined;
  /** If true, it is found without asking the server. */
  readonly isKnown?: true;
  readonly run: () => unknown;
}

const FOUND = 6;

/** Goes anywhere: rooms, actions, workflows and instances by whatever is known of them. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const [asked] = useDebouncedValue(text.trim(), 200);
  const { entries, isFetching, isOfBefore } = useEntries(text.trim(), asked);
  /** Enter was pressed before the answer to what was typed had come. */
  const [isWanted, setWanted] = useState(false);
  const index = Math.min(active, entries.length - 1);
  const leave = useReturnedFocus();
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    leave();
    onClose();
    void entry.run();
  };
  useEffect(() => {
    if (!isWanted || isOfBefore) return;
    setWanted(false);
    choose(entries[index]);
    // The first of what was found for what is typed now.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isWanted, isOfBefore]);
  const onKeyDown = (event: KeyboardEvent) => {
    // These keys choose among the letters that an input method offers.
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && entries.length > 0) {
      event.preventDefault();
      setActive((index + step + entries.length) % entries.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const entry = entries[index];
      if (isOfBefore && !entry?.isKnown) setWanted(true);
      else choose(entry);
    }
  };
  return (
    <Modal.Root opened onClose={onClose} padding={0} size="lg" yOffset="12vh" transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content aria-label={texts.title}>
        <div className={css.field}>
          <Search size={16} aria-hidden />
          <input
            className={css.input}
            data-autofocus
            role="combobox"
            aria-label={texts.title}
            aria-expanded
            aria-controls="palette-results"
            aria-activedescendant={entries[index] && `palette-${entries[index].id}`}
            placeholder={texts.placeholder}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setActive(0);
              setWanted(false);
            }}
            onKeyDown={onKeyDown}
          />
          {isFetching && <Loader size={14} color="gray" />}
        </div>
        <ul id="palette-results" role="listbox" aria-label={texts.results} className={css.results}>
          {entries.map((entry, position) => (
            <li
              key={entry.id}
              id={`palette-${entry.id}`}
              role="option"
              aria-selected={position === index}
              className={css.entry}
              onMouseMove={() => setActive(position)}
              onClick={() => choose(entry)}
            >
              <span className={css.label}>{entry.label}</span>
              {entry.detail && <span className={css.detail}>{entry.detail}</span>}
              <span className={css.group}>{entry.group}</span>
            </li>
          ))}
        </ul>
        {entries.length === 0 && !isFetching && (
          <p className={css.nothing} role="status">
            {texts.nothing}
          </p>
        )}
      </Modal.Content>
    </Modal.Root>
  );
}

interface Found {
  readonly entries: readonly Entry[];
  readonly isFetching: boolean;
  /** If true, some were found for what was typed before. */
  readonly isOfBefore: boolean;
}

function useEntries(text: string, asked: string): Found {
  const navigate = useNavigate();
  const { toggleColorScheme } = useMantineColorScheme();
  const mayReadDefinitions = useMay(...READ_DEFINITIONS);
  const definitions = useQuery({
    ...definitionListQuery({ searchTerm: asked, pageSize: FOUND, versionOptions: 'Latest' }),
    enabled: asked !== '' && mayReadDefinitions,
  });
  const mayReadInstances = useMay(READ_INSTANCES);
  const instances = useQuery({
    ...instanceListQuery({ searchTerm: asked, pageSize: FOUND }),
    enabled: asked !== '' && mayReadInstances,
  });
  const names = useDefinitionNames(instances.data?.items ?? []);
  const rooms = useRooms();
  const mayWrite = useMay('write:workflow-definitions');
  const fixed = useMemo<Entry[]>(
    () => [
      ...rooms.map(({ to, label }) => ({
        id: `room-${label}`,
        isKnown: true as const,
        group: texts.groups.rooms,
        label,
        run: () => navigate({ to }),
      })),
      ...(mayWrite
        ? [
            {
              id: 'action-new',
              isKnown: true as const,
              group: texts.groups.actions,
              label: workflowTexts.create.action,
              run: () => navigate({ to: '/workflows', search: { dialog: 'create' } }),
            },
          ]
        : []),
      {
        id: 'action-colours',
        isKnown: true,
        group: texts.groups.actions,
        label: `${shellTexts.toLight} / ${shellTexts.toDark}`,
        run: toggleColorScheme,
      },
    ],
    [navigate, toggleColorScheme, rooms, mayWrite],
  );
  const matching = fixed.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
  const found: Entry[] =
    text === ''
      ? []
      : [
          ...(definitions.data?.items ?? []).map(({ definitionId, name }) => ({
            id: `workflow-${definitionId}`,
            group: texts.groups.workflows,
            label: name || definitionId,
            detail: definitionId,
            run: () => navigate({ to: '/workflows/$definitionId', params: { definitionId } }),
          })),
          ...(instances.data?.items ?? []).map(({ id, name, correlationId, definitionId }) => ({
            id: `instance-${id}`,
            group: texts.groups.instances,
            label: name || correlationId || id,
            detail: `${names.get(definitionId) ?? definitionId} · ${id}`,
            run: () => navigate({ to: '/instances/$instanceId', params: { instanceId: id } }),
          })),
        ];
  const isFetching = definitions.isFetching || instances.isFetching;
  return { entries: [...matching, ...found], isFetching, isOfBefore: text !== '' && (text !== asked || isFetching) };
}
