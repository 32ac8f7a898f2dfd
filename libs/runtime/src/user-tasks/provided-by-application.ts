import { Injectable } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';

/** Finds providers that the application may have, in whichever of its modules. */
@Injectable()
export class ProvidedByApplication {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly modules: ModuleRef,
  ) {}

  /**
   * Returns the provider; undefined if there is none. One that cannot be used here is an error: rules that are silently left out would let
   * people do what they must not.
   * @throws the error of Nest, such as for a request-scoped provider
   */
  find<T>(token: abstract new (...args: never[]) => T): T | undefined {
    if (!this.discovery.getProviders().some((provider) => provider.token === token)) return undefined;
    return this.modules.get<T>(token as never, { strict: false });
  }
}
