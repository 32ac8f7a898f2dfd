import { ReactFlowProvider } from '@xyflow/react';
import type { ActivityDescriptor } from '../api/descriptors.js';
import { Loading } from '../parts/states.js';
import { Canvas } from './canvas/canvas.js';
import { DesignerProvider, useDesign } from './designer-context.js';
import { DesignerDialogs } from './dialogs/designer-dialogs.js';
import { Header } from './header/header.js';
import { Inspector } from './inspector/inspector.js';
import type { Design } from './model/change.js';
import { DraftRunProvider, useDraftRunState } from './run/draft-run.js';
import { RunDock } from './run/run-dock.js';
import { Toolbox } from './toolbox.js';
import { useDesignerState } from './use-designer-state.js';
import css from './designer.module.css';

interface DesignerViewProps {
  readonly stored: Design;
  readonly descriptors: readonly ActivityDescriptor[];
  /** If true, the server does not have it any more: it is what this browser has kept of it. */
  readonly isDeleted?: boolean;
}

/** Nothing for those who may only look, which may change while they do. */
const Tools = () => (useDesign((state) => state.standing.isReadonly) ? <span /> : <Toolbox />);

/** The toolbox, the canvas, and the properties of what is selected. */
export function DesignerView({ stored, descriptors, isDeleted }: DesignerViewProps) {
  const { designer, dialog, setDialog } = useDesignerState(stored, descriptors, isDeleted);
  const run = useDraftRunState();
  if (!designer) return <Loading />;
  return (
    <DraftRunProvider value={run}>
      <DesignerProvider value={designer}>
        <ReactFlowProvider>
          <Header>
            <div className={css.body}>
              <Tools />
              <Canvas />
              <Inspector />
              <RunDock />
            </div>
          </Header>
          {dialog && <DesignerDialogs dialog={dialog} onClose={() => setDialog(undefined)} />}
        </ReactFlowProvider>
      </DesignerProvider>
    </DraftRunProvider>
  );
}
