import { Inject, Injectable } from '@nestjs/common';
import { WorkflowClock } from '@waymark/runtime';
import { createHash, randomBytes } from 'node:crypto';
import { UnauthenticatedError } from '../answers/api-errors.js';
import {
  API_OPTIONS,
  type ApiUser,
  type ResolvedApiOptions,
  type ResolvedAuthentication,
} from '../module/api-options.js';
import { LoginThrottle } from './login-throttle.js';
import { sameBytes, signToken, verifyToken } from './json-web-token.js';

/** The caller of a request. */
export interface Principal {
  /** Kind of caller: a user who logged in, or a program with a key. */
  readonly kind: 'User' | 'ApiKey';
  /** Id of the user or key, as the audit trail shows it. */
  readonly id: string;
  /** Name for people. */
  readonly name: string;
  /** Permissions such as `read:workflow-instances`; `*` is all of them. */
  readonly permissions: readonly string[];
  /** Groups of the user, for tasks. They grant no permissions. */
  readonly roles: readonly string[];
  /** When its token expires; undefined if it has none. */
  readonly expiresAt?: number;
}

export interface LoginAnswer {
  readonly isAuthenticated: boolean;
  readonly accessToken?: string;
  readonly refreshToken?: string;
}

type TokenOptions = Pick<
  ResolvedAuthentication,
  'signingKey' | 'issuer' | 'audience' | 'accessTokenLifetimeMs' | 'refreshTokenLifetimeMs'
>;
const ANONYMOUS_LIFETIME_MS = 24 * 3_600_000;
/** Protects nothing: the server is open to all callers. */
const OPEN_SERVER = { id: 'admin', name: 'admin', password: 'password', permissions: ['*'], roles: [] };
const ROLE_CLAIM = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role';
const API_KEY_CHALLENGE = 'ApiKey realm="Workflows", charset="UTF-8", in="authorization_header", key_name="ApiKey"';

/** Authenticates users and keys, and issues and checks tokens. */
@Injectable()
export class Authenticator {
  private readonly options: ResolvedAuthentication | undefined;
  private readonly throttle: LoginThrottle;

  private readonly anonymous: TokenOptions = {
    signingKey: randomBytes(32).toString('base64url'),
    issuer: 'anonymous',
    audience: 'anonymous',
    accessTokenLifetimeMs: ANONYMOUS_LIFETIME_MS,
    refreshTokenLifetimeMs: ANONYMOUS_LIFETIME_MS,
  };

  /** If true, no authentication is configured, so the API is closed. */
  readonly isClosed: boolean;

  constructor(
    /** Options of the API, with their defaults. */
    @Inject(API_OPTIONS) options: ResolvedApiOptions,
    private readonly clock: WorkflowClock,
  ) {
    this.options = options.authentication;
    this.isClosed = !options.authentication && !options.allowAnonymous;
    this.throttle = new LoginThrottle(options.authentication?.loginLimits ?? false);
  }

  /** False if no caller is asked for credentials. */
  get isRequired(): boolean {
    return this.options !== undefined;
  }

  /** True if `allowAnonymous` allows everything to all callers. */
  get isOpen(): boolean {
    return !this.options && !this.isClosed;
  }

  /** True if a user or a key is configured, so that login is possible. */
  get hasUsers(): boolean {
    return !!this.options?.users.length;
  }

  /** Returns true if a user of that name may log in. */
  knows(name: string): boolean {
    return this.options?.users.some((user) => user.name === name) ?? false;
  }

  /**
   * Logs a user in. @param address of the client
   * @throws TooManyLoginsError (`WM8011`), whether the password is right or wrong
   */
  login(name: string, password: string, address?: string): LoginAnswer {
    const attempt = { subject: `user ${name}`, address };
    this.throttle.require(attempt, this.clock.monotonic());
    const user = this.options?.users.find((u) => u.name === name);
    // An unknown user costs as much time as a wrong password.
    const isRight = sameText(user?.password ?? '', password);
    if (!user || !isRight) {
      this.throttle.failed(attempt, this.clock.monotonic());
      return { isAuthenticated: false };
    }
    this.throttle.succeeded(attempt);
    return this.issue(user);
  }

