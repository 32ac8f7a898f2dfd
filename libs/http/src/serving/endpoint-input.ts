import type { ResolvedHttpOptions } from '../module/http-options.js';
import type { HttpRequestContext } from '../requests/http-request-context.js';
import type { RuntimeGate, WorkflowClock } from '@waymark/runtime';
import type { BodyDeadline } from '@waymark/runtime/adapter';
import type { BodyLimits } from '../requests/request-body.js';

/** Input of the burst that a request starts or resumes. */
export const inputOf = ({ request }: HttpRequestContext) => ({ HttpContext: true, Path: request.path });

/** Of bodies that have arrived. */
export const bodyLimitsOf = ({ bodyBytes, defaultBodyBytes, bodyValues }: ResolvedHttpOptions): BodyLimits => ({
  bytes: bodyBytes,
  defaultBytes: defaultBodyBytes,
  values: bodyValues,
});

export const deadlineOf = (options: ResolvedHttpOptions, clock: WorkflowClock, gate: RuntimeGate): BodyDeadline => ({
  clock,
  idleMs: options.bodyIdleTimeoutMs,
  totalMs: options.bodyTimeoutMs,
  whenDraining: (listener) => gate.whenDraining(listener),
});
