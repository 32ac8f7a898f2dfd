/** How an activity waits. */
export interface BookmarkOptions {
  /** Id of the bookmark. @default generated */
  id?: string | undefined;
  /** Data that a stimulus must match. */
  stimulus?: unknown;
  /** Parts of the stimulus that decide whether another one matches. @default all of it */
  hashInput?: unknown;
  /** Method of the activity to call on resume, with the context and the `Bookmark`. @default none: the activity completes */
  callback?: ((...args: never[]) => unknown) | string | undefined;
  /** Stimulus name. @default the activity type */
  name?: string | undefined;
  /** If false, the bookmark remains after a resume, until the activity completes. @default true */
  autoBurn?: boolean | undefined;
  /** If true, only this very execution matches, by its id. @default false */
  includeActivityInstanceId?: boolean | undefined;
  /** If false, without a callback nothing happens on resume. @default true */
  autoComplete?: boolean | undefined;
  /** For infrastructure; not part of the hash. */
  metadata?: Record<string, string> | undefined;
  /** Time at which the scheduler resumes it. */
  dueAt?: Date | undefined;
}
