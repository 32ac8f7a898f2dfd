import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Inject, Injectable } from '@nestjs/common';

/** Token of the folder with the built files. */
export const STUDIO_FOLDER = Symbol.for('@waymark/studio:folder');

/** The same from `src` and from `dist`. */
export const BUILT_FOLDER = fileURLToPath(new URL('../../assets/', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Beside the files, in the order in which they are preferred. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

export interface StudioAsset {
  readonly type: string;
  readonly etag: string;
  /** Its name holds a hash of its content, so that it never changes. */
  readonly isImmutable: boolean;
  readonly encoding: string | undefined;
  read(): Promise<Buffer>;
}

/** The built files of the client. Only names that a look into the folder found are ever opened. */
@Injectable()
export class StudioAssets {
  private files: ReadonlySet<string> | undefined;
  private readonly etags = new Map<string, string>();

  constructor(@Inject(STUDIO_FOLDER) private readonly folder: string) {}

  /** Undefined: the client was not built. */
  indexHtml(): string | undefined {
    // Looked for again after a build: this is the only file that a developer waits for.
    if (!this.known().has('index.html')) this.files = undefined;
    return this.known().has('index.html') ? readFileSync(path.join(this.folder, 'index.html'), 'utf8') : undefined;
  }

  /** @param acceptEncoding header of the request */
  find(name: string, acceptEncoding = ''): StudioAsset | undefined {
    const type = TYPES[path.extname(name)];
    if (type === undefined || name === 'index.html' || /(^|\/)\./.test(name)) return undefined;
    if (!this.known().has(name)) return undefined;
    const encoding = ENCODINGS.find(
      (candidate) => accepts(acceptEncoding, candidate.name) && this.known().has(name + candidate.suffix),
    );
    const file = name + (encoding?.suffix ?? '');
    return {
      type,
      isImmutable: name.startsWith('assets/'),
      encoding: encoding?.name,
      etag: this.etagOf(file),
      read: () => readFile(path.join(this.folder, file)),
    };
  }

  private known(): ReadonlySet<string> {
    return (this.files ??= new Set(filesBelow(this.folder)));
  }

  private etagOf(file: string): string {
    let etag = this.etags.get(file);
    if (etag === undefined) {
      const hash = createHash('sha256').update(readFileSync(path.join(this.folder, file)));
      etag = `"${hash.digest('base64url').slice(0, 27)}"`;
      this.etags.set(file, etag);
    }
    return etag;
  }
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Whether `gzip` stands in `br, gzip;q=0.8`, and not with `q=0`. */
function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((text) => /^q=0(\.0*)?$/.test(text));
  });
}
