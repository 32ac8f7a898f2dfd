import type { OpenApiContent, OpenApiParameter, OpenApiResponse, OpenApiSchema } from '@waymark/runtime';
import { ref } from '../schemas/words.js';

/** One of the answers to a route. Without content it has none. */
export interface DescribedAnswer {
  readonly status: number;
  readonly description: string;
  readonly content?: OpenApiContent;
  readonly headers?: OpenApiResponse['headers'];
}

/** What a route is for and what it answers. What it reads, its readers say. */
export interface RouteDescription {
  /** Name of the operation, for clients that are made from the document. */
  readonly id: string;
  /** A sentence without its full stop. */
  readonly summary: string;
  readonly description?: string;
  /** A workflow may write the answer in place of the route. */
  readonly isWritten?: boolean;
  readonly answers: readonly DescribedAnswer[];
  /** For a route that reads its body by itself. */
  readonly body?: { readonly content: OpenApiContent; readonly isRequired?: boolean };
  /** The same of members of its query. */
  readonly query?: Readonly<Record<string, OpenApiSchema>>;
  /** Headers of the request, but those that every route reads. */
  readonly headers?: readonly OpenApiParameter[];
}

type More = Partial<Omit<RouteDescription, 'id' | 'summary'>>;

/** By verb and path, as the controllers declare them. */
export type RouteDescriptions = Readonly<Record<string, RouteDescription>>;

/** Routes under one heading. */
export interface RouteGroup {
  readonly tag: string;
  readonly description: string;
  readonly routes: RouteDescriptions;
}

export const json = (schema: OpenApiSchema): OpenApiContent => ({ 'application/json': { schema } });
const binary = { schema: { type: 'string', format: 'binary' } } as const;

/** 200 with that. */
export const answers = (id: string, summary: string, schema: OpenApiSchema, more: More = {}): RouteDescription => ({
  id,
  summary,
  ...more,
  answers: [{ status: 200, description: 'Done.', content: json(schema) }, ...(more.answers ?? [])],
});

/** 200 without content, as Elsa answers where 204 would do. */
export const nothing = (id: string, summary: string, more: More = {}): RouteDescription => ({
  id,
  summary,
  ...more,
  answers: [{ status: 200, description: 'Done. The answer is empty.' }, ...(more.answers ?? [])],
});

/** 204. */
export const noContent = (id: string, summary: string, more: More = {}): RouteDescription => ({
  id,
  summary,
  ...more,
  answers: [{ status: 204, description: 'Done.' }, ...(more.answers ?? [])],
});

/** A file to be saved. */
export const file = (id: string, summary: string, types: readonly string[], more: More = {}): RouteDescription => ({
  id,
  summary,
  ...more,
  answers: [
    {
      status: 200,
      description: 'A file, with its name in `Content-Disposition`.',
      content: Object.fromEntries(types.map((type) => [type, binary])),
    },
    ...(more.answers ?? []),
  ],
});

/** Beyond the limit for work that is done before it is answered. @param schema of the answer, which has a `planId` */
export const plannedAs = (schema: OpenApiSchema): DescribedAnswer => ({
  status: 202,
  description: 'The rest continues in the background: `planId` names the plan, `Location` its address.',
  content: json(schema),
});
export const PLANNED = plannedAs(ref('BulkAnswer'));

/** Where a workflow may write the response itself. */
export const WRITTEN = {
  isWritten: true,
  description: 'A workflow that writes an HTTP response in this burst answers instead, with any status and content.',
} as const;

/** Files as forms send them. */
export const UPLOAD = {
  content: {
    'multipart/form-data': {
      schema: { type: 'object', properties: { files: { type: 'array', items: { type: 'string', format: 'binary' } } } },
    },
  },
  isRequired: true,
} as const;
