import { Checkbox, Radio, Select, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ActivityJson } from '../../../api/definitions.js';
import { type InputDescriptor, inputOptionsQuery, type SelectItem } from '../../../api/descriptors.js';
import { inspectorTexts as texts } from '../../../texts/inspector.js';
import { isTrue, listOf, textOf, typeProblem } from '../input-value.js';
import { CasesEditor } from './cases-editor.js';
import { CatchesEditor } from './catches-editor.js';
import { CodeField } from './code-field.js';
import { CronPreview } from './cron-preview.js';
import { DateField } from './date-field.js';
import { isTable, KeyValueEditor } from './key-value-editor.js';
import { StatusCodesEditor } from './status-codes-editor.js';
import { OutcomeSelect, OutputSelect, TypeSelect, VariableSelect, WorkflowSelect } from './pickers.js';

export interface EditorProps {
  readonly id: string;
  readonly value: unknown;
  readonly isReadonly: boolean;
  readonly onChange: (value: unknown) => void;
}

interface PlainEditorProps extends EditorProps {
  readonly label: string;
  readonly activity: ActivityJson;
  readonly input: InputDescriptor;
}

/** The editor that the hint of an input asks for. */
export function PlainEditor(props: PlainEditorProps) {
  const { id, label, activity, input, value, isReadonly, onChange } = props;
  const plain = { id, value, isReadonly, onChange };
  switch (input.uiHint) {
    case 'checkbox':
      return (
        <Checkbox
          id={id}
          size="sm"
          aria-label={label}
          checked={isTrue(value)}
          disabled={isReadonly}
          // As it was written before: Elsa's designer writes a text.
          onChange={({ currentTarget: { checked } }) =>
            onChange(typeof value === 'string' ? (checked ? 'True' : 'False') : checked)
          }
        />
      );
    case 'dropdown':
      return isTable(input) ? (
        <KeyValueEditor {...plain} label={label} activityType={activity.type} />
      ) : (
        <Choices {...props} />
      );
    case 'radiolist':
    case 'checklist':
      return <Choices {...props} />;
    case 'multitext':
    case 'multi-text':
    case 'multi-line-list':
    case 'dynamic-outcomes':
      return (
        <TagsInput
          id={id}
          size="xs"
          value={listOf(value)}
          readOnly={isReadonly}
          splitChars={[]}
          acceptValueOnBlur
          description={texts.listHint}
          onChange={(list) => onChange(list.length === 0 ? undefined : JSON.stringify(list))}
        />
      );
    case 'switch-editor':
    case 'flow-switch-editor':
      return <CasesEditor {...plain} activityType={activity.type} />;
    case 'catch-editor':
      return <CatchesEditor {...plain} />;
    case 'http-status-codes':
      return <StatusCodesEditor {...plain} />;
    case 'variable-picker':
      return <VariableSelect {...plain} isText={input.isWrapped} />;
    case 'output-picker':
      return <OutputSelect {...plain} />;
    case 'outcome-picker':
      return <OutcomeSelect {...plain} />;
    case 'type-picker':
      return <TypeSelect {...plain} />;
    case 'workflow-definition-picker':
      return <WorkflowSelect {...plain} />;
    case 'dictionary':
      return <KeyValueEditor {...plain} label={label} activityType={activity.type} />;
    case 'code-editor':
    case 'json-editor':
      return isTable(input) ? (
        <KeyValueEditor {...plain} label={label} activityType={activity.type} />
      ) : (
        <CodeField
          id={id}
          labelledBy={`${id}-label`}
          language={codeLanguage(input)}
          activityType={activity.type}
          value={
            typeof value === 'string' || value === undefined || value === null
              ? textOf(value)
              : JSON.stringify(value, undefined, 2)
          }
          isReadonly={isReadonly}
          onChange={onChange}
        />
      );
    default:
      return isMoment(input) ? <DateField {...plain} label={label} /> : <TextEditor {...props} />;
  }
}

const isMoment = ({ typeName }: InputDescriptor): boolean => typeName === 'DateTimeOffset' || typeName === 'DateTime';

const codeLanguage = ({ uiHint, uiSpecifications }: InputDescriptor): string => {
  const { language } = (uiSpecifications?.['code-editor'] ?? {}) as { language?: string };
  return language === 'javascript' ? 'JavaScript' : uiHint === 'code-editor' && !language ? 'Text' : 'Json';
};

