import { Button, CloseButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download, Send, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { exportDefinitions } from '../api/definitions.js';
import { download } from '../parts/download.js';
import { notify, notifyError } from '../parts/toasts.js';
import { listTexts } from '../texts/lists.js';
import { workflowTexts as texts } from '../texts/workflows.js';
import type { WorkflowRow } from './use-workflow-rows.js';
import { type WorkflowAction, WorkflowDialog } from './workflow-dialogs.js';
import css from '../parts/bulk-bar.module.css';

interface BulkBarProps {
  readonly rows: readonly WorkflowRow[];
  readonly onDone: () => void;
}

/** What can be done with the selected definitions. */
export function BulkBar({ rows, onDone }: BulkBarProps) {
  const [action, setAction] = useState<WorkflowAction>();
  const save = useMutation({
    mutationFn: async () => download(await exportDefinitions(rows.map(({ id }) => id)), 'workflow-definitions.zip'),
    onSuccess: () => notify(texts.exported(rows.length)),
    onError: notifyError,
  });
  if (rows.length === 0) return null;
  return (
    <div className={css.bar} role="toolbar" aria-label={listTexts.selected(rows.length)}>
      <CloseButton size="sm" aria-label={listTexts.clearSelection} onClick={onDone} />
      <span className={css.count}>{listTexts.selected(rows.length)}</span>
      <Button size="xs" variant="default" leftSection={<Send size={14} />} onClick={() => setAction('publish')}>
        {texts.actions.publish}
      </Button>
      <Button size="xs" variant="default" leftSection={<Undo2 size={14} />} onClick={() => setAction('retract')}>
        {texts.actions.retract}
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
      {action && <WorkflowDialog action={action} rows={rows} onClose={() => setAction(undefined)} onDone={onDone} />}
    </div>
  );
}
