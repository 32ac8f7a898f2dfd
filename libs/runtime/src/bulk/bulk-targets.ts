import { Injectable } from '@nestjs/common';
import {
  BulkAction,
  type BulkRequest,
  type MessageSelection,
  type StimulusSelection,
} from '../persistence/bulk-action.js';
import { DeadLetterDefinitions } from './dead-letter-definitions.js';
import type { InstanceFilter } from '../persistence/instance-store.js';
import type { IdPage } from '../persistence/paging.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** Some of what a request selects. */
export interface FoundTargets {
  readonly ids: readonly string[];
  /** Where the rest begins; undefined if there is none. */
  readonly next: string | undefined;
}

interface Part {
  readonly ids: readonly string[];
  /** The last row that was looked at. */
  readonly last: string | undefined;
  /** How many were looked at: fewer are selected where the store cannot tell. */
  readonly looked: number;
}

/**
 * Finds what a bulk request selects, a part at a time, so that neither the ids nor the rows are ever in memory as a whole. A
 * cursor says which filter is being read, and how far: `0:` and the last id, or the place in the list of ids that it names.
 */
@Injectable()
export class BulkTargets {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: DeadLetterDefinitions,
  ) {}

  /** The next part. It may be empty although there are more. @param limit rows that are looked at, at most */
  async next(request: BulkRequest, cursor: string | undefined, limit: number): Promise<FoundTargets> {
    const { index, after } = positionOf(cursor);
    const filter = request.filters[index];
    if (!filter) return { ids: [], next: undefined };
    const following = index + 1 < request.filters.length ? `${index + 1}:` : undefined;
    if (filter.ids) {
      const begin = Number(after ?? 0);
      const named = filter.ids.slice(begin, begin + limit);
      const { ids } = await this.find(request, { ...filter, ids: named }, { limit });
      const end = begin + limit;
      return { ids, next: end < filter.ids.length ? `${index}:${end}` : following };
    }
    const { ids, last, looked } = await this.find(request, filter, { after, limit });
    return { ids, next: looked === limit ? `${index}:${last}` : following };
  }

  private async find({ action }: BulkRequest, filter: BulkRequest['filters'][number], page: IdPage): Promise<Part> {
    switch (action) {
      case BulkAction.CancelInstances:
      case BulkAction.DeleteInstances: {
        const ids = await this.persistence.instances.findIds(filter as InstanceFilter, page);
        return { ids, last: ids.at(-1), looked: ids.length };
      }
      case BulkAction.ReplayMessages:
      case BulkAction.DeleteMessages: {
        const selection = filter as MessageSelection;
        const found = await this.persistence.outbox.findDeadLettersAfter(selection, page);
        return partOf(found, await this.definitions.ofMessages(found, selection.definitionIds));
      }
      case BulkAction.ReplayStimuli:
      case BulkAction.DeleteStimuli: {
        const selection = filter as StimulusSelection;
        const found = await this.persistence.queue.findDeadLettersAfter(selection, page);
        return partOf(found, await this.definitions.ofStimuli(found, selection.definitionIds));
      }
    }
  }
}

function partOf(looked: readonly { readonly id: string }[], selected: readonly { readonly id: string }[]): Part {
  return { ids: selected.map(({ id }) => id), last: looked.at(-1)?.id, looked: looked.length };
}

function positionOf(cursor: string | undefined): { readonly index: number; readonly after: string | undefined } {
  if (cursor === undefined) return { index: 0, after: undefined };
  const colon = cursor.indexOf(':');
  return { index: Number(cursor.slice(0, colon)), after: cursor.slice(colon + 1) || undefined };
}
