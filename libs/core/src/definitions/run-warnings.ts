import type { ActivityDescriptor } from '../activities/activity-descriptor.js';
import { ActivityNotFoundError } from '../errors/execution-errors.js';
import type { ExpressionFault, ExpressionHandler } from '../expressions/expression.js';
import { isPlainObject, prop } from '../values/plain-object.js';
import { FLOWCHART_TYPE, NOT_FOUND_TYPE, STATE_MACHINE_TYPE, textOf, USER_TASK_TYPE } from './activity-types.js';
import { declaredOutcomes, DONE } from './declared-outcomes.js';
import type { DefinitionContext } from './definition-context.js';
import { expressionsOf, type PlacedExpression } from './expressions-of.js';
import { SET_ASIDE } from './node-envelope.js';
import { memberName } from './node-members.js';
import { stateMachineWarnings } from './state-machine-warnings.js';
import type { DefinitionProblem } from './validate-definition.js';
import { type ActivityVisit, descriptorsOf, walkActivities } from './walk-activities.js';
import type { ActivityJson, WorkflowDefinition } from './workflow-definition.js';

/** A connection names an activity that the flowchart does not have. */
const LOST_END = 'WM1003';
/** A connection leaves by an outcome that its activity does not have. */
const UNKNOWN_OUTCOME = 'WM1046';
/**
 * Characters of scripts and templates that are parsed for one definition. Workflows have some thousands; a definition of ten
 * megabytes may be nothing else, and the parsers can be made to take twenty microseconds for each.
 */
const MOST_CHECKED_CHARS = 250_000;

/**
 * Finds problems that do not prevent publishing, as in Elsa, but make the workflow fail when it runs: activities of unknown
 * types, scripts and templates that cannot be parsed, connections that are not followed, states that do not exist.
 * @param pause called between activities and between texts; its promise is awaited, so that other work of the process has a
 *   turn
 */
export async function runWarnings(
  { root }: Pick<WorkflowDefinition, 'root'>,
  { registry, expressions }: Pick<DefinitionContext, 'registry' | 'expressions'>,
  pause: () => Promise<void> | undefined = () => undefined,
): Promise<DefinitionProblem[]> {
  const warnings: DefinitionProblem[] = [];
  const descriptorOf = descriptorsOf(registry);
  const visits: ActivityVisit[] = [];
  walkActivities(root, descriptorOf, (visit) => void visits.push(visit));
  const check = new TextCheck(expressions);
  for (const visit of visits) {
    await pause();
    warnings.push(...unknownType(visit));
    for (const placed of visit.descriptor ? expressionsOf(visit.node, visit.descriptor) : []) {
      const warning = check.warningOf(visit, placed);
      if (warning) warnings.push(warning);
      await pause();
    }
    if (visit.descriptor?.typeName === FLOWCHART_TYPE) warnings.push(...connectionWarnings(visit, descriptorOf));
    if (visit.descriptor?.typeName === STATE_MACHINE_TYPE) warnings.push(...stateMachineWarnings(visit));
  }
  if (check.isCut)
    warnings.push({
      message: `The scripts and templates have more than ${MOST_CHECKED_CHARS} characters in all; the rest was not checked.`,
    });
  return warnings;
}

function unknownType({ node, path, descriptor }: ActivityVisit): DefinitionProblem[] {
  if (descriptor && node.type !== NOT_FOUND_TYPE) return [];
  const type = textOf(node.missingTypeName) ?? node.type;
  const { code, message } = new ActivityNotFoundError(type);
  return [{ message, code, activityId: node.id, path }];
}

/** Parses the scripts and templates of one definition, up to a number of characters. */
class TextCheck {
  /** If true, there were more, which were not parsed. */
  isCut = false;
  private left = MOST_CHECKED_CHARS;

  constructor(private readonly expressions: DefinitionContext['expressions']) {}

  warningOf(
    { node, descriptor, path }: ActivityVisit,
    { path: member, expression }: PlacedExpression,
  ): DefinitionProblem | undefined {
    const fault = this.faultOf(expression, isScript(descriptor!, member));
    if (!fault) return undefined;
    const message = `'${member}' of activity '${node.id}' (${node.type}): ${fault.message}`;
    return { message, code: fault.code, activityId: node.id, path: `${path}.${member}` };
  }

