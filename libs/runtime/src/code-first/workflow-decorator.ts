import { WorkflowVersionOptionError } from './code-first-errors.js';
import type { Constructor, DeclaredInputs, DeclaredOutputs, WorkflowDefinitionBuilder } from '@waymark/core';

/** A workflow in code. The class is a provider like any other: its constructor is injected. */
export interface WorkflowBuilder {
  /** What the workflow is started with: `readonly inputs = { days: input<number>({ type: 'Int32' }) }`. Clients are typed by it. */
  readonly inputs?: DeclaredInputs;
  /** What it gives: `readonly outputs = { answer: output<string>() }`. */
  readonly outputs?: DeclaredOutputs;
  /** Describes the workflow. Called once at start; must describe the same workflow whenever the same code runs. */
  build(w: WorkflowDefinitionBuilder): void | Promise<void>;
}

/** What `@Workflow` takes. Everything has a default. */
export interface CodeWorkflowOptions {
  /** Definition id. @default the name of the class */
  readonly id?: string;
  /**
   * Number of the version that this code is. Changed code under the same number is refused (`WM1211`), and classes of
   * several versions may stand side by side, so that old instances keep their code.
   * @default each changed content is the next version
   */
  readonly version?: number;
  /** Name for people. @default what `build` says, else the name of the class in words */
  readonly name?: string;
  /** What the workflow is for. @default none */
  readonly description?: string;
  /** True: left out of lists unless asked for. @default false */
  readonly isSystem?: boolean;
}

// A registered symbol on the class itself: two copies of this package see the same metadata.
/** Versions are stored in 32 bits. */
const LARGEST_VERSION = 2_147_483_647;

const KEY = Symbol.for('@waymark/runtime:workflow');
type Holder = { [KEY]?: CodeWorkflowOptions };

/**
 * Marks a class as a workflow. At start it is built, stored as a version of its definition and published:
 *
 *     @Workflow({ id: 'leave-approval' })
 *     export class LeaveApproval implements WorkflowBuilder {
 *       build(w: WorkflowDefinitionBuilder) { w.root(…); }
 *     }
 *
 * @throws WorkflowVersionOptionError (`WM1043`) a version that is not a whole number from 1 to 2147483647
 */
export function Workflow(options: CodeWorkflowOptions = {}): ClassDecorator {
  const { version = 1 } = options;
  if (!Number.isInteger(version) || version < 1 || version > LARGEST_VERSION)
    throw new WorkflowVersionOptionError(version);
  return (target) => void Object.defineProperty(target, KEY, { value: options });
}

/** What `@Workflow` says on the class itself, not on its bases. */
export function codeWorkflowOptions(type: Constructor): CodeWorkflowOptions | undefined {
  return Object.hasOwn(type, KEY) ? (type as Holder)[KEY] : undefined;
}

/** The definition that a class is; undefined without `@Workflow`. */
export function definitionIdOf(type: Constructor): string | undefined {
  const options = codeWorkflowOptions(type);
  return options && (options.id ?? type.name);
}
