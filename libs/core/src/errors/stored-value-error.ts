import { WaymarkError } from './waymark-error.js';

/** Thrown when something stored cannot be read by any version: it was damaged, or changed outside of Waymark. */
export class StoredValueError extends WaymarkError {
  readonly code = 'WM1054';
  /** @param reason without any of the value, which may be secret */
  constructor(
    /** What is wrong with it. */
    readonly reason: string,
    /** Where it is stored, if that is known: a column, and the id of the row. */
    readonly place?: string,
    /** The id of the row, if it is known. */
    readonly rowId?: string,
  ) {
    super(
      `A stored value cannot be read${place === undefined ? '' : ` (${place})`}: ${reason}. Its row was damaged, or changed outside of Waymark: restore it from a backup, or ` +
        'delete what it belongs to.',
    );
  }
}
