import type { DiscoveryService } from '@nestjs/core';
import { ProviderScopeError } from './provider-scope-error.js';

type ProviderWrapper = ReturnType<DiscoveryService['getProviders']>[number];

/**
 * Nest has an object of a transient class for each class that injects it. Discovery finds another one: its constructor was never called, so
 * its dependencies are undefined.
 * @param what the class is, for the error, such as `Activity`
 * @throws ProviderScopeError (`WM1045`)
 */
export function requireSingleton(wrapper: ProviderWrapper, what: string): void {
  if (!wrapper.isDependencyTreeStatic()) throw new ProviderScopeError(what, String(wrapper.name));
  if (wrapper.isTransient) throw new ProviderScopeError(what, String(wrapper.name), true);
}
