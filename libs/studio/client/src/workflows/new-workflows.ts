import type { QueryClient } from '@tanstack/react-query';
import { isOvertaken, toApiError } from '../api/api-error.js';
import { hasContentOf } from '../api/design-content.js';
import { type DefinitionDraft, definitionListQuery } from '../api/definitions.js';
import { loadDesign, type Parse, saveDesign } from '../api/designs.js';
import { definitionIdFor, freeIds, storeNew } from './definition-ids.js';

/** Of what was stored, the answer was lost: it may be there. */
interface Lost {
  readonly wanted: string;
  readonly id: string;
}

/**
 * Stores new definitions, and nothing in the place of another one. After an answer that was lost, the same again is the same definition:
 * one, however often the button is pressed.
 */
export class NewWorkflows {
  private lost: Lost | undefined;

  constructor(
    private readonly client: QueryClient,
    private readonly parse: Parse,
  ) {}

  /**
   * @param name or an id that is wanted; the id is made of it
   * @param draftOf what is stored under an id
   * @returns the id
   * @throws ApiError
   */
  async store(name: string, draftOf: (id: string) => DefinitionDraft): Promise<string> {
    const wanted = definitionIdFor(name) || 'workflow';
    const save = async (id: string): Promise<string> => {
      this.lost = undefined;
      try {
        await saveDesign(draftOf(id), undefined, this.parse);
        return id;
      } catch (error) {
        if (toApiError(error).isOutage) this.lost = { wanted, id };
        throw error;
      }
    };
    const { lost } = this;
    if (lost?.wanted === wanted && (await this.isStored(lost.id, draftOf(lost.id), save))) return lost.id;
    return storeNew(
      freeIds(wanted, (ids) => this.takenOf(ids)),
      save,
    );
  }

  /** Sent again first: what was sent before may arrive at any time, and is not there before that. */
  private async isStored(id: string, draft: DefinitionDraft, save: (id: string) => Promise<string>): Promise<boolean> {
    try {
      await save(id);
      return true;
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      return hasContentOf(await loadDesign(id, this.parse), draft);
    }
  }

  private async takenOf(definitionIds: readonly string[]): Promise<ReadonlySet<string>> {
    const query = definitionListQuery({ definitionIds, versionOptions: 'Latest', pageSize: definitionIds.length });
    const { items } = await this.client.fetchQuery({ ...query, staleTime: 0 });
    return new Set(items.map(({ definitionId }) => definitionId));
  }
}
