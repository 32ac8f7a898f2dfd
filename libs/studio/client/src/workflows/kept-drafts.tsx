import { Button } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import type { KeptDraft } from '../api/definitions.js';
import { workflowTexts } from '../texts/workflows.js';
import css from './import-dialog.module.css';

const texts = workflowTexts.import;

interface KeptDraftsProps {
  readonly count: number;
  readonly drafts: readonly KeptDraft[];
  readonly onReplace: () => void;
}

/** Drafts that an import would have replaced, perhaps of another person, with the way to replace them after all. */
export function KeptDrafts({ count, drafts, onReplace }: KeptDraftsProps) {
  return (
    <div className={css.failed} role="alert">
      <TriangleAlert size={18} className={css.keptIcon} aria-hidden />
      <div>
        <p>
          {count > 0 && texts.done(count)} {texts.kept(drafts.length)}
        </p>
        <ul>
          {drafts.map(({ definitionId, name, version }) => (
            <li key={definitionId}>
              <strong>{name || definitionId}</strong> <span>{texts.keptDraft(version)}</span>
            </li>
          ))}
        </ul>
        <p>{texts.keptLead}</p>
        <Button size="xs" color="red.8" onClick={onReplace}>
          {texts.replace(drafts.length)}
        </Button>
      </div>
    </div>
  );
}
