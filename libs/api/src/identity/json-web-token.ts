import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseJsonText } from '@waymark/core/adapter';

export interface TokenClaims {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly name: string;
  readonly token_use: 'access' | 'refresh';
  /** Seconds since 1970. */
  readonly exp: number;
  readonly iat: number;
  readonly nbf: number;
  /** A text if there is only one, as .NET writes claims. */
  readonly permissions?: string | readonly string[];
  readonly [claim: string]: unknown;
}

/** `HS256`, and the name that .NET's tokens carry for it. */
const ALGORITHMS = ['HS256', 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256'];

const encode = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url');
const signature = (text: string, key: string): Buffer => createHmac('sha256', key).update(text).digest();

export function signToken(claims: TokenClaims, key: string): string {
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${text}.${signature(text, key).toString('base64url')}`;
}

export interface TokenExpectations {
  readonly key: string;
  readonly issuer: string;
  readonly audience: string;
  readonly tokenUse: 'access' | 'refresh';
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The claims of a token that is genuine, for us, of that use and in its time; else `undefined`. */
export function verifyToken(token: string, expected: TokenExpectations): TokenClaims | undefined {
  const [head, body, given, ...rest] = token.split('.');
  if (head === undefined || body === undefined || given === undefined || rest.length > 0) return undefined;
  const algorithm = (parse(head) as { alg?: unknown } | undefined)?.alg;
  // The key decides which algorithm it is for; a token must not talk us into another.
  if (!ALGORITHMS.some((known) => known === algorithm)) return undefined;
  if (!sameBytes(signature(`${head}.${body}`, expected.key), Buffer.from(given, 'base64url'))) return undefined;
  const claims = parse(body) as TokenClaims | undefined;
  if (!claims || claims.iss !== expected.issuer || claims.aud !== expected.audience) return undefined;
  const seconds = expected.now / 1000;
  const isTimely = typeof claims.exp === 'number' && seconds < claims.exp && !(claims.nbf > seconds + 1);
  return isTimely && claims.token_use === expected.tokenUse ? claims : undefined;
}

export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

function parse(part: string): unknown {
  try {
    return parseJsonText(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
