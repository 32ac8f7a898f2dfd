import { designerTexts } from '../../texts/designer.js';
import { inspectorTexts } from '../../texts/inspector.js';
import { useDesign, useDesigner } from '../designer-context.js';
import { activityOf } from '../model/level.js';
import { nameOf, typeName } from './names.js';
import css from './canvas.module.css';

/** Says where the keyboard is on the canvas: its nodes do not get the focus themselves. */
export function Announcer() {
  const { catalogue } = useDesigner();
  const level = useDesign((state) => state.level);
  const { nodes, edges } = useDesign((state) => state.selection);
  const connection = edges.size === 1 ? level.connections.find(({ index }) => edges.has(index)) : undefined;
  const name = (id: string) => {
    const found = activityOf(level, id);
    return found ? nameOf(found) : id;
  };
  const problems = useDesign((state) => state.problems);
  const activity = nodes.size === 1 ? activityOf(level, [...nodes][0]) : undefined;
  const problem = problems.find(({ activityId }) => activityId !== undefined && activityId === activity?.id);
  const { node, selection } = designerTexts;
  const note = nodes.size === 1 ? level.notes.find(({ id }) => nodes.has(id)) : undefined;
  const said = activity
    ? node.label(nameOf(activity), typeName(activity.type, catalogue.of(activity))) +
      (problem ? node.problem(problem.message) : '')
    : note
      ? designerTexts.note.label(note.text)
      : connection
        ? inspectorTexts.connections.between(name(connection.source), connection.port, name(connection.target))
        : nodes.size > 1
          ? selection.title(nodes.size)
          : '';
  return (
    <div className={css.hidden} role="status">
      {said}
    </div>
  );
}
