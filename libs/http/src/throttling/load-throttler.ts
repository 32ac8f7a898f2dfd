import { createHash } from 'node:crypto';
import type { ExecutionContext } from '@nestjs/common';
import { type ModuleRef, Reflector } from '@nestjs/core';
import type { ThrottlerLimitDetail, ThrottlerModuleOptions, ThrottlerStorage } from '@nestjs/throttler';
import type { AdapterExchange } from '../requests/adapter-exchange.js';
import type { EndpointRateLimit } from './endpoint-rate-limit.js';

/** Counts requests in the storage of the application's `ThrottlerModule`. */
export interface Throttler {
  /** @param name of what is counted @returns seconds until a client that has sent too many may come again */
  count(exchange: AdapterExchange, name: string, limit: EndpointRateLimit): Promise<number | undefined>;
}

type Library = typeof import('@nestjs/throttler');

/**
 * Undefined where the package is not installed or its module not imported. Loaded here alone, as an application that
 * declares no limits need not have it.
 */
export async function loadThrottler(modules: ModuleRef): Promise<Throttler | undefined> {
  const library = await importLibrary();
  const storage = library && lookUp<ThrottlerStorage>(modules, library.ThrottlerStorage);
  const options = library && lookUp<ThrottlerModuleOptions>(modules, library.getOptionsToken());
  return library && storage && options && throttlerOf(library, storage, options);
}

async function throttlerOf(
  { ThrottlerGuard }: Library,
  storage: ThrottlerStorage,
  options: ThrottlerModuleOptions,
): Promise<Throttler> {
  /** The guard of the package, so that addresses, agents and headers are treated as in the rest of the application. */
  class EndpointGuard extends ThrottlerGuard {
    protected override throwThrottlingException(
      _context: ExecutionContext,
      { timeToBlockExpire }: ThrottlerLimitDetail,
    ): Promise<void> {
      throw new TooManyRequests(timeToBlockExpire);
    }
  }
  const { skipIf, ignoreUserAgents, getTracker, setHeaders, ipv6SubnetPrefix } = Array.isArray(options)
    ? ({} as Partial<Exclude<ThrottlerModuleOptions, readonly unknown[]>>)
    : options;
  const guard = new EndpointGuard(
    withoutUndefined({
      skipIf,
      ignoreUserAgents,
      getTracker,
      setHeaders,
      ipv6SubnetPrefix,
      throttlers: [
        {
          limit: (context: ExecutionContext) => (context as CountedRequest).limit.limit,
          ttl: (context: ExecutionContext) => (context as CountedRequest).limit.ttl,
          // That of the application names a controller, which all endpoints share.
          generateKey: (context: ExecutionContext, tracker: string) => keyOf((context as CountedRequest).name, tracker),
        },
      ],
    }) as ThrottlerModuleOptions,
    storage,
    new Reflector(),
  );
  await guard.onModuleInit();
  return {
    async count(exchange, name, limit) {
      try {
        await guard.canActivate(new CountedRequest(exchange, name, limit));
        return undefined;
      } catch (error) {
        if (error instanceof TooManyRequests) return error.seconds;
        throw error;
      }
    },
  };
}

class TooManyRequests extends Error {
  constructor(readonly seconds: number) {
    super('Too many requests.');
  }
}

/** A request as the package's guard takes it. Decorators on the controller, such as `@SkipThrottle()`, are about other limits. */
class CountedRequest implements ExecutionContext {
  constructor(
    private readonly exchange: AdapterExchange,
    readonly name: string,
    readonly limit: EndpointRateLimit,
  ) {}

  getClass<T>() {
    return CountedRequest as unknown as new (...args: unknown[]) => T;
  }
  getHandler() {
    return this.getHandler;
  }
  getArgs<T extends unknown[]>(): T {
    const { request, response } = this.exchange;
    return [request.native, response] as unknown as T;
  }
  getArgByIndex<T>(index: number): T {
    return this.getArgs()[index] as T;
  }
  getType<T extends string>(): T {
    return 'http' as T;
  }
  switchToHttp() {
    const { request, response } = this.exchange;
    return {
      getRequest: <T>() => request.native as T,
      getResponse: <T>() => response as T,
      getNext: <T>() => undefined as T,
    };
  }
  switchToRpc(): never {
    throw new TypeError('An HTTP request is not a message.');
  }
  switchToWs(): never {
    throw new TypeError('An HTTP request is not a message of a socket.');
  }
}

const keyOf = (name: string, tracker: string): string =>
  createHash('sha256').update(`waymark-${name}-${tracker}`).digest('hex');

const withoutUndefined = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

function lookUp<T>(modules: ModuleRef, token: symbol | string): T | undefined {
  try {
    return modules.get<T>(token, { strict: false });
  } catch {
    // Nest's error says no more than that it is not there.
    return undefined;
  }
}

async function importLibrary(): Promise<Library | undefined> {
  try {
    return await import('@nestjs/throttler');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
