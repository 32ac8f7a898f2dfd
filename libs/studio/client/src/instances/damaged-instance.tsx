import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { deleteInstance } from '../api/instance-changes.js';
import { instanceKey, instancesKey } from '../api/instances.js';
import { Confirm } from '../parts/confirm.js';
import { May } from '../parts/may.js';
import { ErrorPanel } from '../parts/states.js';
import { notify } from '../parts/toasts.js';
import { useShown } from '../parts/use-shown.js';
import { instanceTexts as texts } from '../texts/instances.js';

interface DamagedInstanceProps {
  readonly id: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** In the place of an instance whose state cannot be read: what is damaged, and the ways on. */
export function DamagedInstance({ id, error, onRetry }: DamagedInstanceProps) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const isShown = useShown();
  const destroy = async () => {
    await deleteInstance(id);
    notify(texts.delete.done(1));
    // Nothing asks for it once more.
    client.removeQueries({ queryKey: instanceKey(id) });
    if (isShown()) await navigate({ to: '/instances' });
    await client.invalidateQueries({ queryKey: instancesKey });
  };
  return (
    <>
      <ErrorPanel error={error} onRetry={onRetry}>
        <May permission="delete:workflow-instances">
          <Button
            size="xs"
            color="red"
            variant="light"
            leftSection={<Trash2 size={14} />}
            onClick={() => setAsking(true)}
          >
            {texts.damaged.delete}
          </Button>
        </May>
        <Link to="/instances">{texts.damaged.back}</Link>
      </ErrorPanel>
      {isAsking && (
        <Confirm
          title={texts.delete.title(1)}
          action={texts.delete.submit}
          isDangerous
          onConfirm={destroy}
          onClose={() => setAsking(false)}
        >
          <p>{texts.delete.lead}</p>
          <p>{texts.damaged.lead}</p>
        </Confirm>
      )}
    </>
  );
}
