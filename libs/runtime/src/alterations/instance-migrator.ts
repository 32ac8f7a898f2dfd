import { Injectable } from '@nestjs/common';
import type { MigrationReport } from '@waymark/core';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { InstanceNotFoundError } from '../services/instance-errors.js';
import { IInstanceMigrator, type MigrationOptions, type MigrationRequest } from '../services/migration-services.js';
import { AlterationRunner } from './alteration-runner.js';
import { Migrations } from './migrations.js';

/** One by one; many at once are a plan of alterations (`AlterationPlans`). */
@Injectable()
export class InstanceMigrator extends IInstanceMigrator {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly migrations: Migrations,
    private readonly runner: AlterationRunner,
  ) {
    super();
  }

  override async dryRun(workflowInstanceId: string, request: MigrationRequest): Promise<MigrationReport> {
    const before = await this.persistence.instances.load(workflowInstanceId);
    if (!before) throw new InstanceNotFoundError(workflowInstanceId);
    return this.migrations.report(before, request);
  }

  override async migrate(
    workflowInstanceId: string,
    request: MigrationRequest,
    { by }: MigrationOptions = {},
  ): Promise<MigrationReport> {
    const alterations = [{ type: 'Migrate' as const, ...request }];
    return (await this.runner.change(workflowInstanceId, alterations, { by })).report!;
  }

  override async undo(workflowInstanceId: string, { by }: MigrationOptions = {}): Promise<void> {
    await this.runner.change(workflowInstanceId, [{ type: 'UndoMigration' }], { by });
  }
}
