import { Button, CloseButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Ban, Download, RotateCcw, Trash2, Wrench } from 'lucide-react';
import { useState } from 'react';
import { exportInstances, type InstanceSummary } from '../api/instances.js';
import { download } from '../parts/download.js';
import { notifyError } from '../parts/toasts.js';
import { instanceTexts as texts } from '../texts/instances.js';
import { listTexts } from '../texts/lists.js';
import { canBeAltered } from './alteration-targets.js';
import { type InstanceAction, InstanceDialog } from './instance-dialogs.js';
import css from '../parts/bulk-bar.module.css';

interface BulkBarProps {
  readonly rows: readonly InstanceSummary[];
  readonly onDone: () => void;
}

/** What can be done with the selected instances. */
export function InstanceBulkBar({ rows, onDone }: BulkBarProps) {
  const [action, setAction] = useState<InstanceAction>();
  const save = useMutation({
    mutationFn: async () => download(await exportInstances(rows.map(({ id }) => id)), 'workflow-instances.zip'),
    onError: notifyError,
  });
  if (rows.length === 0) return null;
  return (
    <div className={css.bar} role="toolbar" aria-label={listTexts.selected(rows.length)}>
      <CloseButton size="sm" aria-label={listTexts.clearSelection} onClick={onDone} />
      <span className={css.count}>{listTexts.selected(rows.length)}</span>
      <Button
        size="xs"
        variant="default"
        leftSection={<RotateCcw size={14} />}
        disabled={rows.every(({ incidentCount }) => incidentCount === 0)}
        onClick={() => setAction('retry')}
      >
        {texts.actions.retry}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<Wrench size={14} />}
        disabled={!rows.some(canBeAltered)}
        onClick={() => setAction('alter')}
      >
        {texts.actions.alter}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<Ban size={14} />}
        disabled={rows.every(({ status }) => status === 'Finished')}
        onClick={() => setAction('cancel')}
      >
        {texts.actions.cancel}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<Download size={14} />}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        {texts.actions.export}
      </Button>
      <Button size="xs" color="red.8" leftSection={<Trash2 size={14} />} onClick={() => setAction('delete')}>
        {texts.actions.delete}
      </Button>
      {action && <InstanceDialog action={action} rows={rows} onClose={() => setAction(undefined)} onDone={onDone} />}
    </div>
  );
}
