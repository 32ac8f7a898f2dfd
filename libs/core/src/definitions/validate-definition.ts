import { CircularWorkflowError } from '../errors/execution-errors.js';
import { toErrorLike } from '../errors/waymark-error.js';
import { isPlainObject, prop } from '../values/plain-object.js';
import { requireStorableText } from '../values/storable-text.js';
import { runSteps, runStepsInTurns, type Steps } from '../values/steps.js';
import { constantProblems } from './constant-problems.js';
import type { DefinitionContext } from './definition-context.js';
import { retryPolicyProblem } from './retry-policy.js';
import { timeoutProblem } from './activity-timeout.js';
import { canEvaluate } from './expression-json.js';
import { expressionsOf } from './expressions-of.js';
import { memberName } from './node-members.js';
import { descriptorsOf, walkActivities, type ActivityVisit } from './walk-activities.js';
import { findReferences } from './workflow-references.js';
import type { WorkflowDefinition } from './workflow-definition.js';

/** A reason not to publish a definition. */
export interface DefinitionProblem {
  /** What is wrong, as a sentence. */
  readonly message: string;
  /** The activity that it concerns; undefined if it concerns the whole definition. */
  readonly activityId?: string;
  /** Code of the error that it causes, if there is one. */
  readonly code?: string;
  /** Its path in the JSON of the definition, such as `root.activities[0].text`. */
  readonly path?: string;
}

/** Languages of Elsa that need .NET; a workflow that uses them may come from there. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['CSharp', 'C#'],
  ['Python', 'Python'],
]);

/** Checks the definition itself. The payloads of triggers are checked when they are indexed. */
export function validateDefinition(definition: WorkflowDefinition, ctx: DefinitionContext): DefinitionProblem[] {
  return runSteps(validateStepwise(definition, ctx));
}

/** Does the same, but yields to other work in between. @param pause called after each step; its promise is awaited */
export function validateDefinitionInTurns(
  definition: WorkflowDefinition,
  ctx: DefinitionContext,
  pause: () => Promise<void> | undefined,
): Promise<DefinitionProblem[]> {
  return runStepsInTurns(validateStepwise(definition, ctx), pause);
}

/** Each step goes through all activities. */
function* validateStepwise(definition: WorkflowDefinition, ctx: DefinitionContext): Steps<DefinitionProblem[]> {
  const problems: DefinitionProblem[] = [
    ...repeated('inputs', definition.inputs),
    ...repeated('outputs', definition.outputs),
    ...selfReference(definition),
  ];
  yield;
  walkActivities(definition.root, descriptorsOf(ctx.registry), (visit) => {
    problems.push(
      ...idProblems(visit),
      ...expressionProblems(visit, ctx),
      ...converterProblems(visit, ctx),
      ...retryProblems(visit),
      ...timeoutProblems(visit),
    );
  });
  yield;
  problems.push(...constantProblems(definition, ctx));
  return problems;
}

/** The sentence is the reference's: clients look for it. */
function repeated(what: string, list: readonly { readonly name: string }[]): DefinitionProblem[] {
  const [seen, twice] = [new Set<string>(), new Set<string>()];
  for (const { name } of list) (seen.has(name) ? twice : seen).add(name);
  return twice.size === 0
    ? []
    : [{ message: `The following ${what} are defined more than once: ${[...twice].join(', ')}` }];
}

/** Before the first version is published, the activity that it will be is unknown, so no compiler can see the circle. */
function selfReference({ definitionId, root }: WorkflowDefinition): DefinitionProblem[] {
  const itself = findReferences(root).find((reference) => reference.definitionId === definitionId);
  if (!itself) return [];
  return [{ message: new CircularWorkflowError([definitionId, definitionId]).message, activityId: itself.activityId }];
}

/** Triggers stand in rows of their own, with the ids of their activities; every activity may become one. */
function idProblems({ node }: ActivityVisit): DefinitionProblem[] {
  try {
    requireStorableText('id of an activity', node.id);
    return [];
  } catch (error) {
    return [{ message: toErrorLike(error).message, activityId: node.id }];
  }
}

function expressionProblems({ node, descriptor }: ActivityVisit, ctx: DefinitionContext): DefinitionProblem[] {
  if (!descriptor) return [];
  return expressionsOf(node, descriptor).flatMap(({ path, expression }) => {
    const type = isPlainObject(expression) ? expression.type : undefined;
    if (typeof type !== 'string' || canEvaluate(type, ctx)) return [];
    const language = ELSEWHERE.get(type);
    const message = language
      ? `'${path}' of activity '${node.id}' (${node.type}) is written in ${language}, which cannot run here. Rewrite it in JavaScript or Liquid.`
      : `'${path}' of activity '${node.id}' (${node.type}) is an expression of type '${type}', which this server does not have.`;
    return [{ message, activityId: node.id }];
  });
}

function retryProblems({ node }: ActivityVisit): DefinitionProblem[] {
  const policy = prop(node.customProperties, 'retryPolicy');
  const problem = policy === undefined || policy === null ? undefined : retryPolicyProblem(policy);
  if (problem === undefined) return [];
  return [{ message: `Retry policy of activity '${node.id}' (${node.type}): ${problem}`, activityId: node.id }];
}

function timeoutProblems({ node }: ActivityVisit): DefinitionProblem[] {
  const timeout = prop(node.customProperties, 'timeout');
  const problem = timeout === undefined || timeout === null || timeout === '' ? undefined : timeoutProblem(timeout);
  if (problem === undefined) return [];
  return [{ message: `Timeout of activity '${node.id}' (${node.type}): ${problem}`, activityId: node.id }];
}

function converterProblems({ node, descriptor }: ActivityVisit, ctx: DefinitionContext): DefinitionProblem[] {
  return (descriptor?.outputs ?? []).flatMap((output) => {
    const id = prop(prop(node[memberName(output)], 'converter'), 'id');
    if (typeof id !== 'string' || ctx.isOutputConverter?.(id)) return [];
    return [
      { message: `Output '${output.name}' converter: converter '${id}' is not registered.`, activityId: node.id },
    ];
  });
}
