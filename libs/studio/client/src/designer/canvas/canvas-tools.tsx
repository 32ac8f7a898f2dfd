import { ActionIcon } from '@mantine/core';
import { Panel, useReactFlow } from '@xyflow/react';
import {
  CircleQuestionMark,
  Map as MapIcon,
  Maximize,
  Network,
  Search,
  StickyNote,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { EVERYTHING } from '../../graph/far/hidden-nodes.js';
import { designerTexts } from '../../texts/designer.js';
import { useDesign, useDesigner } from '../designer-context.js';
import { useAddNote } from './use-add-note.js';
import { useLayOut } from './use-lay-out.js';
import css from './canvas.module.css';

const texts = designerTexts.tools;

interface CanvasToolsProps {
  readonly hasMinimap: boolean;
  readonly onMinimap: (isShown: boolean) => void;
}

/** Memoised: the canvas is drawn with every step of what is dragged over it. */
export const CanvasTools = memo(function CanvasTools({ hasMinimap, onMinimap }: CanvasToolsProps) {
  const { open } = useDesigner();
  const isReadonly = useDesign((state) => state.standing.isReadonly);
  const flow = useReactFlow();
  const layOut = useLayOut();
  const addNote = useAddNote();
  return (
    <Panel position="bottom-left">
      <div className={css.tools} role="toolbar" aria-label={texts.label}>
        <Tool label={texts.zoomIn} icon={<ZoomIn size={15} />} onClick={() => void flow.zoomIn()} />
        <Tool label={texts.zoomOut} icon={<ZoomOut size={15} />} onClick={() => void flow.zoomOut()} />
        <Tool label={texts.fit} icon={<Maximize size={15} />} onClick={() => void flow.fitView(EVERYTHING)} />
        <Tool
          label={texts.minimap}
          icon={<MapIcon size={15} />}
          isPressed={hasMinimap}
          onClick={() => onMinimap(!hasMinimap)}
        />
        {!isReadonly && <Tool label={texts.layOut} icon={<Network size={15} />} onClick={() => void layOut()} />}
        {!isReadonly && <Tool label={texts.note} icon={<StickyNote size={15} />} onClick={addNote} />}
        <Tool label={texts.find} icon={<Search size={15} />} onClick={() => open({ kind: 'find' })} />
        <Tool label={texts.help} icon={<CircleQuestionMark size={15} />} onClick={() => open({ kind: 'help' })} />
      </div>
    </Panel>
  );
});

interface ToolProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly isPressed?: boolean;
  readonly onClick: () => void;
}

function Tool({ label, icon, isPressed, onClick }: ToolProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      title={label}
      {...(isPressed === undefined ? {} : { 'aria-pressed': isPressed })}
      onClick={onClick}
    >
      {icon}
    </ActionIcon>
  );
}
