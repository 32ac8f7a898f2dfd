import { WaymarkError } from '../errors/waymark-error.js';

/**
 * Codes of `WorkflowBuildError`: WM1201 a part is missing, e.g. the root · WM1202 a variable, input or output of another
 * workflow, or one that is not in scope · WM1203 a name or id is used twice · WM1204 a value that a definition cannot hold ·
 * WM1206 a member or outcome that the activity does not have · WM1207 an activity that is used in two places · WM1208 the item
 * of a loop outside of that loop · WM1209 a flowchart without a start, or with an activity that no connection leads to · WM1035
 * a type that is a class whose instances cannot be stored.
 */
export type BuildErrorCode =
  | 'WM1201'
  | 'WM1202'
  | 'WM1203'
  | 'WM1204'
  | 'WM1206'
  | 'WM1207'
  | 'WM1208'
  | 'WM1209'
  | 'WM1035';

/** Thrown when a workflow in code cannot be turned into a definition. */
export class WorkflowBuildError extends WaymarkError {
  /** @param at location: the workflow, or the activity and its member, e.g. `ManagerApproval1.requestId` */
  constructor(
    /** Stable code; docs/errors.md says what it means and what to do. */
    readonly code: BuildErrorCode,
    /** Place in the workflow. */
    readonly at: string,
    message: string,
  ) {
    super(message);
  }
}
