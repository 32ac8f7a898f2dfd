import { Button, Select, TextInput } from '@mantine/core';
import { ArrowRight, Plus, Trash2 } from 'lucide-react';
import type { InputDescriptor } from '../../api/descriptors.js';
import { distinctTexts } from '../../parts/distinct.js';
import { inspectorTexts } from '../../texts/inspector.js';
import { nameOf, typeName } from '../canvas/names.js';
import { useDesign, useDesigner } from '../designer-context.js';
import { changeTransition } from '../model/machine-commands.js';
import { isActivity } from '../model/ports.js';
import { labelOfTransition, type Transition, transitionId, type TransitionJson } from '../model/state-machine.js';
import { ExpressionField } from './expression-field.js';
import css from './inspector.module.css';

const texts = inspectorTexts.machine;

const CONDITION: InputDescriptor = {
  name: 'Condition',
  displayName: texts.condition,
  description: texts.conditionHint,
  typeName: 'Boolean',
  isWrapped: true,
  uiHint: 'checkbox',
};

/** A transition: what it waits for, when it may be taken, and what runs on the way. */
export function TransitionPanel({ transition }: { readonly transition: Transition }) {
  const { store, actions, catalogue, open, focusCanvas } = useDesigner();
  const level = useDesign((one) => one.level);
  const isReadonly = useDesign((one) => one.standing.isReadonly);
  const { index, json } = transition;
  const change = (next: Partial<TransitionJson>, key?: string) =>
    store.perform(changeTransition(store.design, level, index, next, key && `transition ${index} ${key}`));
  const states = distinctTexts(level.activities.map(({ name = '' }) => name));
  const end = (member: 'from' | 'to', label: string) => (
    <Select
      size="xs"
      label={label}
      data={states.includes(json[member] ?? '') ? states : [...states, json[member] ?? '']}
      value={json[member] ?? ''}
      allowDeselect={false}
      readOnly={isReadonly}
      onChange={(next) => next !== null && change({ [member]: next })}
    />
  );
  const slot = (member: 'trigger' | 'action') => {
    const held = json[member];
    const enter = () => {
      store.enter([...level.steps, { id: transitionId(index), slot: [member] }], held?.id);
      focusCanvas(held?.id);
    };
    return (
      <section className={css.field} aria-label={texts.slots[member]}>
        <h3 className={css.label}>{texts.slots[member]}</h3>
        <p className={css.hint}>{texts.slotHints[member]}</p>
        {isActivity(held) ? (
          <div className={css.row}>
            <button type="button" className={css.link} onClick={enter}>
              {nameOf(held)} <small className={css.detail}>{typeName(held.type, catalogue.of(held))}</small>
            </button>
            {!isReadonly && (
              <Button size="compact-xs" variant="subtle" onClick={() => change({ [member]: null })}>
                {texts.removeSlot[member]}
              </Button>
            )}
          </div>
        ) : (
          !isReadonly && (
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<Plus size={13} aria-hidden />}
              onClick={() => open({ kind: 'fill', transition: index, slot: member })}
            >
              {texts.chooseSlot[member]}
            </Button>
          )
        )}
      </section>
    );
  };
  return (
    <>
      <header className={css.header}>
        <ArrowRight size={18} aria-hidden className={css.icon} />
        <div className={css.heading}>
          <h2 className={css.title}>{labelOfTransition(json) || texts.transition}</h2>
          <p className={css.type}>{texts.between(json.from ?? '', json.to ?? '')}</p>
        </div>
      </header>
      <div className={css.panel}>
        {slot('trigger')}
        <ExpressionField
          activity={{ id: transitionId(index), type: 'Elsa.StateMachine' }}
          input={CONDITION}
          value={json.condition}
          onChange={(condition) => change({ condition }, 'condition')}
        />
        {slot('action')}
        <div className={css.fields}>
          <TextInput
            size="xs"
            label={texts.name}
            value={json.name ?? ''}
            readOnly={isReadonly}
            onChange={(event) => change({ name: event.currentTarget.value }, 'name')}
          />
          <TextInput
            size="xs"
            label={texts.displayName}
            value={json.displayName ?? ''}
            readOnly={isReadonly}
            onChange={(event) => change({ displayName: event.currentTarget.value || null }, 'displayName')}
          />
          {end('from', texts.from)}
          {end('to', texts.to)}
        </div>
        {!isReadonly && (
          <Button
            mt="md"
            size="xs"
            variant="default"
            leftSection={<Trash2 size={14} aria-hidden />}
            onClick={() => actions.removeSelected()}
          >
            {texts.removeTransition}
          </Button>
        )}
      </div>
    </>
  );
}
