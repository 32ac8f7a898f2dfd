import { Button } from '@mantine/core';
import { Panel } from '@xyflow/react';
import { designerTexts as texts } from '../../texts/designer.js';
import { useDesigner } from '../designer-context.js';
import css from './canvas.module.css';

export function EmptyCanvas() {
  const { store, open } = useDesigner();
  return (
    <Panel position="center-left" className={css.empty!}>
      {store.isReadonly ? (
        <p>{texts.empty.readonly}</p>
      ) : (
        <>
          <p className={css.emptyTitle}>{texts.empty.title}</p>
          <p>{texts.empty.lead}</p>
          <Button size="xs" variant="default" onClick={() => open({ kind: 'insert' })}>
            {texts.empty.action}
          </Button>
        </>
      )}
    </Panel>
  );
}
