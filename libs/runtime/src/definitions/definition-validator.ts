import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import {
  EncryptionNotConfiguredError,
  isWaymarkError,
  type WorkflowDefinition,
  type WorkflowGraph,
} from '@waymark/core';
import {
  constantInputs,
  constantWarnings,
  customPropertyWarnings,
  endsBurst,
  logPersistenceWarnings,
  memberWarnings,
  nameProblems,
  nameWarnings,
  requiredInputWarnings,
  runWarnings,
  storageWarnings,
  triggersOf,
  validateDefinitionInTurns,
} from '@waymark/core/adapter';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import type { StoredTrigger } from '../persistence/records.js';
import { type IndexedTriggers, ITriggerIndexer, TriggerPayloadValidator } from '../services/trigger-services.js';
import { TooManyTriggersError } from '../services/definition-errors.js';
import type { DefinitionProblem } from '../services/definition-services.js';
import { Breather } from '../event-loop/breather.js';
import { loopTurns } from '../event-loop/loop-turns.js';
import { ConstantInputsValidator } from './constant-inputs-validator.js';
import { CustomPropertyRules } from './custom-property-rules.js';
import { DefinitionWarnings } from './definition-warnings.js';
import { fewProblems } from './few-problems.js';
import { strategyProblems } from './strategy-problems.js';

export type ValidationResult = {
  readonly problems: DefinitionProblem[];
  /** What may be published, but may not mean what its author thinks. */
  readonly warnings: DefinitionProblem[];
  readonly triggers?: IndexedTriggers;
};

/** Finds what would keep a definition from working once it is published. */
@Injectable()
export class DefinitionValidator {
  constructor(
    private readonly engine: WorkflowEngine,
    private readonly indexer: ITriggerIndexer,
    private readonly discovery: DiscoveryService,
  ) {}

  /** Every provider that is a `TriggerPayloadValidator`, of libraries and of the application. */
  private get validators(): TriggerPayloadValidator[] {
    return this.providersOf(TriggerPayloadValidator);
  }

  private providersOf<T>(type: abstract new () => T): T[] {
    return this.discovery.getProviders().flatMap((w) => (w.instance instanceof type ? [w.instance] : []));
  }

  /**
   * The problems, or else the trigger rows that publishing implies.
   * @param withoutSecrets for a definition that is not saved: who asks may not be allowed to edit the one whose id it has, and its
   *   triggers could show that one's secrets in their errors
   */
  async validate(definition: WorkflowDefinition, withoutSecrets = false): Promise<ValidationResult> {
    const { activities: registry, types, expressions, newId } = this.engine;
    const pause = () => loopTurns.goOn();
    await pause();
    const problems: DefinitionProblem[] = fewProblems([
      ...(await validateDefinitionInTurns(definition, { registry, types, expressions, newId }, pause)),
      ...strategyProblems(definition, this.engine),
      ...nameProblems(definition, { registry }),
    ]);
    let triggers: IndexedTriggers | undefined;
    // Compiling takes as long again.
    await nextTurn();
    try {
      const check = (graph: WorkflowGraph) => {
        this.requireKeys(graph);
        requireFewTriggers(triggersOf(graph).length);
      };
      const indexed = await this.indexer.diff(definition, true, check, refusals(problems), withoutSecrets);
      requireFewTriggers(indexed.added.length + indexed.unchanged.length);
      triggers = indexed;
    } catch (error) {
      addProblem(problems, error);
    }
    const breather = new Breather();
    const { added = [], unchanged = [] } = triggers ?? {};
    const validators = triggers ? this.validators : [];
    const validatorsOf = ({ name }: StoredTrigger) => validators.filter(({ names }) => names.includes(name));
    const implied = [...added, ...unchanged];
    problems.push(...competingTriggers(implied));
    for (const trigger of implied)
      for (const validator of validatorsOf(trigger)) {
        await breather.taken();
        problems.push(...(await validator.validate(trigger.payload, { definition, activityId: trigger.activityId })));
      }
    await nextTurn();
    const warnings: DefinitionProblem[] = fewProblems([
      ...constantWarnings(definition, { registry, types }),
      ...storageWarnings(definition, { registry }),
      ...nameWarnings(definition),
      ...memberWarnings(definition, { registry }),
      ...requiredInputWarnings(definition, { registry, types }),
      ...this.providersOf(DefinitionWarnings).flatMap((provider) => provider.warn(definition)),
      ...logPersistenceWarnings(definition, { registry }),
      ...customPropertyWarnings(definition, { registry }, this.customPropertyRules),
      ...(await runWarnings(definition, { registry, expressions }, () => breather.taken())),
      ...(await this.constantInputWarnings(definition, breather)),
    ]);
    // Only of what is new: a trigger that has fired for the last time is no surprise.
    for (const trigger of added)
      for (const validator of validatorsOf(trigger)) warnings.push(...validator.warn(trigger));
    return problems.length ? { problems, warnings } : { problems, warnings, triggers };
  }