  /**
   * Logs in to a server without authentication, for clients that require a login. The credentials are those of a new Elsa server: others
   * are wrong there too, and a client that was given them must not believe that they were checked.
   */
  anonymousLogin(name: string, password: string): LoginAnswer {
    const isRight = name === OPEN_SERVER.name && password === OPEN_SERVER.password;
    return isRight ? this.anonymousTokens() : { isAuthenticated: false };
  }

  /**
   * Tokens of a server without authentication. They contain what clients read, but grant nothing: they are signed with a key of this
   * process that no check accepts.
   */
  anonymousTokens(): LoginAnswer {
    return this.issue(OPEN_SERVER, this.anonymous);
  }

  /** Issues new tokens for a refresh token; its user must still exist. */
  refresh(principal: Principal): LoginAnswer {
    const user = this.options?.users.find((u) => u.id === principal.id);
    return user ? this.issue(user) : { isAuthenticated: false };
  }

  /**
   * Returns the caller of a request, by its header `Authorization`.
   * @param address of the client @throws UnauthenticatedError (`WM8004`), TooManyLoginsError (`WM8011`)
   */
  authenticate(authorization: string | undefined, tokenUse: 'access' | 'refresh', address?: string): Principal {
    const [scheme = '', credentials = ''] = (authorization ?? '').trim().split(/\s+/, 2);
    switch (scheme.toLowerCase()) {
      case 'apikey':
        return this.byApiKey(tokenUse === 'access' ? credentials : '', address);
      case 'bearer':
        return this.byToken(credentials, tokenUse);
      default:
        throw new UnauthenticatedError('Bearer');
    }
  }

  private byApiKey(given: string, address: string | undefined): Principal {
    const found = this.options?.apiKeys.find((k) => sameText(k.key, given));
    // Programs with a right key that was used there before go on: an old key in one of them must not stop them all.
    const attempt = { subject: found && `key ${found.key}`, address };
    if (!this.throttle.isTrusted(attempt)) this.throttle.require(attempt, this.clock.monotonic());
    if (!found) {
      this.throttle.failed(attempt, this.clock.monotonic());
      throw new UnauthenticatedError(API_KEY_CHALLENGE);
    }
    this.throttle.succeeded(attempt);
    return { kind: 'ApiKey', id: found.name, name: found.name, permissions: found.permissions, roles: [] };
  }

  private byToken(token: string, tokenUse: 'access' | 'refresh'): Principal {
    const { options } = this;
    const claims =
      options &&
      verifyToken(token, {
        key: options.signingKey,
        issuer: options.issuer,
        audience: options.audience,
        tokenUse,
        now: this.clock.now(),
      });
    if (!claims) throw new UnauthenticatedError('Bearer');
    return {
      kind: 'User',
      id: claims.sub,
      name: claims.name,
      permissions: manyOf(claims.permissions),
      roles: manyOf(claims[ROLE_CLAIM]),
      expiresAt: claims.exp * 1000,
    };
  }

  private issue(user: Required<ApiUser>, options: TokenOptions = this.options!): LoginAnswer {
    const issuedAt = Math.floor(this.clock.now() / 1000);
    const sign = (tokenUse: 'access' | 'refresh', lifetimeMs: number) =>
      signToken(
        {
          aud: options.audience,
          iss: options.issuer,
          exp: issuedAt + Math.ceil(lifetimeMs / 1000),
          sub: user.id,
          name: user.name,
          ...(user.roles.length ? { [ROLE_CLAIM]: oneOrMany(user.roles) } : {}),
          permissions: oneOrMany(user.permissions),
          token_use: tokenUse,
          iat: issuedAt,
          nbf: issuedAt,
        },
        options.signingKey,
      );
    return {
      isAuthenticated: true,
      accessToken: sign('access', options.accessTokenLifetimeMs),
      refreshToken: sign('refresh', options.refreshTokenLifetimeMs),
    };
  }
}

const oneOrMany = (values: readonly string[]): string | readonly string[] =>
  values.length === 1 ? values[0]! : values;

/** A claim of texts, which is a text if there is only one. */
function manyOf(claim: unknown): readonly string[] {
  return typeof claim === 'string' ? [claim] : Array.isArray(claim) ? (claim as readonly string[]) : [];
}

/** Digests have one length, so the comparison tells nothing about the secret. */
function sameText(secret: string, given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return sameBytes(digest(secret), digest(given)) && secret !== '';
}
