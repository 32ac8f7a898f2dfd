import type { ActivityJson } from '../api/definitions.js';
import { graphTexts as texts } from '../texts/graph.js';
import css from './graph.module.css';

interface GraphPathProps {
  readonly root: ActivityJson;
  /** Node ids of the containers between the root and the level that is shown, the outermost first. */
  readonly path: readonly string[];
  readonly onOpen: (path: readonly string[]) => void;
}

/** The levels above the one that is shown. */
export const GraphPath = ({ root, path, onOpen }: GraphPathProps) => (
  <nav className={css.path} aria-label={texts.path}>
    <button type="button" onClick={() => onOpen([])}>
      {root.name || root.id}
    </button>
    {path.map((nodeId, index) => (
      <button key={nodeId} type="button" onClick={() => onOpen(path.slice(0, index + 1))}>
        {nodeId.split(':').at(-1)}
      </button>
    ))}
  </nav>
);
