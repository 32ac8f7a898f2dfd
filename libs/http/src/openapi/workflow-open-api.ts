import type { OpenApiDocument } from '@waymark/runtime';

/**
 * Describes in OpenAPI the endpoints at which requests start published workflows. Endpoints at which instances wait in the
 * middle of a workflow are not included, since they come and go with the instances.
 * @example
 * @Get('workflows.json')
 * endpoints(): Promise<OpenApiDocument> {
 *   return this.openApi.document();
 * }
 */
export abstract class WorkflowOpenApi {
  /**
   * An OpenAPI 3.0 document of what is published now, 2000 endpoints at most. The same object until a workflow is published or
   * retracted; callers must not change it. `mergeOpenApi` adds it to the application's own document.
   */
  abstract document(): Promise<OpenApiDocument>;

  /**
   * Returns the last result of `document` without waiting, for synchronous code such as `patchDocumentOnRequest` of
   * `@nestjs/swagger`; undefined at first. If workflows were published since, a new document is prepared.
   */
  abstract latest(): OpenApiDocument | undefined;
}
