import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Send, Trash2, Undo2 } from 'lucide-react';
import { exportDefinitions, type Total } from '../api/definitions.js';
import { EXPORT_DEFINITIONS } from '../api/permissions.js';
import { download } from '../parts/download.js';
import { ExportButton } from '../parts/export-button.js';
import { SelectionBar } from '../parts/selection-bar.js';
import { notify, notifyError } from '../parts/toasts.js';
import { useQuestion } from '../parts/use-question.js';
import type { RowSelection } from '../parts/use-selection.js';
import { workflowTexts as texts } from '../texts/workflows.js';
import type { WorkflowRow } from './use-workflow-rows.js';
import { type WorkflowAction, WorkflowDialog } from './workflow-dialogs.js';
import { May } from '../parts/may.js';

interface BulkBarProps {
  readonly selection: RowSelection<WorkflowRow>;
  readonly total: Total | undefined;
}

/** What can be done with the selected definitions. */
export function BulkBar({ selection, total }: BulkBarProps) {
  const { rows, clear } = selection;
  const { action, ask, close } = useQuestion<WorkflowAction, WorkflowRow>(selection);
  const save = useMutation({
    mutationFn: async () => download(await exportDefinitions(rows.map(({ id }) => id)), 'workflow-definitions.zip'),
    onSuccess: () => notify(texts.exported(rows.length)),
    onError: notifyError,
  });
  return (
    <SelectionBar selection={selection} total={total}>
      <May permission="publish:workflow-definitions">
        <Button size="xs" variant="default" leftSection={<Send size={14} />} onClick={() => ask('publish')}>
          {texts.actions.publish}
        </Button>
      </May>
      <May permission="retract:workflow-definitions">
        <Button size="xs" variant="default" leftSection={<Undo2 size={14} />} onClick={() => ask('retract')}>
          {texts.actions.retract}
        </Button>
      </May>
      <May permission={EXPORT_DEFINITIONS}>
        <ExportButton save={save}>{texts.actions.export}</ExportButton>
      </May>
      <May permission="delete:workflow-definitions">
        <Button size="xs" color="red.8" leftSection={<Trash2 size={14} />} onClick={() => ask('delete')}>
          {texts.actions.delete}
        </Button>
      </May>
      {action && <WorkflowDialog action={action} rows={rows} onClose={close} onDone={clear} />}
    </SelectionBar>
  );
}
