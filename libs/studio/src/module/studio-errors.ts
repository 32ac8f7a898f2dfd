import { WaymarkError } from '@waymark/core';

/** Thrown for an invalid option of `StudioModule.forRoot`. */
export class StudioOptionsError extends WaymarkError {
  readonly code = 'WM9201';
  constructor(
    /** Name of the option. */
    readonly option: string,
    message: string,
  ) {
    super(`StudioModule: the option '${option}' ${message}`);
  }
}

const CODE = 'WM9202';

/** In the log and on the page, when the package was not built. An installed package always has its pages. */
export const NOT_BUILT = `${CODE}: the pages of Waymark Studio are not built. Run "npm run build" in the repository, then load this page again.`;
