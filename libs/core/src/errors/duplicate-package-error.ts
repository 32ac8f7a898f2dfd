import { WaymarkError } from './waymark-error.js';

/** A copy of a package that a process has loaded. */
export interface PackageCopy {
  /** From its `package.json`. */
  readonly version: string;
  /** URL of a file in it. */
  readonly url: string;
}

/**
 * A process has loaded a package twice, from two places. Its classes are injection tokens: with two of each, Nest does not find
 * what one copy provides and the other asks for. Thrown while the second copy is imported.
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
