import { ActionIcon, Button, Checkbox, Select, TagsInput, TextInput, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Plus, Trash2 } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { storageDriversQuery } from '../../api/descriptors.js';
import { isKept } from '../../api/storage.js';
import { inspectorTexts } from '../../texts/inspector.js';
import { useDesign, useDesigner } from '../designer-context.js';
import { type ListName, newItem } from '../model/new-item.js';
import { renameItem } from '../model/rename-item.js';
import { TypeSelect } from './editors/pickers.js';
import { isTrue, textOf } from './input-value.js';
import { useEditWorkflow } from './use-edit.js';
import { WRITTEN_WHEN_LEFT } from '../write-typed.js';
import css from './inspector.module.css';

const texts = inspectorTexts.data;

type Item = Readonly<Record<string, unknown>>;

const NONE: readonly never[] = [];

/** What goes in, what comes out, what is kept in between. */
export function DataTab() {
  const { set } = useEditWorkflow();
  const isReadonly = useDesign((state) => state.standing.isReadonly);
  const outcomes = useDesign(({ history }) => history.design.outcomes ?? NONE);
  return (
    <>
      {(['variables', 'inputs', 'outputs'] as const).map((list) => (
        <ItemList key={list} list={list} />
      ))}
      <TagsInput
        size="xs"
        label={texts.outcomes}
        value={[...outcomes]}
        readOnly={isReadonly}
        acceptValueOnBlur
        description={inspectorTexts.listHint}
        inputWrapperOrder={['label', 'input', 'description']}
        onChange={(next) => set('outcomes', next)}
      />
    </>
  );
}

function ItemList({ list }: { readonly list: ListName }) {
  const { store } = useDesigner();
  const { set } = useEditWorkflow();
  const isReadonly = useDesign((state) => state.standing.isReadonly);
  const items = useDesign(({ history }) => (history.design[list] ?? NONE) as readonly Item[]);
  const [opened, setOpened] = useState<number>();
  const add = () => {
    set(list, [...items, newItem(list, texts.newNames[list], items)]);
    setOpened(items.length);
  };
  return (
    <section className={css.list} aria-label={texts[list]}>
      <div className={css.labelLine}>
        <h3 className={css.label}>{texts[list]}</h3>
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          disabled={isReadonly}
          aria-label={texts.add[list]}
          title={texts.add[list]}
          onClick={add}
        >
          <Plus size={14} />
        </ActionIcon>
      </div>
      {items.length === 0 && <p className={css.hint}>{texts.none}</p>}
      {items.map((item, index) => (
        <div key={index} className={css.item}>
          <UnstyledButton
            className={css.itemName}
            aria-expanded={opened === index}
            onClick={() => setOpened(opened === index ? undefined : index)}
          >
            <ChevronRight size={13} aria-hidden className={css.chevron} />
            <span className={css.grows}>{textOf(item.name)}</span>
            <small className={css.detail}>
              {textOf(item.typeName ?? item.type)}
              {isTrue(item.isArray) ? '[]' : ''}
            </small>
          </UnstyledButton>
          {opened === index && (
            <ItemFields
              list={list}
              item={item}
              others={items.toSpliced(index, 1).map(({ name }) => textOf(name))}
              isReadonly={isReadonly}
              onChange={(member, value) => {
                const { [member]: _old, ...rest } = item;
                set(list, items.with(index, value === undefined ? rest : { ...item, [member]: value }));
              }}
              onRename={(name) => store.perform(renameItem(store.design, list, index, name))}
              onRemove={() => {
                setOpened(undefined);
                set(list, items.toSpliced(index, 1));
              }}
            />
          )}
        </div>
      ))}
    </section>
  );
}

interface ItemFieldsProps {
  readonly list: ListName;
  readonly item: Item;
  /** Names of the others in the list. */
  readonly others: readonly string[];
  readonly isReadonly: boolean;
  readonly onChange: (member: string, value: unknown) => void;
  readonly onRename: (name: string) => void;
  readonly onRemove: () => void;
}

function ItemFields({ list, item, others, isReadonly, onChange, onRename, onRemove }: ItemFieldsProps) {
  const id = useId();
  const drivers = useQuery(storageDriversQuery).data ?? [];
  const [typeMember, driverMember] =
    list === 'variables' ? ['typeName', 'storageDriverTypeName'] : ['type', 'storageDriverType'];
  const text = (member: string, label: string) => (
    <TextInput
      size="xs"
      label={label}
      value={textOf(item[member])}
      readOnly={isReadonly}
      onChange={(event) => onChange(member, event.currentTarget.value || undefined)}
    />
  );
  const driver = textOf(item[driverMember!]);
  const known = drivers
    .filter(({ typeName, deprecated }) => !deprecated || typeName === driver)
    .map(({ typeName, displayName }) => ({ value: typeName, label: displayName }));
  return (
    <div className={css.itemFields}>
      <NameField name={textOf(item.name)} others={others} isReadonly={isReadonly} onRename={onRename} />
      <div>
        <label htmlFor={id} className={css.small}>
          {texts.type}
        </label>
        <TypeSelect
          id={id}
          value={item[typeMember!]}
          isReadonly={isReadonly}
          onChange={(next) => onChange(typeMember!, next)}
        />
      </div>
      <Checkbox
        size="xs"
        label={texts.list}
        checked={isTrue(item.isArray)}
        disabled={isReadonly}
        onChange={(event) => onChange('isArray', event.currentTarget.checked)}
      />
      {list === 'variables' ? text('value', texts.value) : text('displayName', texts.displayName)}
      {list !== 'variables' && text('description', texts.description)}
      {list !== 'outputs' && (
        <Select
          size="xs"
          label={texts.storage}
          clearable
          placeholder={texts.noStorage}
          description={isKept(driver) ? undefined : texts.lost}
          data={
            driver === '' || known.some(({ value }) => value === driver)
              ? known
              : [...known, { value: driver, label: driver }]
          }
          value={driver || null}
          readOnly={isReadonly}
          onChange={(next) => onChange(driverMember!, next ?? undefined)}
        />
      )}
      {!isReadonly && (
        <Button size="compact-xs" variant="default" leftSection={<Trash2 size={13} aria-hidden />} onClick={onRemove}>
          {texts.remove(textOf(item.name))}
        </Button>
      )}
    </div>
  );
}

interface NameFieldProps {
  readonly name: string;
  readonly others: readonly string[];
  readonly isReadonly: boolean;
  readonly onRename: (name: string) => void;
}

/**
 * The name is written when the field is left: what refers to it follows, and on its way to another name it may be that of another variable,
 * whose references would be the same from then on.
 */
function NameField({ name, others, isReadonly, onRename }: NameFieldProps) {
  const [text, setText] = useState(name);
  useEffect(() => setText(name), [name]);
  const isTaken = others.includes(text.trim());
  const write = () => {
    const next = text.trim();
    if (next === '' || next === name || isTaken) setText(name);
    else onRename(next);
  };
  return (
    <TextInput
      size="xs"
      label={texts.name}
      {...WRITTEN_WHEN_LEFT}
      value={text}
      readOnly={isReadonly}
      error={isTaken ? texts.twice : undefined}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={write}
      onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && write()}
    />
  );
}
