import { Inject, Injectable } from '@nestjs/common';
import { WorkflowPersistence } from '@waymark/runtime';
import {
  fillIn,
  type JournalReference,
  OmittedJournalValue,
  replaceReferences,
  type ValueBudget,
} from '@waymark/runtime/adapter';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';

const HASH = /^[0-9a-f]{64}$/;

/** Large values of journals: in answers as far as their budget goes, and one by one. */
@Injectable()
export class JournalValues {
  constructor(
    private readonly persistence: WorkflowPersistence,
    @Inject(API_OPTIONS) private readonly options: ResolvedApiOptions,
  ) {}

  answerBudget(): ValueBudget {
    return { bytes: this.options.journalAnswerBytes };
  }

  /** What one file, or several that are answered together, may hold. */
  exportBudget(): ValueBudget {
    return { bytes: this.options.journalExportBytes };
  }

  /**
   * Entries or records of an instance with their values; a note of where to fetch it stands for each that does not fit, and one of what it
   * was for each that was not kept.
   */
  async shown<T extends object>(
    instanceId: string,
    items: readonly T[],
    budget: ValueBudget = this.answerBudget(),
  ): Promise<T[]> {
    const filled = await fillIn(items, budget, (hashes) => this.persistence.journal.readValues(instanceId, hashes));
    return filled.map((item) => replaceReferences(item, (reference) => noteOf(instanceId, reference)));
  }

  /** A list of it, so that a value that is null differs from none. */
  async find(instanceId: string, hash: string): Promise<readonly unknown[]> {
    if (!HASH.test(hash)) return [];
    const found = [...(await this.persistence.journal.readValues(instanceId, [hash])).values()];
    return found.map((value) => (value instanceof OmittedJournalValue ? value.toJSON() : value));
  }
}

/** `href` is relative to the address of the API. */
function noteOf(instanceId: string, reference: JournalReference): object {
  if (reference instanceof OmittedJournalValue) return reference.toJSON();
  const { hash, bytes } = reference;
  return {
    journalValue: hash,
    bytes,
    href: `workflow-instances/${encodeURIComponent(instanceId)}/journal/values/${hash}`,
  };
}
