import { useDesign, useDesigner } from '../designer-context.js';
import { inspectorTexts as texts } from '../../texts/inspector.js';
import { isTransition, STATE_TYPE } from '../model/state-machine.js';
import { ActivityPanel } from './activity-panel.js';
import { ConnectionPanel } from './connection-panel.js';
import { NotePanel } from './note-panel.js';
import { SelectionPanel } from './selection-panel.js';
import { StatePanel } from './state-panel.js';
import { TransitionPanel } from './transition-panel.js';
import { useSelected } from './use-edit.js';
import { WorkflowPanel } from './workflow-panel.js';
import css from './inspector.module.css';

/** Follows the selection: one activity, several, a connection, or else the workflow itself. */
export function Inspector() {
  const { focusCanvas } = useDesigner();
  const activity = useSelected();
  const count = useDesign((state) => state.selection.nodes.size);
  const note = useDesign(({ level, selection }) =>
    selection.nodes.size === 1 ? level.notes.find(({ id }) => selection.nodes.has(id)) : undefined,
  );
  const connection = useDesign(({ level, selection }) =>
    selection.edges.size === 1 ? level.connections.find(({ index }) => selection.edges.has(index)) : undefined,
  );
  return (
    <aside
      className={css.inspector}
      aria-label={texts.title}
      data-inspector
      onKeyDown={(event) => {
        // Back to the canvas, where the keyboard came from.
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        focusCanvas();
      }}
    >
      {activity?.type === STATE_TYPE ? (
        <StatePanel state={activity} />
      ) : activity ? (
        <ActivityPanel key={activity.id} activity={activity} />
      ) : note ? (
        <NotePanel key={note.id} note={note} />
      ) : count > 1 ? (
        <SelectionPanel count={count} />
      ) : connection && isTransition(connection) ? (
        <TransitionPanel key={connection.index} transition={connection} />
      ) : connection ? (
        <ConnectionPanel connection={connection} />
      ) : (
        <WorkflowPanel />
      )}
    </aside>
  );
}
