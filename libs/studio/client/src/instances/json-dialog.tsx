import { Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Confirm } from '../parts/confirm.js';
import type { Instance } from '../api/instances.js';
import { instanceTexts } from '../texts/instances.js';
import { OneInstance } from '../parts/one-instance.js';

const texts = instanceTexts.page;

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
  const parsed = parse(text);
  return (
    <Confirm
      title={title}
      action={action}
      isDisabled={!parsed.isValid}
      onConfirm={() => onConfirm(parsed.value)}
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
        error={parsed.isValid ? undefined : texts.notJson}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {notice}
    </Confirm>
  );
}

function parse(text: string): { isValid: boolean; value?: unknown } {
  if (text.trim() === '') return { isValid: true };
  try {
    return { isValid: true, value: JSON.parse(text) };
  } catch {
    return { isValid: false };
  }
}
