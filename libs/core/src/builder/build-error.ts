import { WaymarkError } from '../errors/waymark-error.js';

/**
 * WM1201 a part is missing, e.g. the root · WM1202 a variable, input or output of another workflow, or one that is not
 * declared around its use · WM1203 a name or id is used twice · WM1204 a value that a definition cannot hold · WM1206 a
 * member or outcome that the activity does not have · WM1207 an activity that stands in two places · WM1208 the item of a
 * loop where that loop cannot be seen · WM1209 a flowchart that does not hang together · WM1035 a class whose instances are
 * not stored, as a type.
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

/** A workflow in code that cannot be turned into a definition. */
export class WorkflowBuildError extends WaymarkError {
  /** @param at where: the workflow, or the activity and its member, e.g. `ManagerApproval1.requestId` */
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