  private get customPropertyRules() {
    return this.providersOf(CustomPropertyRules).flatMap(({ rules }) => rules);
  }

  private async constantInputWarnings(
    definition: WorkflowDefinition,
    breather: Breather,
  ): Promise<DefinitionProblem[]> {
    const validators = this.providersOf(ConstantInputsValidator);
    const types = new Set(validators.flatMap((validator) => validator.types));
    const warnings: DefinitionProblem[] = [];
    for (const activity of constantInputs(definition, { registry: this.engine.activities }, types, MOST_CONSTANT)) {
      await breather.taken();
      for (const validator of validators)
        if (validator.types.includes(activity.type)) warnings.push(...validator.warn(activity));
    }
    return warnings;
  }

  /** Also for variables of containers, inputs of activities, and workflows used as activities. @throws EncryptionNotConfiguredError */
  private requireKeys({ definition, usesEncryption }: WorkflowGraph): void {
    if (usesEncryption && !this.engine.runner.engine.cipher)
      throw new EncryptionNotConfiguredError(`A value of workflow '${definition.definitionId}'`);
  }
}

/** Activities whose constants are checked: a cron expression may take a millisecond, and a definition may have 200,000 of them. */
const MOST_CONSTANT = 1000;

/** Of triggers, in one answer. Each may have a script that takes as long as scripts may. */
const MOST_REFUSED = 20;

/** Collects what keeps triggers from saying what they listen for: they would leave the workflow deaf. */
function refusals(problems: DefinitionProblem[]): (error: unknown) => boolean {
  let count = 0;
  return (error) => {
    addProblem(problems, error);
    count += 1;
    if (count < MOST_REFUSED) return true;
    problems.push({ message: `${MOST_REFUSED} triggers are refused; later triggers were not checked.` });
    return false;
  };
}

/** Once: what does not compile may be known from the structure. @throws the error when it ends the burst */
function addProblem(problems: DefinitionProblem[], error: unknown): void {
  if (endsBurst(error)) throw error;
  const message = String((error as Error)?.message ?? error);
  const activityId = (error as { activityId?: string })?.activityId;
  const isSame = (known: DefinitionProblem) =>
    known.message === message && (known.activityId ?? activityId) === (activityId ?? known.activityId);
  if (problems.some(isSame)) return;
  problems.push({ message, activityId, ...(isWaymarkError(error) && { code: error.code }) });
}

/** All of them are stored in one transaction, and taken into the tables of each node at once. */
const MOST_TRIGGERS = 1000;

/** @throws TooManyTriggersError */
function requireFewTriggers(count: number): void {
  if (count > MOST_TRIGGERS) throw new TooManyTriggersError(count, MOST_TRIGGERS);
}

/** Triggers of one definition that only one may have: what comes in could start either. */
function competingTriggers(triggers: readonly StoredTrigger[]): DefinitionProblem[] {
  const holders = new Map<string, string>();
  const problems: DefinitionProblem[] = [];
  for (const { exclusiveKey, activityId } of triggers) {
    if (exclusiveKey === undefined) continue;
    const holder = holders.get(exclusiveKey);
    if (holder === undefined) holders.set(exclusiveKey, activityId);
    else
      problems.push({
        message: `Activities "${holder}" and "${activityId}" have identical triggers. Remove one of them, or change what it listens for.`,
        activityId,
      });
  }
  return problems;
}

/** What the store itself has against the rows as a problem: a trigger that another has, a text that it cannot hold. */
export function storeProblem(error: unknown): DefinitionProblem | undefined {
  return isWaymarkError(error, 'WM7006') || isWaymarkError(error, 'WM1103') ? { message: error.message } : undefined;
}
