import { Button, Stack } from '@mantine/core';
import { SquarePlus, Trash2 } from 'lucide-react';
import { inspectorTexts } from '../../texts/inspector.js';
import { nameOf } from '../canvas/names.js';
import { useDesign, useDesigner } from '../designer-context.js';
import { activityOf, type Connection } from '../model/level.js';
import css from './inspector.module.css';

const texts = inspectorTexts.connections;

export function ConnectionPanel({ connection }: { readonly connection: Connection }) {
  const { actions, open } = useDesigner();
  const level = useDesign((state) => state.level);
  const isReadonly = useDesign((state) => state.standing.isReadonly);
  const name = (id: string) => {
    const found = activityOf(level, id);
    return found ? nameOf(found) : id;
  };
  return (
    <div className={css.panel}>
      <h2 className={css.title}>{texts.title}</h2>
      <p>{texts.between(name(connection.source), connection.port, name(connection.target))}</p>
      {!isReadonly && (
        <Stack gap="xs" align="flex-start">
          <Button
            size="xs"
            variant="default"
            leftSection={<SquarePlus size={14} aria-hidden />}
            onClick={() => open({ kind: 'insert', target: { on: connection } })}
          >
            {texts.insertHere}
          </Button>
          {level.kind === 'flowchart' && (
            <Button
              size="xs"
              variant="default"
              leftSection={<Trash2 size={14} aria-hidden />}
              onClick={() => actions.removeSelected()}
            >
              {texts.removeThis}
            </Button>
          )}
        </Stack>
      )}
    </div>
  );
}
