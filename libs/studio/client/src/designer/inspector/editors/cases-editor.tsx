import { ActionIcon, Button, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { inspectorTexts } from '../../../texts/inspector.js';
import { LanguageSelect } from '../language-select.js';
import css from '../inspector.module.css';
import { CodeField } from './code-field.js';
import type { EditorProps } from './plain-editor.js';

const texts = inspectorTexts.cases;

interface CaseJson {
  readonly label?: string;
  readonly condition?: { readonly type?: string; readonly value?: unknown };
}

/** The cases of a switch: a label, which is the way out, and a condition. */
export function CasesEditor({
  id,
  value,
  isReadonly,
  activityType,
  onChange,
}: EditorProps & { readonly activityType: string }) {
  const cases = (Array.isArray(value) ? value : []) as readonly CaseJson[];
  const set = (index: number, next: Partial<CaseJson>) => onChange(cases.with(index, { ...cases[index], ...next }));
  return (
    <div id={id} className={css.cases} role="group">
      {cases.map((one, index) => {
        const { label = '', condition } = one;
        const type = condition?.type ?? 'JavaScript';
        return (
          <div key={index} className={css.case}>
            <div className={css.caseLine}>
              <LabelField
                label={label}
                others={cases.flatMap((other) => (other === one ? [] : (other.label ?? '')))}
                isReadonly={isReadonly}
                onChange={(next) => set(index, { label: next })}
              />
              <LanguageSelect
                label={inspectorTexts.language(label || texts.condition)}
                plain="Literal"
                value={type}
                isDisabled={isReadonly}
                isText
                onChange={(next) => set(index, { condition: { ...condition, type: next } })}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={isReadonly}
                aria-label={texts.remove(label)}
                onClick={() => onChange(cases.toSpliced(index, 1))}
              >
                <Trash2 size={14} />
              </ActionIcon>
            </div>
            <CodeField
              id={`${id}-${index}`}
              label={`${texts.condition} ${label}`}
              language={type}
              activityType={activityType}
              value={typeof condition?.value === 'string' ? condition.value : ''}
              isReadonly={isReadonly}
              onChange={(text) => set(index, { condition: { type, ...condition, value: text } })}
            />
          </div>
        );
      })}
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<Plus size={13} aria-hidden />}
        disabled={isReadonly}
        onClick={() =>
          onChange([
            ...cases,
            { label: texts.newLabel(cases.length + 1), condition: { type: 'JavaScript', value: '' } },
          ])
        }
      >
        {texts.add}
      </Button>
    </div>
  );
}

interface LabelFieldProps {
  readonly label: string;
  readonly others: readonly string[];
  readonly isReadonly: boolean;
  readonly onChange: (label: string) => void;
}

/** A label is the name of a way out. While it is empty, or that of another case, the old one stays: connections could not follow it. */
function LabelField({ label, others, isReadonly, onChange }: LabelFieldProps) {
  const [unfit, setUnfit] = useState<string>();
  const isTaken = unfit !== undefined && unfit !== '';
  return (
    <TextInput
      size="xs"
      className={css.grows}
      aria-label={texts.label}
      value={unfit ?? label}
      error={isTaken && texts.taken}
      readOnly={isReadonly}
      onChange={({ currentTarget: { value } }) => {
        const isFit = value !== '' && !others.includes(value);
        setUnfit(isFit ? undefined : value);
        if (isFit) onChange(value);
      }}
      onBlur={() => setUnfit(undefined)}
    />
  );
}
