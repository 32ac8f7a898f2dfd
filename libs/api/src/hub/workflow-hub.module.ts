import { Module } from '@nestjs/common';
import { HubController } from './hub.controller.js';

/** Routes of the hub, which do not lie below the prefix of the API. */
@Module({ controllers: [HubController] })
export class WorkflowHubModule {}
