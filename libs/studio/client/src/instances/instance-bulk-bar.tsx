import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Ban, RotateCcw, Trash2, Wrench } from 'lucide-react';
import type { Total } from '../api/definitions.js';
import { exportInstances, type InstanceSummary } from '../api/instances.js';
import { download } from '../parts/download.js';
import { ExportButton } from '../parts/export-button.js';
import { SelectionBar } from '../parts/selection-bar.js';
import { notifyError } from '../parts/toasts.js';
import { useQuestion } from '../parts/use-question.js';
import type { RowSelection } from '../parts/use-selection.js';
import { instanceTexts as texts } from '../texts/instances.js';
import { canBeAltered } from './alteration-targets.js';
import { type InstanceAction, InstanceDialog } from './instance-dialogs.js';
import { May } from '../parts/may.js';

interface BulkBarProps {
  readonly selection: RowSelection<InstanceSummary>;
  readonly total: Total | undefined;
}

/** What can be done with the selected instances. */
export function InstanceBulkBar({ selection, total }: BulkBarProps) {
  const { rows, clear } = selection;
  const { action, ask, close } = useQuestion<InstanceAction, InstanceSummary>(selection);
  const save = useMutation({
    mutationFn: async () => download(await exportInstances(rows.map(({ id }) => id)), 'workflow-instances.zip'),
    onError: notifyError,
  });
  return (
    <SelectionBar selection={selection} total={total}>
      <May permission="run:alterations">
        <Button
          size="xs"
          variant="default"
          leftSection={<RotateCcw size={14} />}
          disabled={!rows.some((row) => row.incidentCount > 0 && canBeAltered(row))}
          onClick={() => ask('retry')}
        >
          {texts.actions.retry}
        </Button>
      </May>
      <May permission="run:alterations">
        <Button
          size="xs"
          variant="default"
          leftSection={<Wrench size={14} />}
          disabled={!rows.some(canBeAltered)}
          onClick={() => ask('alter')}
        >
          {texts.actions.alter}
        </Button>
      </May>
      <May permission="cancel:workflow-instances">
        <Button
          size="xs"
          variant="default"
          leftSection={<Ban size={14} />}
          disabled={rows.every(({ status }) => status === 'Finished')}
          onClick={() => ask('cancel')}
        >
          {texts.actions.cancel}
        </Button>
      </May>
      <ExportButton save={save}>{texts.actions.export}</ExportButton>
      <May permission="delete:workflow-instances">
        <Button size="xs" color="red.8" leftSection={<Trash2 size={14} />} onClick={() => ask('delete')}>
          {texts.actions.delete}
        </Button>
      </May>
      {action && <InstanceDialog action={action} rows={rows} onClose={close} onDone={clear} />}
    </SelectionBar>
  );
}
