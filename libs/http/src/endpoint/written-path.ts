import { closingBrace } from '../routing/template-case.js';
import { normalizePath } from './endpoint-payload.js';

/**
 * The path of payloads for one that an author or an expression has written. Requests are matched by their decoded path, so
 * percent escapes are decoded, as `encodeURIComponent` in a path computed by a workflow makes them. An encoded slash stays one:
 * it is part of its segment.
 */
export const pathOfWritten = (written: string): string => normalizePath(decodeLiterals(written));

/** What stands in braces is not looked at: default values are texts, and expressions may contain anything. */
export function decodeLiterals(path: string): string {
  if (!path.includes('%')) return path;
  let decoded = '';
  let done = 0;
  for (let i = 0; i < path.length; i++) {
    if (path[i] !== '{') continue;
    if (path[i + 1] === '{') {
      i++;
      continue;
    }
    const end = closingBrace(path, i + 1);
    // The parser of templates refuses it.
    if (end < 0) break;
    decoded += decodeLiteral(path.slice(done, i)) + path.slice(i, end + 1);
    i = end;
    done = end + 1;
  }
  return decoded + decodeLiteral(path.slice(done));
}

const decodeLiteral = (literal: string): string => literal.replaceAll(/(?:%[\da-f]{2})+/gi, decodeEscapes);

/** Braces are doubled, which makes them literal ones. What is not valid text stays as it is. */
function decodeEscapes(escapes: string): string {
  try {
    return decodeURIComponent(escapes).replaceAll('/', '%2F').replaceAll(/[{}]/g, '$&$&');
  } catch {
    return escapes;
  }
}
