import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import {
  CopyPlus,
  Download,
  EllipsisVertical,
  Flame,
  History,
  ListChecks,
  PencilLine,
  Play,
  Send,
  Trash2,
  Undo2,
} from 'lucide-react';
import { useState } from 'react';
import { exportDefinition } from '../api/definitions.js';
import { EXPORT_DEFINITIONS } from '../api/permissions.js';
import { usePart } from '../parts/use-part.js';
import { download } from '../parts/download.js';
import { notifyError } from '../parts/toasts.js';
import { workflowTexts as texts } from '../texts/workflows.js';
import type { WorkflowRow } from './use-workflow-rows.js';
import { type WorkflowAction, WorkflowDialog } from './workflow-dialogs.js';
import { May } from '../parts/may.js';

// The list is there before it: most people come for something else.
const runWorkflow = () => import('../run/run-workflow.js').then(({ RunWorkflow }) => RunWorkflow);

const CHANGES = ['publish:workflow-definitions', 'retract:workflow-definitions', 'delete:workflow-definitions'];

interface WorkflowMenuProps {
  readonly row: WorkflowRow;
  readonly onDeleted?: (() => void) | undefined;
}

/** What can be done with one definition. */
export function WorkflowMenu({ row, onDeleted }: WorkflowMenuProps) {
  const [action, setAction] = useState<WorkflowAction>();
  const run = usePart(runWorkflow);
  const { definitionId, name, isReadonly, isPublished, publishedVersion } = row;
  const label = texts.actionsOf(name || definitionId);
  const { actions } = texts;
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={label}>
            <EllipsisVertical size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {publishedVersion !== undefined && (
            <May permission="exec:workflow-definitions">
              <Menu.Item leftSection={<Play size={15} />} onClick={run.open}>
                {actions.run}
              </Menu.Item>
            </May>
          )}
          <Menu.Item
            leftSection={<ListChecks size={15} />}
            renderRoot={(props) => <Link {...props} to="/instances" search={{ workflow: definitionId }} />}
          >
            {actions.instances}
          </Menu.Item>
          <Menu.Item
            leftSection={<Flame size={15} />}
            renderRoot={(props) => <Link {...props} to="/workflows/$definitionId/standing" params={{ definitionId }} />}
          >
            {actions.standing}
          </Menu.Item>
          <Menu.Item
            leftSection={<History size={15} />}
            renderRoot={(props) => <Link {...props} to="/workflows/$definitionId/versions" params={{ definitionId }} />}
          >
            {actions.versions}
          </Menu.Item>
          <May permission={EXPORT_DEFINITIONS}>
            <Menu.Item
              leftSection={<Download size={15} />}
              onClick={() =>
                void exportDefinition(definitionId)
                  .then((response) => download(response, `${definitionId}.json`))
                  .catch(notifyError)
              }
            >
              {actions.export}
            </Menu.Item>
          </May>
          <May permission="write:workflow-definitions">
            <Menu.Item leftSection={<CopyPlus size={15} />} onClick={() => setAction('duplicate')}>
              {actions.duplicate}
            </Menu.Item>
          </May>
          {!isReadonly && (
            <>
              <May permission="write:workflow-definitions">
                <Menu.Item leftSection={<PencilLine size={15} />} onClick={() => setAction('rename')}>
                  {actions.rename}
                </Menu.Item>
              </May>
              <May permission={CHANGES}>
                <Menu.Divider />
              </May>
              {!isPublished && (
                <May permission="publish:workflow-definitions">
                  <Menu.Item leftSection={<Send size={15} />} onClick={() => setAction('publish')}>
                    {actions.publish}
                  </Menu.Item>
                </May>
              )}
              {publishedVersion !== undefined && (
                <May permission="retract:workflow-definitions">
                  <Menu.Item leftSection={<Undo2 size={15} />} onClick={() => setAction('retract')}>
                    {actions.retract}
                  </Menu.Item>
                </May>
              )}
              <May permission="delete:workflow-definitions">
                <Menu.Item leftSection={<Trash2 size={15} />} color="red" onClick={() => setAction('delete')}>
                  {actions.delete}
                </Menu.Item>
              </May>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {run.Part && <run.Part definitionId={definitionId} onClose={run.close} />}
      {action && (
        <WorkflowDialog
          action={action}
          rows={[row]}
          onClose={() => setAction(undefined)}
          onDone={() => action === 'delete' && onDeleted?.()}
        />
      )}
    </>
  );
}
