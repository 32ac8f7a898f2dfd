import { mapTemplate } from '../routing/map-template.js';
import { withEncodedSlashes } from '../routing/encoded-slash.js';
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
  return mapTemplate(path, { literal: decodeLiteral, parameter: (text) => text });
}

const decodeLiteral = (literal: string): string => literal.split('/').map(decodeSegment).join('/');

const decodeSegment = (segment: string): string =>
  withEncodedSlashes(segment.replaceAll(/(?:%[\da-f]{2})+/gi, decodeEscapes), '%2F');

/** Braces are doubled, which makes them literal ones. What is not valid text stays as it is. */
function decodeEscapes(escapes: string): string {
  try {
    return decodeURIComponent(escapes).replaceAll(/[{}]/g, '$&$&');
  } catch {
    return escapes;
  }
}
