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

/** Called by handlers: adds to the audit entry of a request. */
export function noteForAudit(request: HttpRequest, note: AuditNote): void {
  const pending = (request as Audit)[PENDING];
  if (pending) pending.note = { ...pending.note, ...note, details: { ...pending.note.details, ...note.details } };
}

/** Whether the request gets an entry, as far as is known by then. */
export const isAuditedRequest = (request: HttpRequest): boolean => (request as Audit)[PENDING] !== undefined;

/** Called by handlers when a request changes nothing: it gets no entry. */
export function leaveOutOfAudit(request: HttpRequest): void {
  take(request);
}

/**
 * Writes one entry for each request to a route that changes something, before it is answered. Refused requests are recorded within
 * a budget, so that clients without permission cannot fill the table.
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

  /** Called before guards and handlers, when only the route is known. */
  begin(request: HttpRequest, route: AuditedRoute): void {
    if (this.options.audit === false || this.left.has(route.action)) return;
    (request as Audit)[PENDING] = { route, note: {} };
  }

  /** Resolves when the entry is written, or could not be. Only the first outcome of a request is recorded. */
  async succeeded(request: HttpRequest, answer?: unknown): Promise<void> {
    const pending = take(request);
    if (pending) await this.write(request, pending, { outcome: AuditOutcome.Succeeded }, answer);
  }

  /** @returns undefined when there is nothing to write */
  failed(request: HttpRequest, error: unknown, status: number): Promise<void> | undefined {
    const pending = take(request);
    // StoreUnavailableError: nothing was changed, and the entry could not be stored either.
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
      // The client gets its answer even when the entry cannot be written.
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

/** Without undefined members, so that they do not overwrite known ones. */
const onlyGiven = (note: AuditNote): AuditNote =>
  Object.fromEntries(Object.entries(note).filter(([, value]) => value !== undefined));

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? (value as Record<string, unknown>) : {};

/** Id of the request, as set by a proxy or the client, or of its trace. */
function requestIdOf({ headers }: HttpRequest): string | undefined {
  for (const name of ['x-request-id', 'x-correlation-id', 'traceparent']) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}
