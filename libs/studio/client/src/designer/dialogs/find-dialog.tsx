import { useMemo } from 'react';
import { designerTexts as texts } from '../../texts/designer.js';
import { nameOf, typeName } from '../canvas/names.js';
import { useDesigner } from '../designer-context.js';
import { findAll } from '../model/find.js';
import { Chooser } from './chooser.js';

/** Any activity of the workflow, however deep, by its name, its type or a value in it. */
export function FindDialog({ onClose }: { readonly onClose: () => void }) {
  const { store, catalogue, focusCanvas } = useDesigner();
  const found = useMemo(() => findAll(store.design, catalogue), [store, catalogue]);
  const choices = useMemo(
    () =>
      found.map(({ activity, trail }, index) => ({
        id: String(index),
        label: nameOf(activity),
        detail: [typeName(activity.type, catalogue.of(activity)), ...trail].join(' · '),
        words: `${activity.id} ${valuesOf(activity)}`,
      })),
    [found, catalogue],
  );
  return (
    <Chooser
      title={texts.find.title}
      placeholder={texts.find.placeholder}
      nothing={texts.find.nothing}
      choices={choices}
      onChoose={(id) => {
        const { steps, activity } = found[Number(id)]!;
        store.enter(steps, activity.id);
        focusCanvas(activity.id, true);
      }}
      onClose={onClose}
    />
  );
}

/** What is written in an activity itself. */
const valuesOf = (activity: Readonly<Record<string, unknown>>): string =>
  Object.values(activity)
    .map((value) => (value as { expression?: { value?: unknown } } | null)?.expression?.value)
    .filter((value) => typeof value === 'string')
    .join(' ');
