/** Kind of actor of an audit entry. */
export const AuditActorKind = {
  /** Logged in with a name and a password, or by what takes their place. */
  User: 'User',
  /** A program with an API key; `actor` is the name of the key. */
  ApiKey: 'ApiKey',
  /** Who holds a signed link, such as one in a mail. */
  Link: 'Link',
  /** A caller without credentials. */
  Anonymous: 'Anonymous',
  /** Code of the application, by `AuditTrail.record`. */
  Application: 'Application',
} as const;
export type AuditActorKind = (typeof AuditActorKind)[keyof typeof AuditActorKind];

/** Result of the action. */
export const AuditOutcome = {
  Succeeded: 'Succeeded',
  /** The caller may not do it, or it cannot be done: nothing was changed. */
  Refused: 'Refused',
  /** The server failed: some of it may have been done. */
  Failed: 'Failed',
} as const;
export type AuditOutcome = (typeof AuditOutcome)[keyof typeof AuditOutcome];

/** Small facts, such as `version: 3`. Never inputs, values or secrets. */
export type AuditDetails = Readonly<Record<string, string | number | boolean>>;

/** One line of the audit trail. It is written once and never changed. */
export interface AuditEntry {
  /** Begins with the time, so that entries lie in order. */
  readonly id: string;
  /** By the clock of the node that wrote it. */
  readonly at: Date;
  /** What kind of caller it was. */
  readonly actorKind: AuditActorKind;
  /** Name of the user or of the API key; never the key. */
  readonly actor?: string | undefined;
  /** What was done, such as `definitions.publish`. Names do not change. */
  readonly action: string;
  /** What it was done to, such as `definition`. */
  readonly targetKind?: string | undefined;
  /** Ids of the targets, as far as the request or its answer names them: `MAX_AUDIT_TARGETS` at most. */
  readonly targetIds: readonly string[];
  /** How many there were, named or not. */
  readonly targetCount: number;
  /** Result of the action. */
  readonly outcome: AuditOutcome;
  /** Code of the error, such as `WM8005`. */
  readonly code?: string | undefined;
  /** Address of the client, as the HTTP adapter sees it. */
  readonly address?: string | undefined;
  /** User agent of the client, shortened. */
  readonly userAgent?: string | undefined;
  /** As the client, or a proxy before the application, named the request. */
  readonly requestId?: string | undefined;
  /** Small facts beside the names. */
  readonly details: AuditDetails;
  /** Set by the store where a part of the row cannot be read: it names no targets then. */
  readonly unreadable?: Error | undefined;
}

/** How many ids of targets an entry names. */
export const MAX_AUDIT_TARGETS = 100;

/** Entries that meet all conditions that are given. */
export interface AuditFilter {
  /** Only by that user or key. */
  readonly actor?: string | undefined;
  /** Only by callers of that kind. */
  readonly actorKind?: AuditActorKind | undefined;
  /** Only that action. */
  readonly action?: string | undefined;
  /** Only on targets of that kind. */
  readonly targetKind?: string | undefined;
  /** One of the ids that the entry names. */
  readonly targetId?: string | undefined;
  /** Only those that ended so. */
  readonly outcome?: AuditOutcome | undefined;
  /** Only entries at or after that time. */
  readonly from?: Date | undefined;
  /** Only entries before that time. */
  readonly to?: Date | undefined;
}

/** The last entry of a page; the next page begins after it. */
export type AuditCursor = Pick<AuditEntry, 'at' | 'id'>;

/** Selects a part of the audit trail. */
export interface AuditPage {
  /** Entries at most. */
  readonly limit: number;
  /** The last entry of the page before. @default from the newest one */
  readonly after?: AuditCursor | undefined;
}

/** Stores the audit trail. By design, entries cannot be changed or deleted individually. */
export interface AuditStore {
  /** Writes all of the entries or none. */
  add(entries: readonly AuditEntry[]): Promise<void>;
  /** Newest first; of the same time, by falling ids. */
  find(filter: AuditFilter, page: AuditPage): Promise<AuditEntry[]>;
  /** Removes entries from before that time, the oldest first. Returns how many, `limit` at most. */
  purge(before: Date, limit: number): Promise<number>;
}
