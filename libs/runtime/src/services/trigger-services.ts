import type { WorkflowDefinition, WorkflowGraph } from '@waymark/core';
import type { DefinitionProblem } from './definition-services.js';
import type { StoredTrigger } from '../persistence/records.js';

/** Changes of the stored triggers of a definition. Unchanged triggers keep their id and due time. */
export interface IndexedTriggers {
  /** Logical id of the workflow definition, which all its versions share. */
  readonly definitionId: string;
  /** Triggers that are new, or have changed. */
  readonly added: readonly StoredTrigger[];
  /** Triggers that are gone. */
  readonly removed: readonly StoredTrigger[];
  /**
   * Of those that have changed but fire at the same times, the stored rows, as they were: rows of `added` have their ids. @default none
   */
  readonly replaced?: readonly StoredTrigger[];
  /** Triggers that stayed. */
  readonly unchanged: readonly StoredTrigger[];
}

/** Computes and stores the trigger rows of definitions. */
export abstract class ITriggerIndexer {
  /**
   * Computes how publishing or retracting that version would change its triggers. Nothing is written.
   * @param check receives the compiled version before its triggers are computed
   * @param refused receives the error of each trigger whose payloads cannot be computed; if it returns false, no further triggers are
   *   computed. Without it, the first error is thrown
   * @param withoutSecrets if true, expressions get a text in place of each secret of the host, since the result is only shown, to a
   *   user who may not have the secrets. @default false
   * @throws errors of `check`, and of triggers without `refused`
   */
  abstract diff(
    definition: WorkflowDefinition,
    published: boolean,
    check?: (graph: WorkflowGraph) => void,
    refused?: (error: unknown) => boolean,
    withoutSecrets?: boolean,
  ): Promise<IndexedTriggers>;
  /** Brings the rows of a stored definition up to date and announces the change. */
  abstract indexTriggers(definitionId: string): Promise<IndexedTriggers>;
}

/**
 * Checks the payloads of one kind of trigger before a definition is published. Register as a provider.
 * @example
 * @Injectable()
 * export class AbsolutePaths extends TriggerPayloadValidator {
 *   readonly names = ['Files.Changed'];
 *
 *   validate(payload: { path: string }, { activityId }: { activityId: string }) {
 *     return payload.path.startsWith('/') ? [] : [{ message: `The path of '${activityId}' must begin with '/'.`, activityId }];
 *   }
 * }
 */
export abstract class TriggerPayloadValidator {
  /** Stimulus names it is responsible for. */
  abstract readonly names: readonly string[];
  /** Returns the problems of a payload; an empty list if it is valid. A definition with problems is not published. */
  abstract validate(
    payload: unknown,
    context: { definition: WorkflowDefinition; activityId: string },
  ): Promise<DefinitionProblem[]> | DefinitionProblem[];
  /**
   * Returns warnings about a new or changed trigger, such as times that have passed, which do not prevent publishing.
   * Publishing logs them and returns them in `warnings`. @default none
   */
  warn(_trigger: StoredTrigger): DefinitionProblem[] {
    return [];
  }
}
