import { Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Confirm } from '../parts/confirm.js';
import type { Instance } from '../api/instances.js';
import { errorOfJson } from '../parts/error-of-json.js';
import { readJson, UnreadableJson } from '../parts/form-values.js';
import { OneInstance } from '../parts/one-instance.js';

interface JsonDialogProps {
  readonly instance: Instance;
  readonly title: string;
  readonly lead: string;
  readonly label: string;
  readonly action: string;
  readonly value: string;
  /** What people have to know before they answer. */
  readonly notice?: ReactNode;
  /** Gets what was typed, and `undefined` for nothing. */
  readonly onConfirm: (value: unknown) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for a value as JSON. */
export function JsonDialog(props: JsonDialogProps) {
  const { instance, title, lead, label, action, value, notice, onConfirm, onClose } = props;
  const [text, setText] = useState(value);
  const parsed = readJson(text);
  return (
    <Confirm
      title={title}
      action={action}
      isDisabled={parsed instanceof UnreadableJson}
      onConfirm={() => onConfirm(parsed)}
      onClose={onClose}
    >
      <OneInstance instance={instance} />
      <p>{lead}</p>
      <Textarea
        data-autofocus
        autosize
        minRows={4}
        maxRows={16}
        label={label}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        error={errorOfJson(parsed)}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {notice}
    </Confirm>
  );
}
