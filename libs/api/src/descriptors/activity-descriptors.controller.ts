import { Param } from '@nestjs/common';
import { WorkflowEngine } from '@waymark/runtime';
import { ResourceNotFoundError } from '../answers/api-errors.js';
import { listAnswer } from '../answers/lists.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';
import { FromBody, FromQuery } from '../requests/bind.js';
import * as read from '../requests/readers.js';
import { activityDescriptorAnswer } from './activity-descriptor-answers.js';

const versionRequest = read.members({ version: read.integer });
type VersionRequest = read.ReadBy<typeof versionRequest>;

const READ = ['read:activity-descriptors', 'read:*'] as const;

/** The activity types that definitions may use. Names are matched exactly. */
@ApiController('descriptors/activities')
export class ActivityDescriptorsController {
  constructor(private readonly engine: WorkflowEngine) {}

  @ApiGet('', ...READ)
  list() {
    return listAnswer(this.engine.activities.list().map((r) => activityDescriptorAnswer(r.descriptor)));
  }

  @ApiGet(':typeName', ...READ)
  one(@Param('typeName') typeName: string, @FromQuery(versionRequest) { version }: VersionRequest) {
    return activityDescriptorAnswer(this.require(typeName, version));
  }

  /** What an editor may offer for an input, when it depends on more than the descriptor. */
  @ApiPost(':typeName/options/:propertyName', 'read:activity-descriptors-options')
  options(
    @Param('typeName') typeName: string,
    @Param('propertyName') propertyName: string,
    @FromBody(versionRequest) { version }: VersionRequest,
  ) {
    const { inputs } = this.require(typeName, version);
    const input = inputs.find((i) => i.name === propertyName || i.propertyName === propertyName);
    if (!input) throw new ResourceNotFoundError(`input of ${typeName}`, propertyName);
    return { items: input.uiSpecifications };
  }

  private require(typeName: string, version: number | undefined) {
    const found = this.engine.activities.find(typeName, version)?.descriptor;
    if (!found || (version !== undefined && found.version !== version))
      throw new ResourceNotFoundError(
        'activity type',
        version === undefined ? typeName : `${typeName} version ${version}`,
      );
    return found;
  }
}
