import type { ConstantInputs } from '@waymark/core/adapter';
import type { DefinitionProblem } from '../services/definition-services.js';

/**
 * Warns of constants with which an activity fails when it is reached. Such a definition is published, as in Elsa: the
 * activity may never be reached. All providers that extend it are asked. Constants of triggers that start the workflow are
 * checked with their payloads, by `TriggerPayloadValidator`.
 */
export abstract class ConstantInputsValidator {
  /** Type names of the activities it is responsible for. */
  abstract readonly types: readonly string[];
  /** Returns what will happen, and how to prevent it; an empty list if there is nothing to say. */
  abstract warn(activity: ConstantInputs): DefinitionProblem[];
}
