import type { ActivityRegistry } from '../activities/activity-registry.js';
import type { ValueType } from '../values/value-type.js';
import { DefinitionTooLargeError } from './definition-too-large-error.js';
import type { WorkflowDefinition } from './workflow-definition.js';

/**
 * Dependencies of reading, writing and validating definitions. A `TypeRegistry` and an `ExpressionRegistry` fit as they are.
 */
export interface DefinitionContext {
  /** The activity types. */
  readonly registry: ActivityRegistry;
  /** The types of values. */
  readonly types: { resolve(text: string): ValueType | undefined };
  /** Generates an id. */
  newId(): string;
  /** The expression syntaxes of this host. @default those of Elsa that can run here */
  readonly expressions?: { find(type: string): unknown };
  /** True for the id of a registered output converter. @default none */
  isOutputConverter?(id: string): boolean;
  /** Most activities that one definition may have, with states, transitions and cases. @default no limit */
  readonly maxActivities?: number;
  /**
   * The definition behind a workflow used as an activity. Only its nesting matters here: the number in node ids
   * (`Workflow2:…`) counts the workflows inside. @default every such node counts as a workflow without inner ones
   */
  resolveWorkflow?(reference: {
    definitionId?: string;
    definitionVersionId?: string;
    version?: number;
  }): WorkflowDefinition | undefined;
}

/** A part of a document that was left out while reading; the rest of the document is valid. */
export interface DefinitionWarning {
  /** JSON path of what was left out. */
  readonly member: string;
  /** Why, as a sentence. */
  readonly message: string;
}

/** The state of reading one document. */
export class Reading {
  readonly warnings: DefinitionWarning[] = [];
  private activities = 0;

  constructor(readonly ctx: DefinitionContext) {}

  /** Counts an activity, state, transition or case that is read; each costs about as much. @throws DefinitionTooLargeError */
  countActivity(): void {
    const { maxActivities } = this.ctx;
    this.activities++;
    if (maxActivities !== undefined && this.activities > maxActivities)
      throw new DefinitionTooLargeError(maxActivities);
  }

  warn(member: string, message: string): void {
    this.warnings.push({ member, message });
  }
}
