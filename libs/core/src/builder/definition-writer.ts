import type { ActivityJson } from '../definitions/workflow-definition.js';
import { isPlainObject } from '../values/plain-object.js';
import { type ActivityBuilder, isActivityBuilder } from './activity-builder.js';
import { WorkflowBuildError } from './build-error.js';
import type { FunctionReference, WorkflowFunction } from './function-reference.js';
import type { VariableDeclaration } from './references.js';
import { jsonConstant } from './value.js';
import { type Declared, isWritable, WRITE, type WriteContext } from './write-context.js';

/**
 * Writes the activities of one workflow as JSON and takes its functions into a table. What it writes for the same code
 * must stay the same from release to release: a stored version is recognised by it.
 */
export class DefinitionWriter implements WriteContext {
  readonly functions = new Map<string, WorkflowFunction>();
  private readonly ids = new Map<object, string>();
  /** From the root to the activity that is being written. */
  private readonly path: ActivityBuilder[] = [];
  private readonly variableIds: Set<string>;

  /** @param declared what the workflow itself declares */
  constructor(
    private readonly definitionId: string,
    private readonly declared: ReadonlySet<Declared>,
  ) {
    this.variableIds = new Set([...declared].filter(isVariable).map((v) => v.definition.id));
  }

  write(root: ActivityBuilder): ActivityJson {
    this.assignIds(root);
    return this.writeActivity(root);
  }

  idOf(activity: object, at: string): string {
    const id = this.ids.get(activity);
    if (id === undefined)
      throw new WorkflowBuildError('WM1209', at, `'${at}' refers to an activity that is not part of the workflow.`);
    return id;
  }

  reference(run: WorkflowFunction, at: string): FunctionReference {
    this.functions.set(at, run);
    return { $function: at };
  }

  requireDeclared(declared: Declared, at: string): void {
    const isLocal = this.path.some((activity) => activity.facts.variables?.some((v) => v === declared));
    if (isLocal || this.declared.has(declared)) return;
    const { kind, name } = declared;
    const remedy =
      kind === 'variable' ? 'with w.variable(), or by a container around the activity' : `with w.${kind}()`;
    throw new WorkflowBuildError(
      'WM1202',
      at,
      `'${at}' uses the ${kind} '${name}', which workflow '${this.definitionId}' does not declare there. Declare it ${remedy}.`,
    );
  }

  requireNearestLoop(loop: object | undefined, name: string, at: string): void {
    const what = WHAT[name] ?? {
      value: 'item',
      of: 'loop',
      remedy: "Bind the outer loop's currentValue to a variable",
    };
    const around = this.path.slice(0, -1).filter((activity) => activity.facts.loopNames?.includes(name));
    if (loop !== undefined && around.at(-1) === loop) return;
    throw new WorkflowBuildError(
      'WM1208',
      at,
      around.some((activity) => activity === loop)
        ? `'${at}' uses the ${what.value} of an outer ${what.of}, which the inner ${what.of} hides. ${what.remedy}, and use that.`
        : `'${at}' uses the ${what.value} of a ${what.of} that does not contain it.`,
    );
  }

  // ----- ids -----

  /** Ids that were given, then a number for each type, in the order in which the activities are written. */
  private assignIds(root: ActivityBuilder): void {
    const activities: ActivityBuilder[] = [];
    collect(root, activities);
    const used = new Set<string>();
    const counters = new Map<string, number>();
    for (const activity of activities)
      if (activity.settings.id !== undefined) this.claim(activity, activity.settings.id, used);
    for (const activity of activities) {
      if (activity.settings.id !== undefined) continue;
      const short =
        activity.type.slice(activity.type.lastIndexOf('.') + 1).replace(/[^\p{L}\p{N}_-]/gu, '') || 'Activity';
      let number = counters.get(short) ?? 0;
      do number++;
      while (used.has(`${short}${number}`));
      counters.set(short, number);
      this.claim(activity, `${short}${number}`, used);
    }
  }

