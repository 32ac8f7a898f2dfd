import { ActionIcon, Button } from '@mantine/core';
import { CornerDownRight, Plus, Spline, SquarePlus, Trash2 } from 'lucide-react';
import type { ActivityJson } from '../../api/definitions.js';
import { inspectorTexts } from '../../texts/inspector.js';
import { nameOf } from '../canvas/names.js';
import { useDesign, useDesigner } from '../designer-context.js';
import { activityOf } from '../model/level.js';
import { outcomesOf, slotsOf } from '../model/ports.js';
import css from './inspector.module.css';

const texts = inspectorTexts.connections;

/** Everything that the mouse does at the ports of a node, as a list. */
export function ConnectionsTab({ activity }: { readonly activity: ActivityJson }) {
  const { store, actions, catalogue, open, focusCanvas } = useDesigner();
  const level = useDesign((state) => state.level);
  const isReadonly = useDesign((state) => state.standing.isReadonly);
  const descriptor = catalogue.of(activity);
  const out = level.connections.filter(({ source }) => source === activity.id);
  const before = [
    ...new Set(level.connections.filter(({ target }) => target === activity.id).map((one) => one.source)),
  ];
  // Ways that its values do not have any more keep their connections until somebody removes them.
  const ports = [...new Set([...outcomesOf(activity, descriptor), ...out.map(({ port }) => port)])];
  const name = (id: string) => {
    const found = activityOf(level, id);
    return found ? nameOf(found) : id;
  };
  const goTo = (id: string) => {
    store.select([id]);
    focusCanvas(id);
  };
  const slots = slotsOf(activity, descriptor);
  return (
    <>
      {slots.length > 0 && (
        <section className={css.field}>
          <h3 className={css.label}>{texts.inside}</h3>
          {slots.map((slot) => (
            <Button
              key={slot.path.join('.')}
              size="compact-xs"
              variant="default"
              leftSection={<CornerDownRight size={13} aria-hidden />}
              onClick={() => {
                store.enter([...level.steps, { id: activity.id, slot: slot.path }]);
                focusCanvas();
              }}
            >
              {texts.open(slot.label || nameOf(activity))}
            </Button>
          ))}
        </section>
      )}
      {level.kind === 'flowchart' &&
        ports.map((port) => {
          const own = out.filter((one) => one.port === port);
          return (
            <section key={port} className={css.field}>
              <div className={css.labelLine}>
                <h3 className={css.label}>{port}</h3>
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  disabled={isReadonly}
                  aria-label={texts.add(port)}
                  title={texts.add(port)}
                  onClick={() => open({ kind: 'insert', target: { after: { id: activity.id, port } } })}
                >
                  <Plus size={14} />
                </ActionIcon>
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  disabled={isReadonly}
                  aria-label={texts.connect(port)}
                  title={texts.connect(port)}
                  onClick={() => open({ kind: 'connect', source: activity.id, port })}
                >
                  <Spline size={14} />
                </ActionIcon>
              </div>
              {own.length === 0 && <p className={css.hint}>{texts.none}</p>}
              {own.map((connection) => {
                const target = name(connection.target);
                return (
                  <div key={connection.index} className={css.row}>
                    <button
                      type="button"
                      className={css.link}
                      aria-label={texts.goTo(target)}
                      onClick={() => goTo(connection.target)}
                    >
                      {target}
                    </button>
                    <ActionIcon
                      size="sm"
                      variant="subtle"
                      color="gray"
                      disabled={isReadonly}
                      aria-label={texts.insert(port, target)}
                      title={texts.insert(port, target)}
                      onClick={() => open({ kind: 'insert', target: { on: connection } })}
                    >
                      <SquarePlus size={14} />
                    </ActionIcon>
                    <ActionIcon
                      size="sm"
                      variant="subtle"
                      color="gray"
                      disabled={isReadonly}
                      aria-label={texts.remove(port, target)}
                      title={texts.remove(port, target)}
                      onClick={() => actions.disconnect(connection.index)}
                    >
                      <Trash2 size={14} />
                    </ActionIcon>
                  </div>
                );
              })}
            </section>
          );
        })}
      <section className={css.field}>
        <h3 className={css.label}>{texts.before}</h3>
        {before.length === 0 && <p className={css.hint}>{texts.isStart}</p>}
        {before.map((id) => (
          <button
            key={id}
            type="button"
            className={css.link}
            aria-label={texts.goTo(name(id))}
            onClick={() => goTo(id)}
          >
            {name(id)}
          </button>
        ))}
      </section>
    </>
  );
}
