import { checkOptions, type OptionKinds, optionKinds as is } from '@waymark/core/adapter';
import { WorkflowVersionOptionError } from './code-first-errors.js';
import type { Constructor, DeclaredInputs, DeclaredOutputs, WorkflowDefinitionBuilder } from '@waymark/core';

/** Interface of workflows in code. The class is an ordinary provider: its constructor is injected. */
export interface WorkflowBuilder {
  /** Inputs of the workflow: `readonly inputs = { days: input<number>({ type: 'Int32' }) }`. Clients use their types. */
  readonly inputs?: DeclaredInputs;
  /** Outputs of the workflow: `readonly outputs = { answer: output<string>() }`. */
  readonly outputs?: DeclaredOutputs;
  /**
   * Describes the workflow. Called once when the application starts. It must describe the same workflow each time the same code
   * runs.
   */
  build(w: WorkflowDefinitionBuilder): void | Promise<void>;
}

/** Options of `@Workflow`. All of them have defaults. */
export interface CodeWorkflowOptions {
  /** Definition id. @default the name of the class */
  readonly id?: string | undefined;
  /**
   * Version number of this code. Changed code with the same number is refused (`WM1211`). Classes for several versions may
   * exist side by side, so that old instances keep their code.
   * @default the next number whenever the content has changed
   */
  readonly version?: number | undefined;
  /** Name for people. @default the name that `build` sets, or else the name of the class in words */
  readonly name?: string | undefined;
  /** What the workflow is for. @default none */
  readonly description?: string | undefined;
  /** If true, left out of lists unless asked for. @default false */
  readonly isSystem?: boolean | undefined;
}

const KINDS: OptionKinds<CodeWorkflowOptions> = {
  id: is.filledText,
  // Looked at by itself (`WM1043`).
  version: is.anything<number>(),
  name: is.text,
  description: is.text,
  isSystem: is.flag,
};

/** Versions are stored in 32 bits. */
const LARGEST_VERSION = 2_147_483_647;

// A registered symbol on the class itself: two copies of this package see the same metadata.
const KEY = Symbol.for('@waymark/runtime:workflow');
type Holder = { [KEY]?: CodeWorkflowOptions };

/**
 * Marks a class as a workflow. When the application starts, it is built, stored as a version of its definition and published:
 *
 *     @Workflow({ id: 'leave-approval' })
 *     export class LeaveApproval implements WorkflowBuilder {
 *       build(w: WorkflowDefinitionBuilder) { w.root(…); }
 *     }
 *
 * @throws WorkflowVersionOptionError (`WM1043`) a version that is not a whole number from 1 to 2147483647; UnknownOptionError
 *   (`WM1091`) and InvalidOptionError (`WM1090`) when the class is loaded
 */
export function Workflow(options: CodeWorkflowOptions = {}): ClassDecorator {
  const { version = 1 } = options;
  if (!Number.isInteger(version) || version < 1 || version > LARGEST_VERSION)
    throw new WorkflowVersionOptionError(version);
  return (target) => {
    checkOptions({ name: `@Workflow() of class ${target.name}` }, options, KINDS);
    Object.defineProperty(target, KEY, { value: options });
  };
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
