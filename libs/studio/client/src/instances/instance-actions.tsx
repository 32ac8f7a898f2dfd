import { ActionIcon, Button, Menu } from '@mantine/core';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { Ban, Download, EllipsisVertical, Play, RotateCcw, Trash2, Wrench } from 'lucide-react';
import { useState } from 'react';
import { exportInstances, type Instance } from '../api/instances.js';
import { usePart } from '../parts/use-part.js';
import { download } from '../parts/download.js';
import { notifyError } from '../parts/toasts.js';
import { instanceTexts as texts } from '../texts/instances.js';
import { canBeAltered } from './alteration-targets.js';
import { runTexts } from '../texts/operations.js';
import { type InstanceAction, InstanceDialog } from './instance-dialogs.js';
import { May } from '../parts/may.js';

/** What can be done with the instance that is looked at. */
export function InstanceActions({ instance }: { readonly instance: Instance }) {
  const { id, name, status, incidentCount } = instance;
  const navigate = useNavigate();
  const router = useRouter();
  /** To the list, unless the person has gone on to another page meanwhile. */
  const leave = () => {
    if (router.state.location.pathname.endsWith(`/instances/${encodeURIComponent(id)}`))
      void navigate({ to: '/instances' });
  };
  const again = usePart(() => import('../run/run-workflow.js').then(({ RunWorkflow }) => RunWorkflow));
  const [action, setAction] = useState<InstanceAction>();
  return (
    <>
      {incidentCount > 0 && canBeAltered(instance) && (
        <May permission="run:alterations">
          <Button leftSection={<RotateCcw size={15} />} onClick={() => setAction('retry')}>
            {texts.actions.retry}
          </Button>
        </May>
      )}
      {status === 'Running' && (
        <May permission="cancel:workflow-instances">
          <Button variant="default" leftSection={<Ban size={15} />} onClick={() => setAction('cancel')}>
            {texts.actions.cancel}
          </Button>
        </May>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={texts.actionsOf(name || id)}>
            <EllipsisVertical size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {canBeAltered(instance) && (
            <May permission="run:alterations">
              <Menu.Item leftSection={<Wrench size={15} />} onClick={() => setAction('alter')}>
                {texts.actions.alter}
              </Menu.Item>
            </May>
          )}
          <May permission="exec:workflow-definitions">
            <Menu.Item leftSection={<Play size={14} />} onClick={again.open}>
              {runTexts.again.action}
            </Menu.Item>
          </May>
          <Menu.Item
            leftSection={<Download size={15} />}
            onClick={() =>
              void exportInstances([id])
                .then((response) => download(response, `workflow-instance-${id}.json`))
                .catch(notifyError)
            }
          >
            {texts.actions.export}
          </Menu.Item>
          <May permission="delete:workflow-instances">
            <Menu.Item leftSection={<Trash2 size={15} />} color="red" onClick={() => setAction('delete')}>
              {texts.actions.delete}
            </Menu.Item>
          </May>
        </Menu.Dropdown>
      </Menu>
      {again.Part && <again.Part definitionId={instance.definitionId} again={instance} onClose={again.close} />}
      {action && (
        <InstanceDialog action={action} rows={[instance]} onClose={() => setAction(undefined)} onGone={leave} />
      )}
    </>
  );
}
