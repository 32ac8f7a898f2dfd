import { inAnyCasing } from '@waymark/core/adapter';
import { ExpressionTransferError } from '../../errors/expression-errors.js';
import type { Contents } from './kept-contents.js';
import { MARK } from './marks.js';

/**
 * Reads a value that the sandbox sent. The text is not trusted: whatever it says, the result is plain data.
 * @param contents those that stayed with the host
 * @throws ExpressionTransferError when it cannot be read
 */
export function unpack(text: string, contents?: Contents): unknown {
  const rest = text.slice(1);
  switch (text.charAt(0)) {
    case 's':
      return rest;
    case 'n':
      return Number(rest);
    case 't':
      return true;
    case 'f':
      return false;
    case '0':
      return null;
    case 'u':
      return undefined;
    default:
      return unpackOther(text.charAt(0), rest, contents);
  }
}

function unpackOther(kind: string, rest: string, contents: Contents | undefined): unknown {
  try {
    if (kind === 'b') return BigInt(rest);
    if (kind === 'j') return parse(rest);
    if (kind === 'm') return revive(parse(rest), contents);
  } catch (cause) {
    throw new ExpressionTransferError('A script returned a value that cannot be read.', { cause });
  }
  throw new ExpressionTransferError('A script returned a value of unknown kind.');
}

/**
 * A member called `__proto__` is dropped: as an own member it is harmless, but the next one to copy it by assignment
 * changes a prototype.
 */
function parse(json: string): unknown {
  return /__proto__|\\u005f/i.test(json) ? JSON.parse(json, dropPrototype) : JSON.parse(json);
}

function dropPrototype(name: string, value: unknown): unknown {
  return name === '__proto__' ? undefined : value;
}

function revive(value: unknown, contents: Contents | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = revive(value[i], contents);
    return value;
  }
  const members = value as Record<string, unknown>;
  if (MARK in members) return reviveMark(members[MARK], contents);
  for (const name of Object.keys(members)) members[name] = revive(members[name], contents);
  return members;
}

function reviveMark(mark: unknown, contents: Contents | undefined): unknown {
  const [kind, content] = mark as [string, unknown];
  switch (kind) {
    case 'd':
      return new Date(content === null ? NaN : Number(content));
    case 'b':
      return BigInt(content as string);
    case 'y':
      return new Uint8Array(Buffer.from(String(content), 'latin1'));
    case 'n':
      return Number(content);
    case 'u':
      return undefined;
    case 'o':
      return Object.fromEntries(
        (content as [string, unknown][])
          .filter(([name]) => name !== '__proto__')
          .map(([name, v]) => [name, revive(v, contents)]),
      );
    case 'c': {
      const object = revive(content, contents);
      return typeof object === 'object' && object !== null && !Array.isArray(object) ? inAnyCasing(object) : object;
    }
    case 'l': {
      const bytes = contents?.find(Number(content));
      if (!bytes) throw new TypeError('No such content was given to the script.');
      return bytes;
    }
    default:
      throw new TypeError(`Unknown mark ${kind}.`);
  }
}