  private faultOf(expression: unknown, isText: boolean): ExpressionFault | undefined {
    if (!isPlainObject(expression) || typeof expression.type !== 'string') return undefined;
    // A constant that is run as a script.
    const type = isText && expression.type === 'Literal' ? 'JavaScript' : expression.type;
    const handler = this.expressions?.find(type) as Pick<ExpressionHandler, 'check'> | undefined;
    const { value } = expression;
    // Data in place of a text is valid in every syntax.
    if (!handler?.check || typeof value !== 'string' || value === '') return undefined;
    if (this.left <= 0) {
      this.isCut = true;
      return undefined;
    }
    this.left -= value.length;
    return handler.check({ type, value });
  }
}

/** An input whose text is a script: that of RunJavaScript. */
function isScript({ inputs }: ActivityDescriptor, member: string): boolean {
  const input = inputs.find((each) => memberName(each) === member);
  return prop(prop(input?.uiSpecifications, 'code-editor'), 'language') === 'javascript';
}

function connectionWarnings(
  { node, path }: ActivityVisit,
  descriptorOf: (node: ActivityJson) => ActivityDescriptor | undefined,
): DefinitionProblem[] {
  const activities = new Map(nodesIn(node.activities).map((activity) => [activity.id, activity]));
  const drawn = listOf(node.connections).map((json, i) => ({ json, at: `${path}.connections[${i}]` }));
  // Those of which an end is missing are kept apart when a definition is read.
  const aside = listOf(prop(node.customProperties, SET_ASIDE)).map((json) => ({ json, at: `${path}.connections` }));
  return [...drawn, ...aside].flatMap(({ json, at }): DefinitionProblem[] => {
    const [source, target] = [endOf(json, 'source'), endOf(json, 'target')];
    for (const { activity } of [source, target])
      if (activity === undefined || !activities.has(activity)) {
        const other = activity === source.activity ? target.activity : source.activity;
        const activityId = other !== undefined && activities.has(other) ? other : node.id;
        const name =
          activity === undefined ? 'no activity' : `the activity '${activity}', which the flowchart does not have`;
        const message = `A connection from '${source.activity ?? ''}' to '${target.activity ?? ''}' in '${node.id}' names ${name}, so it is not followed. Add the activity, or remove the connection.`;
        return [{ message, code: LOST_END, activityId, path: at }];
      }
    const from = activities.get(source.activity!)!;
    const outcomes = outcomesOf(from, descriptorOf(from));
    if (source.port === undefined || !outcomes || outcomes.includes(source.port)) return [];
    const message = `The connection from '${from.id}' to '${target.activity!}' leaves by the outcome '${source.port}', which ${from.type} does not have, so it is not followed. Its outcomes: ${outcomes.join(', ')}.`;
    return [{ message, code: UNKNOWN_OUTCOME, activityId: from.id, path: at }];
  });
}

/** Undefined where they are not known before it runs. */
const outcomesOf = (node: ActivityJson, descriptor: ActivityDescriptor | undefined): readonly string[] | undefined =>
  node.type === USER_TASK_TYPE && descriptor ? statedOutcomes(node) : descriptor && declaredOutcomes(descriptor);

/** Of a constant list; without one, it is Done. */
function statedOutcomes({ possibleOutcomes }: ActivityJson): readonly string[] | undefined {
  if (possibleOutcomes === undefined || possibleOutcomes === null) return [DONE];
  const expression = prop(possibleOutcomes, 'expression');
  if (!['Literal', 'Object'].includes(String(prop(expression, 'type')))) return undefined;
  const list = parsed(prop(expression, 'value'));
  if (!Array.isArray(list) || !list.every((one) => typeof one === 'string')) return undefined;
  return list.length === 0 ? [DONE] : list.map((one: string) => one.trim());
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

function endOf(json: unknown, name: 'source' | 'target'): { activity: string | undefined; port: string | undefined } {
  const end = prop(json, name);
  return { activity: textOf(prop(end, 'activity')), port: textOf(prop(end, 'port')) };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const nodesIn = (value: unknown): readonly ActivityJson[] =>
  listOf(value).filter((item): item is ActivityJson => isPlainObject(item) && typeof item.id === 'string');
