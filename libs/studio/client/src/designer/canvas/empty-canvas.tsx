import { Button } from '@mantine/core';
import { Panel } from '@xyflow/react';
import { designerTexts as texts } from '../../texts/designer.js';
import { useDesign, useDesigner } from '../designer-context.js';
import css from './canvas.module.css';

export function EmptyCanvas() {
  const { open } = useDesigner();
  const isReadonly = useDesign((state) => state.standing.isReadonly);
  const isMachine = useDesign(({ level }) => level.kind === 'machine');
  return (
    <Panel position="center-left" className={css.empty!}>
      {isReadonly ? (
        <p>{texts.empty.readonly}</p>
      ) : (
        <>
          <p className={css.emptyTitle}>{texts.empty.title}</p>
          <p>{isMachine ? texts.machine.emptyLead : texts.empty.lead}</p>
          <Button size="xs" variant="default" onClick={() => open({ kind: 'insert' })}>
            {isMachine ? texts.machine.emptyAction : texts.empty.action}
          </Button>
        </>
      )}
    </Panel>
  );
}
