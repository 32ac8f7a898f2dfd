import { ActionIcon } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { changeVariable, variablesQuery, type VariableValue } from '../api/instance-changes.js';
import { type Instance, instanceKey } from '../api/instances.js';
import { failureOf } from '../api/failure-of.js';
import { ErrorPanel, Loading } from '../parts/states.js';
import { notify } from '../parts/toasts.js';
import { instanceTexts } from '../texts/instances.js';
import { JsonDialog } from './json-dialog.js';
import { Value } from './values.js';
import css from './inspector.module.css';
import { useMay } from '../api/permissions.js';

const texts = instanceTexts.page;

/** Variables of the workflow; those of one that has not ended can be changed. */
export function Variables({ instance }: { readonly instance: Instance }) {
  const { id, status, subStatus } = instance;
  // Also of one that failed: to change what it failed for, and retry.
  const mayChange = useMay('write:workflow-instances');
  const canBeChanged = mayChange && (status === 'Running' || subStatus === 'Faulted');
  const client = useQueryClient();
  const [changing, setChanging] = useState<VariableValue>();
  const variables = useQuery(variablesQuery(id));
  if (failureOf(variables)) return <ErrorPanel error={variables.error} onRetry={() => void variables.refetch()} />;
  if (variables.data === undefined) return <Loading />;
  if (variables.data.items.length === 0) return <p className={css.soft}>{texts.noVariables}</p>;
  return (
    <>
      <ul className={css.values}>
        {variables.data.items.map((variable) => (
          <li key={variable.id}>
            <div className={css.valueName}>
              {variable.name}
              {canBeChanged && (
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  aria-label={texts.edit(variable.name)}
                  onClick={() => setChanging(variable)}
                >
                  <Pencil size={13} />
                </ActionIcon>
              )}
            </div>
            <Value name={variable.name} value={variable.value} />
          </li>
        ))}
      </ul>
      {changing && (
        <JsonDialog
          instance={instance}
          title={texts.changeTitle(changing.name)}
          lead={texts.changeLead}
          label={texts.value}
          action={texts.changeSubmit}
          value={changing.value === undefined ? '' : JSON.stringify(changing.value, undefined, 2)}
          notice={
            <ChangedMeanwhile
              before={changing}
              now={variables.data.items.find(({ id: each }) => each === changing.id)}
            />
          }
          onConfirm={async (value) => {
            await changeVariable(id, changing.id, value ?? null);
            await client.invalidateQueries({ queryKey: instanceKey(id) });
            notify(texts.changed(changing.name));
          }}
          onClose={() => setChanging(undefined)}
        />
      )}
    </>
  );
}

interface ChangedProps {
  readonly before: VariableValue;
  /** Undefined: it is not there any more. */
  readonly now: VariableValue | undefined;
}

/** The instance continues while its variable is being edited: what it has written meanwhile would be overwritten unseen. */
function ChangedMeanwhile({ before, now }: ChangedProps) {
  if (!now || JSON.stringify(now.value) === JSON.stringify(before.value)) return null;
  return (
    <div role="alert">
      <p>{texts.changedMeanwhile}</p>
      <Value name={now.name} value={now.value} />
    </div>
  );
}
