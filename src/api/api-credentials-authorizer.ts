import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Authenticator } from '@waymark/api';
import { type EndpointAccess, HttpEndpointAuthorizer } from '@waymark/http';
import { holds, permissionOf } from './host-permissions.js';

/** Endpoints that ask for authorisation take the credentials of the management API, with a permission for the policy. */
@Injectable()
export class ApiCredentialsAuthorizer extends HttpEndpointAuthorizer {
  constructor(private readonly modules: ModuleRef) {
    super();
  }

  authorize({ request, policy }: EndpointAccess): boolean {
    const native = request.native as { ip?: string; user?: unknown } | undefined;
    try {
      const principal = this.modules
        .get(Authenticator, { strict: false })
        .authenticate(request.header('authorization'), 'access', native?.ip);
      if (!holds(principal, permissionOf(policy))) return false;
      // By this the keys of requests are told apart: without it, one caller got the answer to another one's request. Its tokens end,
      // and a key may be named as a user is.
      if (native) native.user = { id: `${principal.kind} ${principal.id}`, name: principal.name };
      return true;
    } catch {
      return false;
    }
  }
}
