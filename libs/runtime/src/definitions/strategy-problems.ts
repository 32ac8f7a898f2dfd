import type { WorkflowDefinition } from '@waymark/core';
import { findIncidentStrategy } from '@waymark/core/adapter';
import type { WorkflowEngine } from '../engine/workflow-engine.js';
import type { DefinitionProblem } from '../services/definition-services.js';
import { findActivationStrategy } from './activation-strategies.js';

/**
 * Strategies that are not here. Without a problem, the definition would be published and run by the default: a fault would do
 * something else than was chosen, and of a Singleton with a spelling mistake any number would run.
 */
export function strategyProblems(
  { options }: Pick<WorkflowDefinition, 'options'>,
  { runner }: Pick<WorkflowEngine, 'runner'>,
): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  const { incidentStrategyType: incident, activationStrategyType: activation } = options;
  const own = runner.engine.incidentStrategies ?? {};
  if (incident && !findIncidentStrategy(incident, own)) {
    const known = ['FaultStrategy', 'ContinueWithIncidentsStrategy', ...Object.keys(own)].join(', ');
    problems.push({
      message: `The incident strategy '${incident}' is unknown. Choose one of ${known}, or add it to the option 'incidentStrategies' of WorkflowModule.`,
    });
  }
  if (activation && !findActivationStrategy(activation))
    problems.push({
      message: `The activation strategy '${activation}' is unknown. Choose AllowAlwaysStrategy, SingletonStrategy, CorrelationStrategy or CorrelatedSingletonStrategy.`,
    });
  return problems;
}
