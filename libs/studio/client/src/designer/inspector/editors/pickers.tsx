import { Autocomplete, Select, TagsInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { definitionListQuery } from '../../../api/definitions.js';
import { variableTypesQuery } from '../../../api/descriptors.js';
import { distinct, distinctTexts } from '../../../parts/distinct.js';
import { inspectorTexts as texts } from '../../../texts/inspector.js';
import { useDesign } from '../../designer-context.js';
import { listOf, textOf } from '../input-value.js';
import { labelOfVariable, useVariables } from '../use-variables.js';
import type { EditorProps } from './plain-editor.js';

type Named = Readonly<Record<string, unknown>>;

const NO_ITEMS: readonly never[] = [];

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** With what is set and is not among them: one that was removed, or is declared elsewhere. Left out, it would look as if nothing were set. */
function withUnknown(choices: readonly Choice[], value = '', label = value): Choice[] {
  const isKnown = value === '' || choices.some((choice) => choice.value === value);
  return isKnown ? [...choices] : [...choices, { value, label: texts.notDeclared(label) }];
}

/** The variable itself, or its JSON as a text, is the value. */
export function VariableSelect({
  id,
  value,
  isReadonly,
  isText,
  onChange,
}: EditorProps & { readonly isText?: boolean }) {
  const variables = useVariables();
  const current = asObject(value);
  return (
    <Select
      id={id}
      size="xs"
      data={withUnknown(
        distinct(variables.map((one) => ({ value: one.id, label: labelOfVariable(one) }))),
        current && textOf(current.id),
        current && (textOf(current.name) || textOf(current.id)),
      )}
      value={current ? textOf(current.id) : null}
      readOnly={isReadonly}
      placeholder={texts.notChosen}
      clearable
      onChange={(next) => {
        const variable = variables.find((one) => one.id === next)?.json;
        onChange(
          variable && (isText || typeof value === 'string') ? JSON.stringify(variable) : (variable ?? undefined),
        );
      }}
    />
  );
}

/** An input of the workflow is the value. */
export function InputSelect({ id, value, isReadonly, onChange }: EditorProps) {
  const inputs = useDesign(({ history }) => history.design.inputs ?? NO_ITEMS);
  const written = textOf(asObject(value)?.name);
  // Inputs are found whatever the case of their names.
  const name = inputs.find((one) => one.name.toLowerCase() === written.toLowerCase())?.name ?? written;
  return (
    <Select
      id={id}
      size="xs"
      data={withUnknown(distinct(inputs.map((one) => ({ value: one.name, label: one.displayName || one.name }))), name)}
      value={name || null}
      readOnly={isReadonly}
      placeholder={texts.notChosen}
      clearable
      onChange={(next) => onChange(inputs.find((one) => one.name === next))}
    />
  );
}

export function OutputSelect({ id, value, isReadonly, onChange }: EditorProps) {
  const outputs = useDesign(({ history }) => history.design.outputs ?? NO_ITEMS);
  return (
    <Autocomplete
      id={id}
      size="xs"
      data={distinctTexts(outputs.map(({ name }) => name))}
      value={textOf(value)}
      readOnly={isReadonly}
      placeholder={texts.notChosen}
      onChange={(next) => onChange(next === '' ? undefined : next)}
    />
  );
}

export function OutcomeSelect({ id, value, isReadonly, onChange }: EditorProps) {
  const outcomes = useDesign(({ history }) => history.design.outcomes ?? NO_ITEMS);
  const isList = Array.isArray(value);
  return isList ? (
    <TagsInput
      id={id}
      size="xs"
      data={distinctTexts(outcomes)}
      value={listOf(value)}
      readOnly={isReadonly}
      onChange={(next) => onChange(next)}
    />
  ) : (
    <Autocomplete
      id={id}
      size="xs"
      data={distinctTexts(outcomes)}
      value={textOf(value)}
      readOnly={isReadonly}
      placeholder={texts.notChosen}
      onChange={(next) => onChange(next === '' ? undefined : next)}
    />
  );
}

export function TypeSelect({ id, value, isReadonly, onChange }: EditorProps) {
  const { data = [] } = useQuery(variableTypesQuery);
  const groups = [...new Set(data.map(({ category }) => category))];
  const known = data.some(({ typeName }) => typeName === value);
  const others = !known && textOf(value) !== '' ? [{ value: textOf(value), label: textOf(value) }] : [];
  return (
    <Select
      id={id}
      size="xs"
      searchable
      data={[
        ...others,
        ...groups.map((group) => ({
          group,
          items: data
            .filter(({ category }) => category === group)
            .map(({ typeName, displayName }) => ({ value: typeName, label: displayName })),
        })),
      ]}
      value={textOf(value) || null}
      readOnly={isReadonly}
      allowDeselect={false}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}

const SEARCH_MS = 250;

/** The published workflows that have what is typed in their name, description or id: an application may have hundreds. */
export function WorkflowSelect({ id, value, isReadonly, onChange }: EditorProps) {
  const [typed, setTyped] = useState('');
  const [searchTerm] = useDebouncedValue(typed.trim(), SEARCH_MS);
  const { data } = useQuery(
    definitionListQuery({
      versionOptions: 'Published',
      orderBy: 'Name',
      pageSize: 100,
      ...(searchTerm === '' ? {} : { searchTerm }),
    }),
  );
  const items = (data?.items ?? []).map(({ definitionId, name }) => ({
    value: definitionId,
    label: name ? `${name} (${definitionId})` : definitionId,
  }));
  const text = textOf(value);
  return (
    <Select
      id={id}
      size="xs"
      searchable
      clearable
      data={text === '' || items.some((item) => item.value === text) ? items : [{ value: text, label: text }, ...items]}
      value={text || null}
      // The name of the one that is chosen stands in the field as well: it was not typed.
      onSearchChange={(next) => setTyped(items.some(({ label }) => label === next) ? '' : next)}
      // The server has found them, also by their descriptions.
      filter={({ options }) => options}
      readOnly={isReadonly}
      placeholder={texts.notChosen}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}

function asObject(value: unknown): Named | undefined {
  try {
    const object: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return typeof object === 'object' && object !== null ? (object as Named) : undefined;
  } catch {
    return undefined;
  }
}
