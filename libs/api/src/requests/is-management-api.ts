import { type ExecutionContext, SetMetadata } from '@nestjs/common';

const OF_API = Symbol.for('@waymark/api:of-api');

/** Marks a controller of the management API or of its hub, for `isManagementApi`. */
export const OfManagementApi = (): ClassDecorator => SetMetadata(OF_API, true);

/**
 * Returns true if a request is for the management API or its hub; for guards and interceptors of the application. The API
 * checks its own credentials (option `authentication`), which a global guard would otherwise refuse before.
 *
 * @example
 * async canActivate(context: ExecutionContext): Promise<boolean> {
 *   return isManagementApi(context) || this.hasSession(context);
 * }
 */
export const isManagementApi = (context: ExecutionContext): boolean =>
  Reflect.getMetadata(OF_API, context.getClass()) === true;
