import type { OpenApiDocument } from '@waymark/runtime';

/**
 * Describes the management API. What requests hold is what the routes' readers take; what answers hold is checked against the
 * answers of the API's own specifications.
 */
export abstract class ManagementOpenApi {
  /**
   * An OpenAPI 3.0 document: always the same object, which callers leave as it is. `mergeOpenApi` adds it to the application's own
   * document, which does not show the management API otherwise. To be asked once the application is set up, when its global
   * prefix is known.
   */
  abstract document(): OpenApiDocument;
}
