import type { NodeProps } from '@xyflow/react';
import { memo } from 'react';
import { designerTexts as texts } from '../../texts/designer.js';
import type { NoteNode as NoteNodeType } from './picture.js';
import css from './note.module.css';

/** A text beside the activities; it is edited among the properties. */
export const NoteNode = memo(function NoteNode({ data, selected }: NodeProps<NoteNodeType>) {
  const { text } = data.note;
  return (
    <div className={css.note} data-selected={selected || undefined} data-empty={text === '' || undefined}>
      {text || texts.note.empty}
    </div>
  );
});
