import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { RuntimeGate, WorkflowClock } from '@waymark/runtime';
import { type BodyDeadline } from '@waymark/runtime/adapter';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';
import type { HttpRequest } from './http-request.js';

/** How much the body of a request may hold. Work on a body grows with its values, which may be as short as `[],`. */
export interface BodyLimit {
  readonly bytes: number;
  /** JSON values in all: members, items, and the lists and objects that hold them. */
  readonly values: number;
  /** How long it may take to arrive. */
  readonly deadline: BodyDeadline;
  /** Files of an upload. */
  readonly files?: number;
  /** The options by which the host raises them; none: they are fixed. */
  readonly options?: { readonly bytes: string; readonly values: string };
}

/** Each route says which kind of body it reads. */
export const BodyKind = {
  /** Names and passwords, from clients that are not logged in. */
  Login: 'login',
  /** Everything without a kind of its own. */
  Ordinary: 'ordinary',
  /** A definition. */
  Definition: 'definition',
  /** Files with definitions or instances. */
  Import: 'import',
} as const;
export type BodyKind = (typeof BodyKind)[keyof typeof BodyKind];

type BodyLimits = Readonly<Record<BodyKind, BodyLimit>>;

export function bodyLimitsOf(options: ResolvedApiOptions, clock: WorkflowClock, gate: RuntimeGate): BodyLimits {
  const { bodyIdleTimeoutMs: idleMs, bodyTimeoutMs: totalMs } = options;
  const deadline: BodyDeadline = {
    ...{ clock, idleMs, totalMs },
    whenDraining: (listener) => gate.whenDraining(listener),
  };
  return {
    // Short, and sent by anyone.
    login: { bytes: 4096, values: 100, deadline: { ...deadline, totalMs: Math.min(idleMs, totalMs) } },
    ordinary: {
      deadline,
      bytes: options.bodyBytes,
      values: options.bodyValues,
      options: { bytes: 'bodyBytes', values: 'bodyValues' },
    },
    definition: {
      deadline,
      bytes: options.definitionBytes,
      values: options.importValues,
      options: { bytes: 'definitionBytes', values: 'importValues' },
    },
    import: {
      deadline,
      bytes: options.importBytes,
      values: options.importValues,
      files: options.importFiles,
      options: { bytes: 'importBytes', values: 'importValues' },
    },
  };
}

const LIMITS = Symbol('waymark.api.bodyLimits');

/** Attaches the limits to the request: decorators of parameters have no access to the options. */
@Injectable()
export class BodyLimitsGuard implements CanActivate {
  private readonly limits: BodyLimits;

  constructor(@Inject(API_OPTIONS) options: ResolvedApiOptions, clock: WorkflowClock, gate: RuntimeGate) {
    this.limits = bodyLimitsOf(options, clock, gate);
  }

  canActivate(context: ExecutionContext): boolean {
    context.switchToHttp().getRequest<{ [LIMITS]?: BodyLimits }>()[LIMITS] = this.limits;
    return true;
  }
}

export function bodyLimit(request: HttpRequest, kind: BodyKind): BodyLimit {
  const limits = (request as { [LIMITS]?: BodyLimits })[LIMITS];
  if (!limits) throw new Error('The request does not belong to a controller of the API.');
  return limits[kind];
}

/** A sentence for errors about a limit; empty when the host cannot raise it. */
export const raiseHint = (option: string | undefined): string =>
  option === undefined ? '' : ` The option '${option}' of WorkflowApiModule sets the limit.`;
