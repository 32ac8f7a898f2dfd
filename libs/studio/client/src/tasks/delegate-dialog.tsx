import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { delegateTask, tasksKey } from '../api/tasks.js';
import { Confirm } from '../parts/confirm.js';
import { notify } from '../parts/toasts.js';
import { taskTexts as texts } from '../texts/tasks.js';

export function DelegateDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const [to, setTo] = useState('');
  const [reason, setReason] = useState('');
  const client = useQueryClient();
  const delegate = async () => {
    await delegateTask(id, to.trim(), reason.trim() || undefined);
    notify(texts.delegated(to.trim()));
    await client.invalidateQueries({ queryKey: tasksKey });
  };
  return (
    <Confirm
      title={texts.delegateTitle}
      action={texts.delegate}
      isDisabled={to.trim() === ''}
      onConfirm={delegate}
      onClose={onClose}
    >
      <p>{texts.delegateLead}</p>
      <TextInput
        data-autofocus
        label={texts.delegateTo}
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <TextInput label={texts.reason} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
    </Confirm>
  );
}
