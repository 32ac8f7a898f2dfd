import { portableName } from '../requests/plain-filename.js';

/** A name that says nothing about folders, so that who saves it stays where it is; `file` when nothing is left. */
export const safeFilename = (name: string): string => safePath(name).split('/').at(-1)!;

/**
 * A path inside of an archive that stays inside: without `..`, drive or leading slash. `__proto__` cannot be a name, as objects
 * cannot have it as a member like others.
 */
export function safePath(path: string): string {
  const parts = path
    .replaceAll('\\', '/')
    // oxlint-disable-next-line no-control-regex -- they are what is taken out
    .replace(/[\u0000-\u001f\u007f]/g, '')
    // Halves of surrogate pairs, which no header can carry.
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/^[A-Za-z]:/, '')
    .split('/')
    .map(portableName)
    .filter((part) => part !== '')
    .map((part) => (part === '__proto__' ? 'proto' : part));
  return parts.join('/') || 'file';
}
