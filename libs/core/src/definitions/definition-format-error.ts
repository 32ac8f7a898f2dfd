import { WaymarkError } from '../errors/waymark-error.js';

/** WM1001: a member has the wrong shape · WM1002: two activities share an id · WM1003: a connection leads nowhere. */
export type DefinitionErrorCode = 'WM1001' | 'WM1002' | 'WM1003';

/** Thrown when the JSON of a workflow definition cannot be read. */
export class DefinitionFormatError extends WaymarkError {
  readonly code: DefinitionErrorCode;
  /** Name under which the REST API reports the error: the member's path, or `type` for an unknown type of an argument. */
  readonly key: string;
  /** The activity id that the error is about, for WM1002 and WM1003. */
  readonly activityId: string | undefined;

  /** @param member JSON path of the offending member, e.g. `root.activities[0].type`; empty: the whole document */
  constructor(
    /** Path of the wrong member. */
    readonly member: string,
    message: string,
    options: { code?: DefinitionErrorCode; key?: string; activityId?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code ?? 'WM1001';
    this.key = options.key ?? member;
    this.activityId = options.activityId;
  }
}
