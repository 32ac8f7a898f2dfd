import { Inject } from '@nestjs/common';
import { WorkflowEngine } from '@waymark/runtime';
import { CommitStrategies } from '@waymark/runtime/adapter';
import { InvalidRequestError } from '../answers/api-errors.js';
import { listAnswer } from '../answers/lists.js';
import { ApiController, ApiGet } from '../module/api-controller.js';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';
import { FromQuery } from '../requests/bind.js';
import * as read from '../requests/readers.js';
import {
  ACTIVATION_STRATEGIES,
  ENCRYPTED_STORAGE_DRIVER,
  INCIDENT_STRATEGIES,
  LOG_PERSISTENCE_STRATEGIES,
  STORAGE_DRIVERS,
  type StrategyDescriptor,
} from './known-strategies.js';
import { UNSUPPORTED_EXPRESSIONS } from './unsupported-expressions.js';
import { VARIABLE_TYPES } from './variable-types.js';

const converterRequest = read.members({ sourceType: read.name, destinationType: read.name });
type ConverterRequest = read.ReadBy<typeof converterRequest>;

/** What editors may offer besides activities. */
@ApiController('descriptors')
export class DescriptorsController {
  constructor(
    private readonly engine: WorkflowEngine,
    private readonly commitStrategies: CommitStrategies,
    @Inject(API_OPTIONS) private readonly options: ResolvedApiOptions,
  ) {}

  @ApiGet('expression-descriptors', 'read:expression-descriptors', 'read:*')
  expressions() {
    const { expressions } = this.engine;
    // A host may have brought a handler of its own for one of them.
    return listAnswer([
      ...expressions.descriptors(),
      ...UNSUPPORTED_EXPRESSIONS.filter((d) => !expressions.find(d.type)),
    ]);
  }

  @ApiGet('variables', 'read:variable-descriptors', 'read:*')
  variables() {
    const types = [...VARIABLE_TYPES, ...this.options.variableTypes];
    return { items: types.filter((t) => this.engine.types.resolve(t.typeName)) };
  }

  @ApiGet('storage-drivers', 'read:storage-drivers', 'read:*')
  storageDrivers() {
    const { cipher } = this.engine.runner.engine;
    return { items: cipher ? [...STORAGE_DRIVERS, ENCRYPTED_STORAGE_DRIVER] : STORAGE_DRIVERS };
  }

  @ApiGet('incident-strategies', 'read:incident-strategies', 'read:*')
  incidentStrategies() {
    const own = Object.keys(this.engine.runner.engine.incidentStrategies ?? {});
    return listAnswer<StrategyDescriptor>([
      ...INCIDENT_STRATEGIES,
      ...own.map((typeName) => ({ displayName: typeName, description: '', typeName })),
    ]);
  }

  @ApiGet('workflow-activation-strategies', 'read:workflow-activation-strategies', 'read:*')
  activationStrategies() {
    return listAnswer(ACTIVATION_STRATEGIES);
  }

  @ApiGet('log-persistence-strategies', 'read:log-persistence-strategies', 'read:*')
  logPersistenceStrategies() {
    return listAnswer(LOG_PERSISTENCE_STRATEGIES);
  }

  @ApiGet('commit-strategies/workflows', 'read:commit-strategies', 'read:*')
  workflowCommitStrategies() {
    return listAnswer(this.commitStrategies.workflows.map(named));
  }

  @ApiGet('commit-strategies/activities', 'read:commit-strategies', 'read:*')
  activityCommitStrategies() {
    return listAnswer(this.commitStrategies.activities.map(named));
  }

  /** There are no converters here; the question is checked all the same. */
  @ApiGet('output-converters', 'read:output-converters', 'read:*')
  outputConverters(@FromQuery(converterRequest) request: ConverterRequest) {
    const problems = Object.entries(request).flatMap(([name, type]) => {
      if (type === undefined) return [`The ${name} query parameter is required.`];
      return this.engine.types.resolve(type)
        ? []
        : [`The ${name} query parameter must name a known type; '${type}' is unknown.`];
    });
    if (problems.length > 0) throw new InvalidRequestError({ generalErrors: problems });
    return listAnswer([]);
  }
}

interface NamedStrategy {
  readonly name: string;
  readonly displayName: string;
  readonly description?: string;
}

const named = ({ name, displayName, description = '' }: NamedStrategy) => ({ name, displayName, description });
