import { SetMetadata } from '@nestjs/common';
import type { AuditActorKind, AuditOutcome, AuditRecord } from '@waymark/runtime';
import { isObject } from '../requests/json-values.js';

export const AUDITED = Symbol.for('@waymark/api:audited');

/** What a request and its answer say about it; the answer of a refused request is undefined. */
export interface AuditedRequest {
  readonly params: Readonly<Record<string, string>>;
  /** As the handler was given it; empty when the request was refused before. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly answer: Readonly<Record<string, unknown>>;
}

/** What is known of a request besides its route. Ids and numbers, never inputs. */
export interface AuditNote {
  readonly actor?: string | undefined;
  readonly actorKind?: AuditActorKind | undefined;
  readonly targetIds?: readonly string[] | undefined;
  readonly targetCount?: number | undefined;
  readonly outcome?: AuditOutcome | undefined;
  readonly code?: string | undefined;
  readonly details?: AuditRecord['details'];
}

/** How requests to a route stand in the audit trail. */
export interface AuditedRoute {
  readonly action: string;
  /** Kind of what is changed. */
  readonly target?: string | undefined;
  /** The parameter of the path that is the target's id. */
  readonly param?: string | undefined;
  /** For what the path does not say. */
  readonly note?: ((request: AuditedRequest) => AuditNote) | undefined;
}

/** A route that changes something: each request to it leaves an entry in the audit trail. */
export const Audited = (action: string, route: Omit<AuditedRoute, 'action'> = {}): MethodDecorator =>
  SetMetadata(AUDITED, { action, ...route } satisfies AuditedRoute);

/** A route whose permission looks as if it changed something. @param _reason why it does not, for the reader */
export const NotAudited = (_reason: string): MethodDecorator => SetMetadata(AUDITED, false);

// What the routes read from bodies and answers, whose members may have any type until then.

export const textIn = (from: unknown, member: string): string | undefined => {
  const value = isObject(from) ? (from as Record<string, unknown>)[member] : undefined;
  return typeof value === 'string' ? value : undefined;
};

export const numberIn = (from: unknown, member: string): number | undefined => {
  const value = isObject(from) ? (from as Record<string, unknown>)[member] : undefined;
  return typeof value === 'number' ? value : undefined;
};

export const textsIn = (from: unknown, member: string): string[] => {
  const value = isObject(from) ? (from as Record<string, unknown>)[member] : undefined;
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
};
