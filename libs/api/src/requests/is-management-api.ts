import { type ExecutionContext, SetMetadata } from '@nestjs/common';

const OF_API = Symbol.for('@waymark/api:of-api');

/** Marks a controller of the management API or of its hub, for `isManagementApi`. */
export const OfManagementApi = (): ClassDecorator => SetMetadata(OF_API, true);

/**
 * Whether a request is for the management API or its hub, in a guard or interceptor of the application. They check credentials of
 * their own (option `authentication`), which a global guard with other ones would refuse first.
 *
 * @example
 * async canActivate(context: ExecutionContext): Promise<boolean> {
 *   return isManagementApi(context) || this.hasSession(context);
 * }
 */
export const isManagementApi = (context: ExecutionContext): boolean =>
  Reflect.getMetadata(OF_API, context.getClass()) === true;
