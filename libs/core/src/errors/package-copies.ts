import { DuplicatePackageError, type PackageCopy } from './duplicate-package-error.js';

// Every copy, of every version, looks here: neither the key nor the shape of its value may change.
const KEY = Symbol.for('@waymark/core:package-copies');

/**
 * Records that a package is loaded, and refuses a second copy of it in this realm. The entry points of `@waymark/core` and
 * `@waymark/runtime` call it. Evaluating the same file again is allowed, since test runners and hot reloads do so.
 * @param url of the file that calls; `undefined` where a bundler has removed it, and copies cannot be told apart
 * @throws DuplicatePackageError (WM9203)
 */
export function claimPackage(packageName: string, version: string, url: string | undefined): void {
  if (url === undefined) return;
  const copy: PackageCopy = { version, url: url.replace(/[?#].*$/, '') };
  const copies = ((globalThis as { [KEY]?: Map<string, PackageCopy> })[KEY] ??= new Map<string, PackageCopy>());
  const first = copies.get(packageName);
  if (first && first.url !== copy.url) throw new DuplicatePackageError(packageName, [first, copy]);
  copies.set(packageName, copy);
}
