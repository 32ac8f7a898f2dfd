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
    const address = (request.native as { ip?: string } | undefined)?.ip;
    try {
      const principal = this.modules
        .get(Authenticator, { strict: false })
        .authenticate(request.header('authorization'), 'access', address);
      return holds(principal, permissionOf(policy));
    } catch {
      return false;
    }
  }
}
