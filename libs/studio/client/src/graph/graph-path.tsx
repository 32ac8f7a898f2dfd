import type { ActivityJson } from '../api/definitions.js';
import { graphTexts as texts } from '../texts/graph.js';
import { nameOf } from './name-of-activity.js';
import { findByNodeId } from './picture.js';
import css from './graph.module.css';

interface GraphPathProps {
  readonly root: ActivityJson;
  /** Node ids of the containers between the root and the level that is shown, the outermost first. */
  readonly path: readonly string[];
  readonly onOpen: (path: readonly string[]) => void;
}

function nameOfLevel(root: ActivityJson, nodeId: string): string {
  const level = findByNodeId(root, nodeId);
  return level ? nameOf(level) : nodeId.split(':').at(-1)!;
}

/** The levels above the one that is shown. */
export const GraphPath = ({ root, path, onOpen }: GraphPathProps) => (
  <nav className={css.path} aria-label={texts.path}>
    <button type="button" onClick={() => onOpen([])}>
      {nameOf(root)}
    </button>
    {path.map((nodeId, index) => (
      <button key={nodeId} type="button" onClick={() => onOpen(path.slice(0, index + 1))}>
        {nameOfLevel(root, nodeId)}
      </button>
    ))}
  </nav>
);
