/** A JSON Schema as OpenAPI 3.0 writes it: `nullable` instead of a type `null`, one `type` at most. @see https://spec.openapis.org/oas/v3.0.3.html */
export interface OpenApiSchema {
  readonly $ref?: string;
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly format?: string;
  readonly description?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly (string | number)[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: OpenApiSchema;
  /** Schemas of the members of an object, by name. */
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | OpenApiSchema;
  readonly oneOf?: readonly OpenApiSchema[];
}

/** A parameter of an operation. @see https://spec.openapis.org/oas/v3.0.3.html */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: OpenApiSchema;
}

/** The content of a request or answer, by media type, as in OpenAPI. */
export type OpenApiContent = Readonly<Record<string, { readonly schema: OpenApiSchema }>>;

/** An answer of an operation. @see https://spec.openapis.org/oas/v3.0.3.html */
export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string; readonly schema: OpenApiSchema }>>;
  readonly content?: OpenApiContent;
}

/** A reference to a component of the same document. @see https://spec.openapis.org/oas/v3.0.3.html */
export interface OpenApiReference {
  readonly $ref: string;
}

/** An operation: one method of a path. @see https://spec.openapis.org/oas/v3.0.3.html */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: {
    readonly description?: string;
    readonly required?: boolean;
    readonly content: OpenApiContent;
  };
  readonly responses: Readonly<Record<string, OpenApiResponse | OpenApiReference>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** Members of our own, such as `x-waymark-permissions`. */
  readonly [extension: `x-${string}`]: unknown;
}

/** The methods that a path of an OpenAPI document may have. */
export const OPEN_API_METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
/** A method that a path of an OpenAPI document may have. */
export type OpenApiMethod = (typeof OPEN_API_METHODS)[number];

/** The operations of a path, by method. */
export type OpenApiPathItem = { readonly [M in OpenApiMethod]?: OpenApiOperation };

/** An OpenAPI 3.0 document, as far as Waymark writes one. @see https://spec.openapis.org/oas/v3.0.3.html */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, OpenApiPathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, OpenApiSchema>>;
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

/**
 * The version of all documents that Waymark makes: that of `@nestjs/swagger` unless an application says otherwise, and what
 * every tool reads. `mergeOpenApi` writes 3.1 where the application's document is 3.1.
 */
export const OPEN_API_VERSION = '3.0.3';
