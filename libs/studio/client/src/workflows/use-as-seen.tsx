import { skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isOvertaken } from '../api/api-error.js';
import type { DefinitionModel } from '../api/definitions.js';
import { loadDesign, loadVersion } from '../api/designs.js';
import { parseExactly } from '../api/exact-json.js';
import { isSameContent, isSameToDelete } from '../api/design-content.js';
import { type SavedMeanwhile, SavedMeanwhileNotice } from '../parts/saved-meanwhile.js';
import { workflowTexts } from '../texts/workflows.js';

/** More often than by chance, something on the way to the server changes what is sent. */
const MOST_ATTEMPTS = 5;

interface Looks {
  readonly load: typeof loadDesign;
  /** If true, the question need not be asked again. */
  readonly isSame: typeof isSameContent;
  /** Said when it is asked again. */
  readonly outcome: string;
}

const { unchanged, notDeleted } = workflowTexts.overtaken;

/** For a change of a definition: its latest version is looked at. */
const CHANGE: Looks = { load: loadDesign, isSame: isSameContent, outcome: unchanged };
/** For its deletion, which may have removed instances before it was found to be overtaken. */
export const DELETION: Looks = { load: loadDesign, isSame: isSameToDelete, outcome: notDeleted };
/** For the deletion of one version, by its own id. */
export const DELETION_OF_VERSION: Looks = { load: loadVersion, isSame: isSameToDelete, outcome: notDeleted };

/**
 * For a question about one definition: it is changed as it was when the question was asked. When another person has saved it since, nothing
 * is changed; the question shows what they have saved, and is asked again. @param id undefined: of several, none is looked at
 */
export function useAsSeen(id: string | undefined, { load, isSame, outcome } = CHANGE) {
  const seen = useQuery({
    queryKey: ['seen', load === loadVersion ? 'version' : 'latest', id],
    queryFn: id === undefined ? skipToken : ({ signal }) => load(id, parseExactly, signal),
    // What the server has later was not seen, also when all queries are invalidated.
    staleTime: 'static',
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const [saved, setSaved] = useState<SavedMeanwhile>();

  /** A question is answered before it is known what it is about. */
  const found = async () =>
    id === undefined ? undefined : (await seen.refetch({ cancelRefetch: false, throwOnError: true })).data;

  /** @param perform changes it over what was seen; undefined: whatever is there @throws ApiError 412 when the question is asked again */
  async function change<T>(perform: (over: DefinitionModel | undefined) => Promise<T>): Promise<T> {
    let over = saved?.after ?? seen.data ?? (await found());
    for (let attempt = 1; ; attempt++) {
      try {
        return await perform(over);
      } catch (error) {
        if (id === undefined || !over || !isOvertaken(error)) throw error;
        const latest = await load(id, parseExactly);
        if (!isSame(over, latest)) {
          setSaved({ before: over, after: latest });
          throw error;
        }
        if (attempt >= MOST_ATTEMPTS) throw error;
        over = latest;
      }
    }
  }

  /** Of the dialog. */
  const question = (action: string) => ({
    action: saved ? workflowTexts.overtaken.anyway(action) : action,
    notice: (error: unknown) => saved && isOvertaken(error) && <SavedMeanwhileNotice {...saved} outcome={outcome} />,
  });

  return { change, question };
}
