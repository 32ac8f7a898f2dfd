import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Authenticator, ForbiddenError, UnauthenticatedError } from '@waymark/api';
import { HostPermission, holds } from '../api/host-permissions.js';

/** What the form of the page sends. */
export interface DocsForm {
  readonly key?: unknown;
  readonly username?: unknown;
  readonly password?: unknown;
}

/** Who may read what this server answers: the users and keys of the management API, with its permission for that. */
@Injectable()
export class DocsAccess {
  constructor(private readonly modules: ModuleRef) {}

  /** @throws UnauthenticatedError, ForbiddenError, TooManyLoginsError */
  require(authorization: string | undefined, form: DocsForm, address: string | undefined): void {
    const { authenticator } = this;
    if (!authenticator.isRequired) return;
    const credentials = authorization ?? this.credentialsOf(form, address);
    const principal = authenticator.authenticate(credentials, 'access', address);
    if (holds(principal, HostPermission.ReadOpenApi) || holds(principal, HostPermission.ReadAll)) return;
    throw new ForbiddenError(
      `User "${principal.name}" lacks the permission ${HostPermission.ReadOpenApi}. Use credentials that have it.`,
    );
  }

  private get authenticator(): Authenticator {
    return this.modules.get(Authenticator, { strict: false });
  }

  private credentialsOf({ key, username, password }: DocsForm, address: string | undefined): string | undefined {
    if (typeof key === 'string' && key !== '') return `ApiKey ${key}`;
    if (typeof username !== 'string' || typeof password !== 'string' || username === '') return undefined;
    const { accessToken } = this.authenticator.login(username, password, address);
    if (accessToken === undefined) throw new UnauthenticatedError('Bearer');
    return `Bearer ${accessToken}`;
  }
}
