import { isWaymarkError } from '@waymark/core';
import { Inject, Injectable } from '@nestjs/common';
import { AuditActorKind, AuditOutcome, type AuditRecord, AuditTrail } from '@waymark/runtime';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import { principalOf } from '../identity/api-auth.guard.js';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';
import { bodyRead } from '../requests/body-read.js';
import { clientAddress, type HttpRequest } from '../requests/http-request.js';
import { isObject } from '../requests/json-values.js';
import type { AuditedRoute, AuditNote } from './audited.js';
import { RefusalBudget } from './refusal-budget.js';

const PENDING = Symbol('waymark.api.audit');

interface Pending {
  readonly route: AuditedRoute;
  note: AuditNote;
}
type Audit = { [PENDING]?: Pending | undefined };

/** Adds to the entry of a request what only its handler knows. */
export function noteForAudit(request: HttpRequest, note: AuditNote): void {
  const pending = (request as Audit)[PENDING];
  if (pending) pending.note = { ...pending.note, ...note, details: { ...pending.note.details, ...note.details } };
}

/** For a request that turns out to change nothing. */
export function leaveOutOfAudit(request: HttpRequest): void {
  take(request);
}

/**
 * Writes one entry for each request to a route that changes something, before it is answered. What was refused is recorded
 * within a budget: strangers cannot fill the table.
 */
@Injectable()
export class RequestAudit {
  private readonly logger = new WorkflowLogger('WorkflowAudit');
  private readonly left: ReadonlySet<string>;

  constructor(
    private readonly trail: AuditTrail,
    private readonly budget: RefusalBudget,
    @Inject(API_OPTIONS) private readonly options: ResolvedApiOptions,
  ) {
    this.left = new Set(options.audit === false ? [] : options.audit.except);
  }

  /** Before anything is known of the request but its route. */
  begin(request: HttpRequest, route: AuditedRoute): void {
    if (this.options.audit === false || this.left.has(route.action)) return;
    (request as Audit)[PENDING] = { route, note: {} };
  }

  /** Resolves when the entry is written, or cannot be. Once for each request: what comes later is not recorded. */
  async succeeded(request: HttpRequest, answer?: unknown): Promise<void> {
    const pending = take(request);
    if (pending) await this.write(request, pending, { outcome: AuditOutcome.Succeeded }, answer);
  }

  /** Undefined: there is nothing to wait for. */
  failed(request: HttpRequest, error: unknown, status: number): Promise<void> | undefined {
    const pending = take(request);
    // StoreUnavailableError: nothing was changed, and there is nowhere to write that.
    if (!pending || isWaymarkError(error, 'WM7014')) return undefined;
    const outcome = status >= 500 ? AuditOutcome.Failed : AuditOutcome.Refused;
    const code = isWaymarkError(error) ? error.code : `HTTP ${status}`;
    return this.write(request, pending, { outcome, code });
  }

  private async write(request: HttpRequest, pending: Pending, came: AuditNote, answer?: unknown): Promise<void> {
    try {
      const record = recordOf(request, pending, came, answer);
      if (!this.budget.allows(record)) return;
      await this.trail.record(record);
    } catch (error) {
      // The answer is worth more than its entry.
      this.logger.error(error);
    }
  }
}

function take(request: HttpRequest): Pending | undefined {
  const pending = (request as Audit)[PENDING];
  delete (request as Audit)[PENDING];
  return pending;
}

function recordOf(request: HttpRequest, { route, note }: Pending, came: AuditNote, answer: unknown): AuditRecord {
  const { params = {} } = request as { params?: Record<string, string> };
  const body = bodyRead(request);
  const seen = route.note?.({ params, body: membersOf(body), answer: membersOf(answer) });
  const id = route.param === undefined ? undefined : params[route.param];
  const principal = principalOf(request);
  return {
    action: route.action,
    actor: principal?.name,
    actorKind: principal?.kind ?? AuditActorKind.Anonymous,
    targetKind: route.target,
    targetIds: id === undefined ? [] : [id],
    address: clientAddress(request),
    userAgent: request.headers['user-agent'],
    requestId: requestIdOf(request),
    ...onlyGiven(came),
    ...onlyGiven(seen ?? {}),
    ...onlyGiven(note),
    details: { ...seen?.details, ...note.details },
  };
}

/** What is known of something is not lost to what knows nothing of it. */
const onlyGiven = (note: AuditNote): AuditNote =>
  Object.fromEntries(Object.entries(note).filter(([, value]) => value !== undefined));

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? (value as Record<string, unknown>) : {};

/** As a proxy or the client named the request, or the trace that it belongs to. */
function requestIdOf({ headers }: HttpRequest): string | undefined {
  for (const name of ['x-request-id', 'x-correlation-id', 'traceparent']) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}
