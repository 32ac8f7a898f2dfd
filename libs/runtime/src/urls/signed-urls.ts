import { Injectable } from '@nestjs/common';
import { type TimeSpanInput, WorkflowExecutionError } from '@waymark/core';
import { parseDate, toOwnMilliseconds } from '@waymark/core/adapter';
import { WorkflowClock } from '../clock/workflow-clock.js';

/** Makes URLs that need no credentials. The management API provides an implementation. */
export interface UrlSigner {
  /** A URL that resumes the bookmark. @param expiresAt @default never */
  bookmarkUrl(target: { readonly bookmarkId: string; readonly workflowInstanceId: string }, expiresAt?: Date): string;
  /** A URL that publishes the event. @param expiresAt @default never */
  eventUrl(target: { readonly eventName: string; readonly workflowInstanceId?: string }, expiresAt?: Date): string;
}

/**
 * How long a URL is valid: a time span from now, such as `"2 days"`, `"48:00:00"` (hours) or milliseconds; or the time of its end. Without
 * it, the URL does not expire.
 */
export type UrlLifetime = TimeSpanInput | Date;

/**
 * Makes URLs that resume a bookmark or publish an event without credentials, for e-mails and other systems.
 * @example
 * mail.send(`Approve: ${urls.forBookmark(bookmarkId, workflowInstanceId, '2.00:00:00')}`);
 */
@Injectable()
export class SignedUrls {
  private signer: UrlSigner | undefined;

  constructor(private readonly clock: WorkflowClock) {}

  /** Called by the module that answers such URLs. */
  use(signer: UrlSigner): void {
    this.signer = signer;
  }

  /**
   * A URL that resumes one bookmark.
   * @throws WorkflowExecutionError WM2023 no module answers such URLs · WM2024 the lifetime cannot be understood
   */
  forBookmark(bookmarkId: string, workflowInstanceId: string, lifetime?: UrlLifetime): string {
    return this.requireSigner().bookmarkUrl({ bookmarkId, workflowInstanceId }, this.expiry(lifetime));
  }

  /**
   * A URL that publishes one event.
   * @param workflowInstanceId the only instance that gets the event; without it all do
   * @throws as `forBookmark`
   */
  forEvent(eventName: string, workflowInstanceId?: string, lifetime?: UrlLifetime): string {
    return this.requireSigner().eventUrl({ eventName, workflowInstanceId }, this.expiry(lifetime));
  }

  private requireSigner(): UrlSigner {
    if (this.signer) return this.signer;
    throw new WorkflowExecutionError(
      'WM2023',
      'Signed URLs are not configured: import WorkflowApiModule of @waymark/api with `publicUrl`.',
    );
  }

  private expiry(lifetime: unknown): Date | undefined {
    if (lifetime === undefined || lifetime === null) return undefined;
    if (lifetime instanceof Date && !Number.isNaN(lifetime.getTime())) return lifetime;
    const lifetimeMs = toOwnMilliseconds(lifetime);
    if (lifetimeMs !== undefined) return this.in(lifetimeMs);
    const date = typeof lifetime === 'string' ? parseDate(lifetime) : undefined;
    if (date) return date;
    throw new WorkflowExecutionError(
      'WM2024',
      `The lifetime of a URL must be a time span such as "01:30:00" or "2 days", or a date, not '${String(lifetime)}'.`,
    );
  }

  /** Beyond the last date that there is, it does not expire. */
  private in(ms: number): Date | undefined {
    const end = new Date(this.clock.now() + ms);
    return Number.isNaN(end.getTime()) ? undefined : end;
  }
}
