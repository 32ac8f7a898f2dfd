/** Name of the default outcome. */
export const DONE = 'Done';

/** Outcomes of an activity that named none: connections without a port and connections from `Done` are followed. */
export const DEFAULT_OUTCOMES: readonly (string | null)[] = Object.freeze([null, DONE]);

/** Completion value that names the outcomes to follow. With any other value, the default outcomes are followed. */
export class Outcomes {
  /** Names of the outcomes. */
  readonly names: readonly string[];
  constructor(...names: readonly string[]) {
    this.names = names;
  }
}
