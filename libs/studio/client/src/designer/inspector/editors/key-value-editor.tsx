import { ActionIcon, Button, TextInput } from '@mantine/core';
import { Braces, Plus, Table, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { InputDescriptor } from '../../../api/descriptors.js';
import { inspectorTexts } from '../../../texts/inspector.js';
import { textOf } from '../input-value.js';
import css from '../inspector.module.css';
import { CodeField } from './code-field.js';
import { entriesOf, type Entry, isTwice, jsonOf } from './key-values.js';
import type { EditorProps } from './plain-editor.js';

const texts = inspectorTexts.table;

/** Inputs that take texts by name, whatever editor their descriptor names. */
export const isTable = ({ typeName, uiHint }: InputDescriptor): boolean =>
  uiHint === 'dictionary' || /(Dictionary|Map|HttpHeaders)$/.test(typeName);

interface KeyValueEditorProps extends EditorProps {
  readonly label: string;
  readonly activityType: string;
}

/** Names and texts as a table; as JSON what a table has no room for, and whenever the user likes that better. */
export function KeyValueEditor(props: KeyValueEditorProps) {
  const { id, label, activityType, value, isReadonly, onChange } = props;
  const entries = entriesOf(value);
  const [isJson, setJson] = useState(entries === undefined);
  // It stays an editor once the text would fit a table: the table would take its place in the middle of a word.
  if (entries === undefined && !isJson) setJson(true);
  return (
    <div>
      {isJson || !entries ? (
        <CodeField
          id={id}
          label={label}
          language="Json"
          activityType={activityType}
          value={
            typeof value === 'string' || value === undefined || value === null
              ? textOf(value)
              : JSON.stringify(value, undefined, 2)
          }
          isReadonly={isReadonly}
          onChange={onChange}
        />
      ) : (
        <Rows {...props} entries={entries} />
      )}
      {entries && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={isJson ? <Table size={13} aria-hidden /> : <Braces size={13} aria-hidden />}
          onClick={() => setJson(!isJson)}
        >
          {isJson ? texts.asTable : texts.asJson}
        </Button>
      )}
    </div>
  );
}

/** Rows that are not complete yet are kept here, and are not written. */
function Rows({
  id,
  label,
  value,
  isReadonly,
  onChange,
  entries,
}: KeyValueEditorProps & { entries: readonly Entry[] }) {
  const [drawn, setDrawn] = useState<readonly Entry[]>(entries);
  // Changed from outside, by undo for example.
  const rows = jsonOf(drawn) === jsonOf(entries) ? drawn : entries;
  const change = (next: readonly Entry[]) => {
    setDrawn(next);
    const json = jsonOf(next);
    if (json === jsonOf(entries)) return;
    const isEmpty = json === '{}';
    onChange(isEmpty ? undefined : typeof value === 'object' && value !== null ? JSON.parse(json) : json);
  };
  return (
    <div id={id} className={css.cases} role="group" aria-label={label}>
      {rows.map(([name, text], index) => (
        <div key={index} className={css.caseLine}>
          <TextInput
            size="xs"
            className={css.grows}
            aria-label={texts.name(index + 1)}
            placeholder={texts.namePlaceholder}
            value={name}
            readOnly={isReadonly}
            error={isTwice(rows, index) ? texts.twice : undefined}
            onChange={(event) => change(rows.with(index, [event.currentTarget.value, text]))}
          />
          <TextInput
            size="xs"
            className={css.grows}
            aria-label={name === '' ? texts.value(index + 1) : texts.valueOf(name)}
            placeholder={texts.valuePlaceholder}
            value={text}
            readOnly={isReadonly}
            onChange={(event) => change(rows.with(index, [name, event.currentTarget.value]))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            disabled={isReadonly}
            aria-label={texts.remove(name)}
            onClick={() => change(rows.toSpliced(index, 1))}
          >
            <Trash2 size={14} />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Plus size={13} aria-hidden />}
        disabled={isReadonly}
        onClick={() => change([...rows, ['', '']])}
      >
        {texts.add}
      </Button>
    </div>
  );
}