  private claim(activity: ActivityBuilder, id: string, used: Set<string>): void {
    if (this.ids.has(activity))
      throw new WorkflowBuildError(
        'WM1207',
        id,
        `Activity '${this.ids.get(activity)}' is used in two places of workflow '${this.definitionId}'. Create a second activity for the second place.`,
      );
    if (id.trim() === '' || id.includes(':'))
      throw new WorkflowBuildError(
        'WM1203',
        id,
        `'${id}' cannot be the id of an activity: it must not be blank or contain ':'.`,
      );
    if (used.has(id))
      throw new WorkflowBuildError('WM1203', id, `Two activities have the id '${id}'. Give one of them another id.`);
    used.add(id);
    this.ids.set(activity, id);
  }

  // ----- JSON -----

  private writeActivity(activity: ActivityBuilder): ActivityJson {
    const { type, members, settings, facts } = activity;
    const id = this.ids.get(activity)!;
    this.path.push(activity);
    const node: ActivityJson = { type, id };
    if (facts.version !== undefined) node.version = facts.version;
    if (settings.name !== undefined) node.name = settings.name;
    Object.assign(node, jsonConstant(settings.json ?? {}, id));
    for (const [name, value] of Object.entries(members)) node[name] = this.writePart(value, `${id}.${name}`);
    if (facts.variables) node.variables = facts.variables.map((v) => this.declareLocal(v, id));
    const { canStartWorkflow, runAsynchronously, timeout, retry, displayText, description } = settings;
    const own = { canStartWorkflow, runAsynchronously, timeout, ...(retry && { retryPolicy: retry }) };
    const properties = { ...own, ...settings.customProperties };
    const metadata = { displayText, description, ...settings.metadata };
    node.customProperties = jsonConstant(properties, `${id}.customProperties`) as Record<string, unknown>;
    node.metadata = jsonConstant(metadata, `${id}.metadata`) as Record<string, unknown>;
    this.path.pop();
    return node;
  }

  private writePart(value: unknown, at: string): unknown {
    if (isActivityBuilder(value)) return this.writeActivity(value);
    if (isWritable(value)) return value[WRITE](this, at);
    if (Array.isArray(value)) return value.map((item, i) => this.writePart(item, `${at}[${i}]`));
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.writePart(member, `${at}.${name}`)]),
    );
  }

  private declareLocal({ definition }: VariableDeclaration, containerId: string): Record<string, unknown> {
    const { id, name, typeName, isArray, value, storageDriverTypeName } = definition;
    if (this.variableIds.has(id))
      throw new WorkflowBuildError(
        'WM1203',
        `${containerId}.${name}`,
        `The variable '${name}' of '${containerId}' is also declared elsewhere. Rename one of them.`,
      );
    this.variableIds.add(id);
    return defined({ id, name, typeName: isArray ? `${typeName}[]` : typeName, value, storageDriverTypeName });
  }
}

/** Values that only exist inside of an activity, besides those of loops. */
const WHAT: Readonly<Record<string, { value: string; of: string; remedy: string }>> = {
  Error: { value: 'error', of: 'Try', remedy: "Bind the outer Try's output error to a variable" },
  StepOutputs: { value: 'outputs', of: 'Compensable', remedy: 'Bind them to variables' },
};

/** The activities in an activity, parents first. */
function collect(value: unknown, found: ActivityBuilder[]): void {
  if (isActivityBuilder(value)) {
    // One that stands in itself would be gone through for ever; it is reported when ids are given.
    const isKnown = found.includes(value);
    found.push(value);
    if (!isKnown) collect(value.members, found);
  } else if (Array.isArray(value)) for (const item of value) collect(item, found);
  else if (isPlainObject(value)) for (const member of Object.values(value)) collect(member, found);
}

const isVariable = (declared: Declared): declared is VariableDeclaration => declared.kind === 'variable';

function defined(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
