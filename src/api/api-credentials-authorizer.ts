import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Authenticator } from '@waymark/api';
import { type EndpointAccess, HttpEndpointAuthorizer } from '@waymark/http';

/** Endpoints that ask for authorisation take the credentials of the management API. */
@Injectable()
export class ApiCredentialsAuthorizer extends HttpEndpointAuthorizer {
  constructor(private readonly modules: ModuleRef) {
    super();
  }

  authorize({ request }: EndpointAccess): boolean {
    try {
      this.modules.get(Authenticator, { strict: false }).authenticate(request.header('authorization'), 'access');
      return true;
    } catch {
      return false;
    }
  }
}
