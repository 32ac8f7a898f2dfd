/** How an activity waits. */
export interface BookmarkOptions {
  /** Id of the bookmark. @default generated */
  id?: string;
  /** What to match: business data of the wait. */
  stimulus?: unknown;
  /** Parts of the stimulus that decide whether another one matches. @default all of it */
  hashInput?: unknown;
  /** Method of the activity to call on resume. @default none: the activity completes */
  callback?: ((...args: never[]) => unknown) | string;
  /** Stimulus name. @default the activity type */
  name?: string;
  /** False: the bookmark stays after a resume, until the activity completes. @default true */
  autoBurn?: boolean;
  /** True: only this very execution matches, by its id. @default false */
  includeActivityInstanceId?: boolean;
  /** False: without a callback nothing happens on resume. @default true */
  autoComplete?: boolean;
  /** For infrastructure; not part of the hash. */
  metadata?: Record<string, string>;
  /** When the engine itself resumes it. */
  dueAt?: Date;
}
