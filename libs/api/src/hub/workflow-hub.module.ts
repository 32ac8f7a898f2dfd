import { Module } from '@nestjs/common';
import { HubController } from './hub.controller.js';

/** A module of its own for the routes of the hub: their prefix is not that of the API. */
@Module({ controllers: [HubController] })
export class WorkflowHubModule {}
