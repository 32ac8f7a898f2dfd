import { ActionIcon, Button, NumberInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { inspectorTexts } from '../../../texts/inspector.js';
import css from '../inspector.module.css';
import type { EditorProps } from './plain-editor.js';

const texts = inspectorTexts.codes;

interface CodeJson {
  readonly statusCode?: number;
}

/** Status codes with an activity each, which is opened on the canvas. */
export function StatusCodesEditor({ id, value, isReadonly, onChange }: EditorProps) {
  const codes = (Array.isArray(value) ? value : []) as readonly CodeJson[];
  return (
    <div id={id} className={css.cases} role="group">
      {codes.map((one, index) => (
        <div key={index} className={css.caseLine}>
          <CodeField
            code={one.statusCode}
            isReadonly={isReadonly}
            onChange={(statusCode) => onChange(codes.with(index, { ...one, statusCode }))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            disabled={isReadonly}
            aria-label={texts.remove(String(one.statusCode))}
            onClick={() => onChange(codes.toSpliced(index, 1))}
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
        onClick={() => onChange([...codes, { statusCode: 200, activity: null }])}
      >
        {texts.add}
      </Button>
    </div>
  );
}

interface CodeFieldProps {
  readonly code: number | undefined;
  readonly isReadonly: boolean;
  readonly onChange: (code: number) => void;
}

/** While it is empty, the code stays; it shows it again when it is left. */
function CodeField({ code, isReadonly, onChange }: CodeFieldProps) {
  const [isEmpty, setEmpty] = useState(false);
  return (
    <NumberInput
      size="xs"
      className={css.grows}
      aria-label={texts.code}
      min={100}
      max={599}
      hideControls
      allowDecimal={false}
      value={isEmpty ? '' : (code ?? '')}
      readOnly={isReadonly}
      onChange={(next) => {
        setEmpty(typeof next !== 'number');
        if (typeof next === 'number') onChange(next);
      }}
      onBlur={() => setEmpty(false)}
    />
  );
}
