import { withEncodedSlashes } from './encoded-slash.js';
import { RouteSteps } from './route-steps.js';

/** Path of a request, parsed once. */
export interface RequestPath {
  /** Decoded segments, in their own casing. */
  readonly segments: readonly string[];
  /** Decoded and in lower case: how literal routes are found. */
  readonly key: string;
  /** In lower case, encoded: what the router reads. */
  readonly raw: string;
  /** The budget of this request, shared by all templates that are matched against it. */
  readonly steps: RouteSteps;
}

/** @returns undefined for a path that is not valid text */
export function parseRequestPath(path: string): RequestPath | undefined {
  const inner = trimSlashes(path);
  if (inner === '') return { segments: [], key: '/', raw: '/', steps: new RouteSteps() };
  if (!inner.includes('%')) {
    const text = `/${inner.toLowerCase()}`;
    return { segments: inner.split('/'), key: text, raw: text, steps: new RouteSteps() };
  }
  try {
    const segments = inner.split('/').map(decodeURIComponent);
    const lower = segments.map((segment) => segment.toLowerCase());
    // A slash that came encoded is part of its segment and separates nothing.
    const key = `/${lower.map((segment) => withEncodedSlashes(segment)).join('/')}`;
    return { segments, key, raw: `/${lower.map(encoded).join('/')}`, steps: new RouteSteps() };
  } catch {
    return undefined;
  }
}

/** The router reads these as they are in a path without escapes, and does not decode them in one with some. */
const encoded = (segment: string): string =>
  encodeURIComponent(segment).replaceAll(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);

export function trimSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (start < end && path.charCodeAt(start) === 47) start++;
  while (end > start && path.charCodeAt(end - 1) === 47) end--;
  return start === 0 && end === path.length ? path : path.slice(start, end);
}
