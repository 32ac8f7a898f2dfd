import { ExpressionTransferError } from '../../errors/expression-errors.js';
import { MARK } from './marks.js';

/**
 * Reads a value that the sandbox sent. The text is not trusted: whatever it says, the result is plain data.
 * @throws ExpressionTransferError when it cannot be read
 */
export function unpack(text: string): unknown {
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
      return unpackOther(text.charAt(0), rest);
  }
}

function unpackOther(kind: string, rest: string): unknown {
  try {
    if (kind === 'b') return BigInt(rest);
    if (kind === 'j') return parse(rest);
    if (kind === 'm') return revive(parse(rest));
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

function revive(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = revive(value[i]);
    return value;
  }
  const members = value as Record<string, unknown>;
  if (MARK in members) return reviveMark(members[MARK]);
  for (const name of Object.keys(members)) members[name] = revive(members[name]);
  return members;
}

function reviveMark(mark: unknown): unknown {
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
        (content as [string, unknown][]).filter(([name]) => name !== '__proto__').map(([name, v]) => [name, revive(v)]),
      );
    default:
      throw new TypeError(`Unknown mark ${kind}.`);
  }
}
