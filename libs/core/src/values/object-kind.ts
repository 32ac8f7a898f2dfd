import { isPlainObject } from './plain-object.js';

export type ObjectKind =
  | 'array'
  | 'plain'
  | 'date'
  | 'map'
  | 'set'
  | 'bytes'
  | 'url'
  | 'regexp'
  | 'error'
  /** Anything else: class instances, promises, weak collections, other binary views. */
  | 'other';

/** What sort of object a value is. Goes by tag, not by `instanceof`, which fails for objects of another realm. */
export function objectKind(value: object): ObjectKind {
  if (Array.isArray(value)) return 'array';
  if (isPlainObject(value)) return 'plain';
  switch (Object.prototype.toString.call(value)) {
    case '[object Date]':
      return 'date';
    case '[object Map]':
      return 'map';
    case '[object Set]':
      return 'set';
    case '[object Uint8Array]':
      return 'bytes';
    case '[object URL]':
      return 'url';
    case '[object RegExp]':
      return 'regexp';
    case '[object Error]':
      return 'error';
    default:
      return value instanceof Error ? 'error' : 'other';
  }
}
