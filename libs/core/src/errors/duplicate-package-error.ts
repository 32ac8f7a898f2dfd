import { WaymarkError } from './waymark-error.js';

/** One copy of a package, loaded by this process. */
export interface PackageCopy {
  /** From its `package.json`. */
  readonly version: string;
  /** URL of a file in it. */
  readonly url: string;
}

/**
 * Thrown while a second copy of a package is imported, from another place. Classes of the package are injection tokens: with
 * two copies of each, Nest does not find what one copy provides and the other injects.
 */
export class DuplicatePackageError extends WaymarkError {
  readonly code = 'WM9203';

  constructor(
    /** Name of the package, such as `@waymark/core`. */
    readonly packageName: string,
    /** In the order in which they were loaded. */
    readonly copies: readonly [PackageCopy, PackageCopy],
  ) {
    const [first, second] = copies.map(({ version, url }) => `${version} at ${url}`);
    super(
      `${packageName} is loaded twice: ${first}, and ${second}. Install one copy: give every @waymark package ` +
        `the same version, declare ${packageName} as a peer dependency in libraries of your own, and look for the second ` +
        `copy with "npm ls ${packageName}" or "pnpm why ${packageName}".`,
    );
  }
}
