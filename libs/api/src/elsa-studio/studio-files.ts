import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Elsa Studio's own build: custom elements on WebAssembly. */
export const STUDIO_PACKAGE = '@elsa-workflows/elsa-studio-wasm';

/** Where the package is installed: for the application, or beside this library. Undefined: nowhere. */
export function findStudioPackage(): string | undefined {
  for (const from of [path.join(process.cwd(), 'package.json'), import.meta.url])
    try {
      return path.dirname(createRequire(from).resolve(`${STUDIO_PACKAGE}/package.json`));
    } catch {
      // Not from there.
    }
  return undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.dat': 'application/octet-stream',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  // Browsers compile it while it comes in only under this type.
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

/** Parts of the package that a page asks for; what else lies there is not served. */
const SERVED = /^(_framework|_content)\/|^[\w.-]+\.styles\.css$/;
/** Blazor writes a digest of ten letters into the names of what it compiles. */
const FINGERPRINTED = /^_framework\/.*\.[a-z0-9]{10}\.\w+$/;
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/**
 * Answers with a file of the package, as it was compressed when it was built.
 * @param name decoded path below the folder @returns false: there is no such file
 */
export async function sendStudioFile(
  folder: string,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const type = TYPES[path.extname(name).toLowerCase()];
  if (!type || !SERVED.test(name) || !isPlain(name)) return false;
  const file = path.join(folder, name);
  const plain = await stat(file).catch(() => undefined);
  if (!plain?.isFile()) return false;
  const tag = `"${plain.size.toString(36)}-${Math.trunc(plain.mtimeMs).toString(36)}"`;
  response.setHeader('ETag', `W/${tag}`);
  response.setHeader('Vary', 'Accept-Encoding');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', FINGERPRINTED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (request.headers['if-none-match']?.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)) {
    response.writeHead(304).end();
    return true;
  }
  const { sent, bytes } = await bestOf(file, plain.size, request, response);
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': bytes });
  if (request.method === 'HEAD') response.end();
  // A client that goes away is no error.
  else await pipeline(createReadStream(sent), response).catch(() => undefined);
  return true;
}

async function bestOf(file: string, size: number, request: IncomingMessage, response: ServerResponse) {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  for (const [encoding, suffix] of ENCODINGS) {
    if (!new RegExp(`(^|,)\\s*${encoding}\\s*(,|$|;(?!\\s*q=0(\\.0*)?\\s*(,|$)))`, 'i').test(accepted)) continue;
    const compressed = await stat(file + suffix).catch(() => undefined);
    if (!compressed?.isFile()) continue;
    response.setHeader('Content-Encoding', encoding);
    return { sent: file + suffix, bytes: compressed.size };
  }
  return { sent: file, bytes: size };
}

/** No way out of the folder, and nothing hidden. */
const isPlain = (name: string): boolean =>
  !/[\\\0:]/.test(name) && name.split('/').every((part) => part !== '' && !part.startsWith('.'));
