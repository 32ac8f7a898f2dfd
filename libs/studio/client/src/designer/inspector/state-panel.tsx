import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { CircleDot, CornerDownRight, Plus, Spline, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ActivityJson } from '../../api/definitions.js';
import { inspectorTexts } from '../../texts/inspector.js';
import { useDesign, useDesigner } from '../designer-context.js';
import { renameState, setInitialState } from '../model/machine-commands.js';
import { slotsOf } from '../model/ports.js';
import { isTransition, labelOfTransition, nameOfState, stateId } from '../model/state-machine.js';
import { WRITTEN_WHEN_LEFT } from '../write-typed.js';
import css from './inspector.module.css';

const texts = inspectorTexts.machine;

/** A state: its name, what runs in it, and the ways out of it. */
export function StatePanel({ state }: { readonly state: ActivityJson }) {
  const { store, actions, open, focusCanvas } = useDesigner();
  const level = useDesign((one) => one.level);
  const isReadonly = useDesign((one) => one.standing.isReadonly);
  const name = state.name ?? '';
  const ways = level.connections.filter(isTransition).filter(({ source }) => source === state.id);
  return (
    <>
      <header className={css.header}>
        <CircleDot size={18} aria-hidden className={css.icon} />
        <div className={css.heading}>
          <h2 className={css.title}>{name}</h2>
          <p className={css.type}>{state.isFinal === true ? texts.final : texts.state}</p>
        </div>
      </header>
      <div className={css.panel}>
        <div className={css.fields}>
          <NameField name={name} isReadonly={isReadonly} />
          <Checkbox
            size="xs"
            label={texts.begins}
            checked={state.isInitial === true}
            disabled={isReadonly || state.isInitial === true}
            onChange={() => store.perform(setInitialState(store.design, level, name))}
          />
        </div>
        <section className={css.section}>
          <h3 className={css.label}>{texts.inside}</h3>
          <Stack gap={6} align="flex-start">
            {slotsOf(state, undefined).map((slot) => (
              <Button
                key={slot.label}
                size="compact-xs"
                variant="default"
                leftSection={slot.isFilled ? <CornerDownRight size={13} /> : <Plus size={13} />}
                onClick={() => {
                  store.enter([...level.steps, { id: state.id, slot: slot.path }]);
                  focusCanvas();
                }}
              >
                {texts.slot(slot.label, slot.isFilled)}
              </Button>
            ))}
          </Stack>
        </section>
        <section className={css.section}>
          <h3 className={css.label}>{texts.ways}</h3>
          {ways.length === 0 && <p className={css.hint}>{texts.noWays}</p>}
          <Stack gap={2} align="flex-start">
            {ways.map(({ index, target, json }) => (
              <button
                key={index}
                type="button"
                className={css.link}
                onClick={() => {
                  store.select([], [index]);
                  focusCanvas();
                }}
              >
                {labelOfTransition(json) || texts.transition} → {nameOfState(target)}
              </button>
            ))}
          </Stack>
          {!isReadonly && (
            <Stack gap={6} mt={6} align="flex-start">
              <Button
                size="compact-xs"
                variant="default"
                leftSection={<Plus size={13} aria-hidden />}
                onClick={() => focusCanvas(actions.addState({ after: { id: state.id, port: 'Done' } }))}
              >
                {texts.addState}
              </Button>
              <Button
                size="compact-xs"
                variant="default"
                leftSection={<Spline size={13} aria-hidden />}
                onClick={() => open({ kind: 'connect', source: state.id, port: 'Done' })}
              >
                {texts.connect}
              </Button>
              <Button
                size="compact-xs"
                variant="default"
                leftSection={<Trash2 size={13} aria-hidden />}
                onClick={() => actions.removeSelected()}
              >
                {texts.removeState}
              </Button>
            </Stack>
          )}
        </section>
      </div>
    </>
  );
}

/**
 * The name is written when the field is left: on its way to another name it may be that of another state, and transitions of both
 * would be one.
 */
function NameField({ name, isReadonly }: { readonly name: string; readonly isReadonly: boolean }) {
  const { store } = useDesigner();
  const level = useDesign((one) => one.level);
  const [text, setText] = useState(name);
  // The field stays where it is when the state gets its new name: the keyboard is in it.
  useEffect(() => setText(name), [name]);
  const isTaken = text !== name && level.activities.some((other) => other.name === text);
  const write = () => {
    const next = text.trim();
    if (next === '' || next === name || isTaken) return setText(name);
    store.perform(renameState(store.design, level, name, next));
    store.select([stateId(next)]);
    return undefined;
  };
  return (
    <TextInput
      size="xs"
      label={texts.name}
      {...WRITTEN_WHEN_LEFT}
      value={text}
      readOnly={isReadonly}
      error={isTaken ? texts.taken : undefined}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={write}
      onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && write()}
    />
  );
}
