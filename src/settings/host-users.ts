import type { ApiUser } from '@waymark/api';
import { parseJsonText } from '@waymark/core/adapter';
import { SettingsError } from './settings-error.js';

/**
 * `WAYMARK_USERS`: `name:password` separated by commas, each of whom may do everything; or a JSON list of
 * `{ name, password, permissions?, roles? }`. Without it the key is the password of `admin`, because designers in the
 * browser can only log in with a name and a password.
 * @throws SettingsError
 */
export function readUsers(text: string | undefined, apiKey: string | undefined): ApiUser[] {
  const given = text?.trim();
  if (!given) return apiKey ? [{ name: 'admin', password: apiKey, roles: ['Administrator'] }] : [];
  const users = given.startsWith('[') ? fromJson(given) : given.split(',').map(fromPair);
  const names = users.map((user) => user.name);
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) throw new SettingsError(`WAYMARK_USERS names "${repeated}" twice.`);
  return users;
}

function fromPair(pair: string): ApiUser {
  const colon = pair.indexOf(':');
  const name = pair.slice(0, Math.max(0, colon)).trim();
  const password = pair.slice(colon + 1).trim();
  // Not what was given: it may be a password.
  if (!name || !password)
    throw new SettingsError('WAYMARK_USERS is a list such as "ann:her password,bob:his password", or JSON.');
  return { name, password };
}

function fromJson(text: string): ApiUser[] {
  const users = parsed(text);
  if (Array.isArray(users) && users.every(isUser)) return users;
  throw new SettingsError(
    'WAYMARK_USERS as JSON is a list of { "name", "password", "permissions"?: [texts], "roles"?: [texts] }.',
  );
}

function parsed(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

function isUser(value: unknown): value is ApiUser {
  const { name, password, permissions, roles } = (value ?? {}) as Record<string, unknown>;
  const isText = (text: unknown) => typeof text === 'string' && text !== '';
  const isList = (list: unknown) => list === undefined || (Array.isArray(list) && list.every(isText));
  return isText(name) && isText(password) && isList(permissions) && isList(roles);
}
