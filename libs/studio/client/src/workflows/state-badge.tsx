import { CircleCheck, Code, PencilLine } from 'lucide-react';
import { workflowTexts as texts } from '../texts/workflows.js';
import type { WorkflowRow } from './use-workflow-rows.js';
import css from './state-badge.module.css';

/** Whether a definition is published, has a newer draft, or is from code. */
export function StateBadge({ row }: { readonly row: WorkflowRow }) {
  const { isPublished, publishedVersion, isReadonly } = row;
  const isDraft = !isPublished;
  return (
    <span className={css.badges}>
      {publishedVersion !== undefined && (
        <span className={css.badge} data-tone="published">
          <CircleCheck size={13} aria-hidden />
          {texts.states.published}
          {isDraft && ` v${publishedVersion}`}
        </span>
      )}
      {isDraft && (
        <span className={css.badge}>
          <PencilLine size={13} aria-hidden />
          {texts.states.draft}
        </span>
      )}
      {isReadonly && (
        <span className={css.badge}>
          <Code size={13} aria-hidden />
          {texts.fromCode}
        </span>
      )}
    </span>
  );
}
