import type { OpenApiDocument } from '@waymark/runtime';

/**
 * Describes the endpoints at which requests start published workflows. Endpoints at which instances wait in the middle of a workflow
 * are not in it: they come and go with the instances.
 * @example
 * @Get('workflows.json')
 * endpoints(): Promise<OpenApiDocument> {
 *   return this.openApi.document();
 * }
 */
export abstract class WorkflowOpenApi {
  /**
   * An OpenAPI 3.0 document of what is published now, 2000 endpoints at most. The same object until a workflow is published or
   * retracted; callers leave it as it is. `mergeOpenApi` adds it to the application's own document.
   */
  abstract document(): Promise<OpenApiDocument>;

  /**
   * What `document` came to last, without waiting, for places that cannot wait such as `patchDocumentOnRequest` of
   * `@nestjs/swagger`; undefined at first. When something has been published since, a new one is begun.
   */
  abstract latest(): OpenApiDocument | undefined;
}
