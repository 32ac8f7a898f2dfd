import { ApiController, ApiGet } from '../module/api-controller.js';
import { ManagementOpenApi } from './management-open-api.js';

/** Shows what this API is. */
@ApiController()
export class OpenApiController {
  constructor(private readonly api: ManagementOpenApi) {}

  @ApiGet('openapi.json', 'read:openapi', 'read:*')
  document() {
    return this.api.document();
  }
}
