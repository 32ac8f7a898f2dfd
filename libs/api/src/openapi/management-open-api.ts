import type { OpenApiDocument } from '@waymark/runtime';

/**
 * Describes the management API in OpenAPI. The described requests are what the routes read; the described answers are checked
 * against the answers in the API's own tests.
 */
export abstract class ManagementOpenApi {
  /**
   * An OpenAPI 3.0 document: always the same object, which callers must not change. `mergeOpenApi` adds it to the application's
   * own document, which does not show the management API otherwise. Call it when the application is set up and its global
   * prefix is known.
   */
  abstract document(): OpenApiDocument;
}
