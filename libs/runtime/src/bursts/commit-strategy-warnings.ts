import { Injectable } from '@nestjs/common';
import type { WorkflowDefinition } from '@waymark/core';
import { nearestName } from '@waymark/core/adapter';
import { DefinitionWarnings } from '../definitions/definition-warnings.js';
import type { DefinitionProblem } from '../services/definition-services.js';
import { CommitStrategies } from './commit-strategies.js';

/** A setting that is not read. */
const UNREAD_SETTING = 'WM4096';

/**
 * Warns of a workflow whose commit strategy is not here. It is published: definitions of Elsa may name one that only another host has, and
 * run without it. But a spelling mistake would take the protection from a crash that was chosen, in silence.
 */
@Injectable()
export class CommitStrategyWarnings extends DefinitionWarnings {
  private readonly known: readonly string[];

  constructor({ workflows }: CommitStrategies) {
    super();
    this.known = workflows.map(({ name }) => name);
  }

  warn({ options }: Pick<WorkflowDefinition, 'options'>): DefinitionProblem[] {
    const name = options.commitStrategyName;
    if (!name || this.known.includes(name)) return [];
    const nearest = nearestName(name, this.known);
    const advice = nearest === undefined ? `Use one of ${this.known.join(', ')}.` : `Did you mean '${nearest}'?`;
    const message = `The workflow names the commit strategy '${name}', which this node does not have: its bursts are committed as by default. ${advice}`;
    return [{ message, code: UNREAD_SETTING, path: 'options.commitStrategyName' }];
  }
}
