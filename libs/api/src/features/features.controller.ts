import { Inject, Param } from '@nestjs/common';
import { ResourceNotFoundError } from '../answers/api-errors.js';
import { listAnswer } from '../answers/lists.js';
import { NotAudited } from '../audit/audited.js';
import { AllowAnonymous } from '../identity/permissions.js';
import { ApiController, ApiGet } from '../module/api-controller.js';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';
import { installedFeatures, type FeatureAnswer } from './installed-features.js';

/** What this server is and can do. */
@ApiController()
export class FeaturesController {
  private readonly installed: readonly FeatureAnswer[];

  constructor(@Inject(API_OPTIONS) private readonly options: ResolvedApiOptions) {
    this.installed = installedFeatures(options.features, {
      identity: options.authentication !== undefined,
      hub: options.hub !== false,
    });
  }

  @ApiGet('features/installed', 'read:installed-features', 'read:*')
  list() {
    return listAnswer(this.installed);
  }

  @ApiGet('features/installed/:fullName', 'read:installed-features', 'read:*')
  one(@Param('fullName') fullName: string): FeatureAnswer {
    const found = this.installed.find((feature) => feature.fullName === fullName);
    if (!found) throw new ResourceNotFoundError('feature', fullName);
    return found;
  }

  @NotAudited('it answers a constant')
  @AllowAnonymous()
  @ApiGet('package/version')
  version() {
    return { packageVersion: this.options.packageVersion };
  }
}