function TextEditor({ id, label, activity, input, value, isReadonly, onChange }: PlainEditorProps) {
  const text = textOf(value);
  const wrong = typeProblem(input.typeName, text);
  const isObject = typeof value === 'object' && value !== null;
  const common = {
    id,
    size: 'xs' as const,
    'aria-label': label,
    value: text,
    readOnly: isReadonly || isObject,
    error: wrong === 'number' ? texts.numberWrong : wrong === 'timeSpan' ? texts.timeSpanWrong : undefined,
    description:
      input.typeName === 'TimeSpan'
        ? texts.timeSpanHint
        : input.name === 'CronExpression'
          ? texts.cron.hint
          : undefined,
    inputWrapperOrder: ['label' as const, 'input' as const, 'description' as const, 'error' as const],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange(currentTarget.value === '' ? undefined : currentTarget.value),
  };
  return input.uiHint === 'multiline' || input.uiHint === 'multi-line' || text.includes('\n') ? (
    <Textarea {...common} autosize minRows={3} maxRows={12} />
  ) : (
    <>
      <TextInput {...common} {...(input.name === 'TimeZone' ? { list: `${id}-zones` } : {})} />
      {input.name === 'TimeZone' && (
        <datalist id={`${id}-zones`}>
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      )}
      {input.name === 'CronExpression' && text.trim() !== '' && <CronPreview expression={text} activity={activity} />}
    </>
  );
}

/** Drop-down, radio list and check list: what they offer stands in the descriptor, or the server is asked. */
function Choices({ id, label, activity, input, value, isReadonly, onChange }: PlainEditorProps) {
  const fixed = itemsOf(input.uiSpecifications);
  const asked = useQuery({ ...inputOptionsQuery(activity.type, input.name), enabled: fixed === undefined });
  const items = (fixed ?? itemsOf(asked.data) ?? []).map((item) => ({
    value: textOf(item.value),
    label: item.text || textOf(item.value) || '—',
  }));
  const chosen = input.uiHint === 'checklist' ? listOf(value) : [textOf(value)].filter(Boolean);
  const all = [
    ...items,
    ...chosen.filter((one) => !items.some((item) => item.value === one)).map((one) => ({ value: one, label: one })),
  ];
  if (input.uiHint === 'checklist')
    return (
      <Checkbox.Group
        value={chosen}
        aria-label={label}
        onChange={(list) => !isReadonly && onChange(list.length === 0 ? undefined : JSON.stringify(list))}
      >
        {/* As far from each other as a finger needs. */}
        <Stack gap={8}>
          {all.map((item) => (
            <Checkbox key={item.value} size="xs" value={item.value} label={item.label} disabled={isReadonly} />
          ))}
        </Stack>
      </Checkbox.Group>
    );
  if (input.uiHint === 'radiolist')
    return (
      <Radio.Group value={chosen[0] ?? ''} aria-label={label} onChange={(next) => !isReadonly && onChange(next)}>
        <Stack gap={6}>
          {all.map((item) => (
            <Radio key={item.value} size="xs" value={item.value} label={item.label} disabled={isReadonly} />
          ))}
        </Stack>
      </Radio.Group>
    );
  return (
    <Select
      id={id}
      size="xs"
      data={all.filter(
        (item, index) => item.value !== '' && all.findIndex(({ value: v }) => v === item.value) === index,
      )}
      value={chosen[0] ?? null}
      clearable
      searchable={all.length > 10}
      readOnly={isReadonly}
      placeholder={texts.notChosen}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}

interface SelectLists {
  readonly selectList?: { readonly items?: readonly SelectItem[] };
  readonly checkList?: { readonly items?: readonly (SelectItem | string)[] };
  readonly radioList?: { readonly items?: readonly SelectItem[] };
}

function itemsOf(specifications: Readonly<Record<string, unknown>> | null | undefined): SelectItem[] | undefined {
  for (const value of Object.values(specifications ?? {})) {
    const { selectList, checkList, radioList } = (value ?? {}) as SelectLists;
    const items = selectList?.items ?? checkList?.items ?? radioList?.items;
    if (items) return items.map((item) => (typeof item === 'string' ? { text: item, value: item } : item));
  }
  return undefined;
}
