/** What a value of a request is to be, in the words of OpenAPI. Without a type it may be anything. */
export interface Schema {
  readonly type?: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  readonly format?: 'date-time';
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** A route, and what it reads besides the names in its path. */
export interface Operation {
  readonly method: string;
  /** Below the prefix of the API, with `{names}`. */
  readonly path: string;
  /** Members of the query, and of the body where there is one; undefined: it reads neither, or not by readers of members. */
  readonly request?: Schema;
}

/** As an OpenAPI document describes an API, as far as requests are concerned. */
export type ApiDocument = readonly Operation[];
