/** How an instance is ended. */
export interface EndOptions {
  /** If true, nothing is undone, and nothing else cleans up. @default false */
  readonly isAbandoned?: boolean;
}
