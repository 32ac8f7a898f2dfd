import { type ComponentType, createContext, Suspense, use } from 'react';
import type { DefinitionModel } from '../api/definitions.js';
import { isPublishedSince, isSameContent } from '../api/design-content.js';
import { workflowTexts } from '../texts/workflows.js';

/** A definition as it was read, and as another person has saved or published it since. */
export interface SavedMeanwhile {
  readonly before: DefinitionModel;
  readonly after: DefinitionModel;
}

/** What lists the differences: the designer's, which no other room knows. */
export const DifferencesContext = createContext<ComponentType<SavedMeanwhile>>(() => null);

/** In the place of a failure: why nothing was done. @param outcome that it was not */
export function SavedMeanwhileNotice({ outcome, ...saved }: SavedMeanwhile & { readonly outcome: string }) {
  const Differences = use(DifferencesContext);
  const { title, publishedTitle, lead, published } = workflowTexts.overtaken;
  const { before, after } = saved;
  const isSaved = !isSameContent(before, after);
  return (
    <div role="alert">
      <p>
        <strong>{isSaved ? title : publishedTitle}</strong>
      </p>
      <p>{outcome}</p>
      {isPublishedSince(before, after) && <p>{published}</p>}
      {isSaved && (
        <>
          <p>{lead}</p>
          <Suspense fallback={null}>
            <Differences {...saved} />
          </Suspense>
        </>
      )}
    </div>
  );
}
