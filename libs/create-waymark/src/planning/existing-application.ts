import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { RefusedError } from '../refused-error.js';

/** A NestJS application that is there. */
export interface ExistingApplication {
  readonly manifestText: string;
  readonly manifest: Manifest;
  readonly nestMajor: 11 | 12;
}

interface Manifest {
  readonly type?: unknown;
  readonly workspaces?: unknown;
  readonly jest?: { readonly extensionsToTreatAsEsm?: unknown };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** What a folder may hold for a new application: a repository that is still empty. */
const HARMLESS = new Set(['.git', '.DS_Store', 'Thumbs.db']);

/**
 * The application of a folder; `undefined` where a new one can be made.
 * @throws RefusedError for a folder with other files, and for applications of a kind that is not supported
 */
export function existingApplication(folder: string): ExistingApplication | undefined {
  const files = entriesOf(folder);
  if (!files.includes('package.json')) {
    const [first] = files.filter((file) => !HARMLESS.has(file));
    if (first === undefined) return undefined;
    throw new RefusedError(`${folder} has files (${first}), but is not a NestJS application: choose a new folder.`);
  }
  const manifestText = readFileSync(path.join(folder, 'package.json'), 'utf8');
  const manifest = parsedManifest(folder, manifestText);
  const nest = manifest.dependencies?.['@nestjs/core'];
  if (nest === undefined)
    throw new RefusedError(
      `${folder} has a package.json without @nestjs/core: choose a new folder, or that of a NestJS application.`,
    );
  return { manifestText, manifest, nestMajor: nestMajorOf(folder, nest) };
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new RefusedError(code === 'ENOTDIR' ? `${folder} is a file: choose a folder.` : message);
  }
}

function parsedManifest(folder: string, text: string): Manifest {
  try {
    const manifest: unknown = JSON.parse(text);
    if (typeof manifest === 'object' && manifest !== null && !Array.isArray(manifest)) return manifest as Manifest;
  } catch {
    // Said below.
  }
  throw new RefusedError(`${path.join(folder, 'package.json')} is not valid JSON.`);
}

/** Of what is installed, or else of the range in the manifest. */
function nestMajorOf(folder: string, range: string): 11 | 12 {
  const installed = path.join(folder, 'node_modules/@nestjs/core/package.json');
  const version = existsSync(installed)
    ? (JSON.parse(readFileSync(installed, 'utf8')) as { version: string }).version
    : range;
  const major = Number(/\d+/.exec(version)?.[0]);
  if (major === 11 || major === 12) return major;
  throw new RefusedError(`The application is on NestJS ${version}: Waymark needs 11 or 12.`);
}
