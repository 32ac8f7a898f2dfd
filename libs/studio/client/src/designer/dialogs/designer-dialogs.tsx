import { useMemo } from 'react';
import { Kbd, Table } from '@mantine/core';
import type { ActivityDescriptor } from '../../api/descriptors.js';
import { Dialog as Frame } from '../../parts/dialog.js';
import { designerTexts as texts } from '../../texts/designer.js';
import { iconOf } from '../canvas/category-look.js';
import { nameOf, typeName } from '../canvas/names.js';
import { type Dialog, useDesigner } from '../designer-context.js';
import { activityOf } from '../model/level.js';
import { outcomesOf } from '../model/ports.js';
import type { Target } from '../store/actions.js';
import { CallDialog } from './call-dialog.js';
import { Chooser } from './chooser.js';
import { ConflictDialog } from './conflict-dialog.js';
import { FindDialog } from './find-dialog.js';
import { PublishDialog } from './publish-dialog.js';

interface DialogProps<T> {
  readonly dialog: T;
  readonly onClose: () => void;
}

export function DesignerDialogs({ dialog, onClose }: DialogProps<Dialog>) {
  const { focusCanvas } = useDesigner();
  const close = () => {
    onClose();
    focusCanvas();
  };
  switch (dialog.kind) {
    case 'insert':
      return <InsertDialog target={dialog.target} onClose={close} />;
    case 'connect':
      return <ConnectDialog dialog={dialog} onClose={close} />;
    case 'fill':
      return <FillDialog dialog={dialog} onClose={close} />;
    case 'find':
      return <FindDialog onClose={close} />;
    case 'help':
      return <HelpDialog onClose={close} />;
    case 'call':
      return <CallDialog onClose={close} />;
    case 'publish':
      return <PublishDialog onClose={close} />;
    case 'conflict':
      return <ConflictDialog onClose={close} />;
  }
}

/** Every type of activity, by its name. */
function useTypeChoices(isOffered: (descriptor: ActivityDescriptor) => boolean = () => true) {
  const { catalogue } = useDesigner();
  const all = useMemo(
    () =>
      [...catalogue.choices, ...catalogue.containers]
        .map((descriptor) => {
          const Icon = iconOf(descriptor.category);
          return {
            id: descriptor.typeName,
            label: typeName(descriptor.typeName, descriptor),
            detail: descriptor.category,
            words: `${descriptor.typeName} ${descriptor.description ?? ''}`,
            icon: <Icon size={15} aria-hidden />,
            descriptor,
          };
        })
        .sort((a, b) => a.label.localeCompare(b.label)),
    [catalogue],
  );
  return all.filter(({ descriptor }) => isOffered(descriptor));
}

function InsertDialog({ target, onClose }: { readonly target: Target | undefined; readonly onClose: () => void }) {
  const { store, actions, focusCanvas } = useDesigner();
  const choices = useTypeChoices();
  const { level } = store.state;
  const name = (id: string) => {
    const activity = activityOf(level, id);
    return activity ? nameOf(activity) : id;
  };
  const title = target?.on
    ? texts.insert.between(name(target.on.source), name(target.on.target))
    : target?.after
      ? texts.insert.after(target.after.port, name(target.after.id))
      : texts.insert.title;
  return (
    <Chooser
      title={title}
      placeholder={texts.insert.placeholder}
      nothing={texts.toolbox.nothing}
      choices={choices}
      onChoose={(type) => {
        focusCanvas(actions.insert(choices.find(({ id }) => id === type)!.descriptor, target));
      }}
      onClose={onClose}
    />
  );
}

const isTrigger = ({ kind }: ActivityDescriptor): boolean => kind === 'Trigger';

/** What a transition waits for, or does. It is opened at once: it wants to know what for, or how. */
function FillDialog({ dialog, onClose }: DialogProps<Extract<Dialog, { kind: 'fill' }>>) {
  const { actions, focusCanvas } = useDesigner();
  const { transition, slot } = dialog;
  const choices = useTypeChoices(slot === 'trigger' ? isTrigger : undefined);
  return (
    <Chooser
      title={texts.machine.fill[slot]}
      placeholder={texts.insert.placeholder}
      nothing={texts.toolbox.nothing}
      choices={choices}
      onChoose={(type) => {
        focusCanvas(actions.fillTransition(transition, slot, choices.find(({ id }) => id === type)!.descriptor));
      }}
      onClose={onClose}
    />
  );
}

function ConnectDialog({ dialog, onClose }: DialogProps<Extract<Dialog, { kind: 'connect' }>>) {
  const { store, actions, catalogue } = useDesigner();
  const { level } = store.state;
  const source = activityOf(level, dialog.source);
  const outcomes = source ? outcomesOf(source, catalogue.of(source)) : [];
  // All ways out at once: "False → Reject".
  const ports = dialog.port === '' ? outcomes : [dialog.port, ...outcomes.filter((port) => port !== dialog.port)];
  const choices = ports.flatMap((port) =>
    level.activities
      .filter(({ id }) => id !== dialog.source && actions.canConnect(dialog.source, port, id))
      .map((activity) => ({
        id: JSON.stringify([port, activity.id]),
        label: outcomes.length > 1 ? `${port} → ${nameOf(activity)}` : nameOf(activity),
        detail: typeName(activity.type, catalogue.of(activity)),
      })),
  );
  return (
    <Chooser
      title={texts.connect.title(outcomes.length > 1 ? '…' : (ports[0] ?? ''), source ? nameOf(source) : '')}
      placeholder={texts.connect.placeholder}
      nothing={texts.connect.nothing}
      choices={choices}
      onChoose={(id) => {
        const [port, target] = JSON.parse(id) as [string, string];
        actions.connect(dialog.source, port, target);
      }}
      onClose={onClose}
    />
  );
}

function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Frame title={texts.help.title} size="lg" onClose={onClose}>
      <Table>
        <Table.Tbody>
          {texts.help.rows.map(([keys, what]) => (
            <Table.Tr key={keys}>
              <Table.Td>
                <Kbd>{keys}</Kbd>
              </Table.Td>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Frame>
  );
}
