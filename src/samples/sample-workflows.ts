import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { parseDefinitionText, readDefinitionModel } from '@waymark/core/adapter';
import { IWorkflowDefinitionPublisher, WorkflowEngine, WorkflowPersistence } from '@waymark/runtime';

const FILES = ['hello.json', 'heartbeat.json'];

/** Publishes the sample definitions at the first start; what users did with them since then is left alone. */
@Injectable()
export class SampleWorkflows implements OnApplicationBootstrap {
  private readonly logger = new Logger('Samples');

  constructor(
    private readonly engine: WorkflowEngine,
    private readonly persistence: WorkflowPersistence,
    private readonly publisher: IWorkflowDefinitionPublisher,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // A store that holds workflows from outside has been used before: a deleted sample does not come back.
    if ((await this.persistence.definitions.count({ materializerName: 'Json' })) > 0) return;
    for (const file of FILES) {
      const text = readFileSync(path.join(import.meta.dirname, '../../src/samples', file), 'utf8');
      const { activities: registry, types, newId, expressions } = this.engine;
      const {
        warnings: _,
        createdAt: __,
        ...model
      } = readDefinitionModel(parseDefinitionText(text), { registry, types, newId, expressions });
      const result = await this.publisher.saveAndPublish(model);
      if (result.succeeded)
        this.logger.log(`Sample '${result.definition.definitionId}' is published: ${model.description}`);
      else this.logger.error(`Sample ${file} was not published: ${result.problems.map((p) => p.message).join('; ')}`);
    }
  }
}
