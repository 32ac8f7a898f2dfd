import type { ResolvedHttpOptions } from '../module/http-options.js';
import type { HttpRequestContext } from '../requests/http-request-context.js';
import type { BodyLimits } from '../requests/request-body.js';

/** Input of the burst that a request starts or resumes. */
export const inputOf = ({ request }: HttpRequestContext) => ({ HttpContext: true, Path: request.path });

export const bodyLimitsOf = ({ bodyLimit, defaultBodyLimit, bodyValues }: ResolvedHttpOptions): BodyLimits => ({
  bytes: bodyLimit,
  defaultBytes: defaultBodyLimit,
  values: bodyValues,
});
