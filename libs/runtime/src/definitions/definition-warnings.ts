import type { WorkflowDefinition } from '@waymark/core';
import type { DefinitionProblem } from '../services/definition-services.js';

/** Finds what a definition asks for and this node does not do. Publishing asks all providers that extend it. */
export abstract class DefinitionWarnings {
  /** Returns what will happen, and how to prevent it; an empty list if there is nothing to say. */
  abstract warn(definition: Pick<WorkflowDefinition, 'options'>): DefinitionProblem[];
}
