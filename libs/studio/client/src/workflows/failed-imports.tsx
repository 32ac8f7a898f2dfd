import { CircleAlert } from 'lucide-react';
import type { ImportedFiles } from '../api/definitions.js';
import { workflowTexts } from '../texts/workflows.js';
import css from './import-dialog.module.css';

const texts = workflowTexts.import;

/** What was imported, and which files were not, with the reasons of the server. */
export function FailedImports({ count, failures = [] }: ImportedFiles) {
  return (
    <div className={css.failed} role="alert">
      <CircleAlert size={18} className={css.failedIcon} aria-hidden />
      <div>
        <p>
          {texts.done(count)} {texts.failed(failures.length)}
        </p>
        <ul>
          {failures.map(({ file, definitionId, errors }, index) => (
            <li key={index}>
              <strong>{texts.failedOf(file, definitionId)}</strong>
              {Object.values(errors)
                .flat()
                .map((message) => (
                  <span key={message}>{message}</span>
                ))}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
