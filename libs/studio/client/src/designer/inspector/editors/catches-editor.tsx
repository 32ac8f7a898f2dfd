import { ActionIcon, Button, TagsInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { inspectorTexts } from '../../../texts/inspector.js';
import { listOf } from '../input-value.js';
import css from '../inspector.module.css';
import type { EditorProps } from './plain-editor.js';

const texts = inspectorTexts.catches;

interface CatchJson {
  readonly errors?: unknown;
}

/** Branches of a Try for certain errors; what each does is opened on the canvas. */
export function CatchesEditor({ id, value, isReadonly, onChange }: EditorProps) {
  const catches = (Array.isArray(value) ? value : []) as readonly CatchJson[];
  return (
    <div id={id} className={css.cases} role="group">
      {catches.map((one, index) => (
        <div key={index} className={css.caseLine}>
          <TagsInput
            size="xs"
            className={css.grows}
            aria-label={texts.errors(index + 1)}
            placeholder={texts.placeholder}
            value={listOf(one.errors)}
            readOnly={isReadonly}
            acceptValueOnBlur
            onChange={(errors) => onChange(catches.with(index, { ...one, errors }))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            disabled={isReadonly}
            aria-label={texts.remove(index + 1)}
            onClick={() => onChange(catches.toSpliced(index, 1))}
          >
            <Trash2 size={14} />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<Plus size={13} aria-hidden />}
        disabled={isReadonly}
        onClick={() => onChange([...catches, { errors: [], activity: null }])}
      >
        {texts.add}
      </Button>
    </div>
  );
}
