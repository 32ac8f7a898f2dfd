import type { ActivityRegistration, ActivityRegistry } from '../activities/activity-registry.js';
import type { NodeReader, NodeReadingActivity } from './child-reader.js';
import { MOST_NODE_ID_CHARACTERS } from '../definitions/assign-ids.js';
import { DefinitionTooLargeError } from '../definitions/definition-too-large-error.js';
import type { ActivityJson, VariableDefinition, WorkflowDefinition } from '../definitions/workflow-definition.js';
import { WorkflowCompileError } from '../errors/execution-errors.js';
import type { ExpressionRegistry } from '../expressions/expression-registry.js';
import { conversionOf } from '../definitions/conversion-of.js';
import { runsInBackground } from './runs-in-background.js';
import { readTimeout } from '../definitions/activity-timeout.js';
import { readRetryPolicy } from '../definitions/retry-policy.js';
import { resolveLogPersistence, type LogPersistenceMode, type LogPersistenceRules } from './log-persistence.js';
import { camelCase } from '../values/names.js';
import type { TypeRegistry } from '../values/type-registry.js';
import { ActivityNode, type OutputBinding } from './activity-node.js';
import { compileExpression, compileInput, type InputCompiler } from './compile-input.js';
import { compileVariable, isEncryptingDriver, isMemoryDriver } from './compile-variable.js';
import type { CompiledInput } from './compiled-input.js';
import { WorkflowCounts } from './count-workflows.js';
import { WorkflowGraph } from './workflow-graph.js';

/** Dependencies and settings of compiling a definition. */
export interface CompileOptions {
  /** The activity types. */
  readonly registry: Pick<ActivityRegistry, 'find' | 'findWorkflow'>;
  /** The expression syntaxes. */
  readonly expressions: ExpressionRegistry;
  /** The types of values. */
  readonly types: TypeRegistry;
  /**
   * Finds the definition behind a workflow used as an activity. Compiling is synchronous, so the caller must load referenced
   * definitions before.
   */
  resolveWorkflow?(reference: WorkflowReference): WorkflowDefinition | undefined;
  /**
   * Log persistence of activities if neither the activity nor the workflow sets it. @default 'Inherit', which keeps everything
   */
  readonly logPersistenceMode?: LogPersistenceMode;
  /**
   * Most nodes of the graph. Workflows that use each other several times multiply: of thirty that use the one before them twice, the last
   * would have a thousand million nodes. @default no limit
   */
  readonly maxNodes?: number;
}

/** Identifies the version of a workflow that an activity represents. */
export interface WorkflowReference {
  /** Logical id of the definition. */
  readonly definitionId?: string;
  /** Id of the version, which decides where it is given. */
  readonly definitionVersionId?: string;
  /** Number of the version. @default the published one */
  readonly version?: number;
}

const WORKFLOW_TYPE = 'Elsa.Workflow';
const NOT_FOUND_TYPE = 'Elsa.NotFoundActivity';

/** Turns a stored definition into a graph. @throws WorkflowCompileError, CircularWorkflowError, DefinitionTooLargeError */
export function compileWorkflow(definition: WorkflowDefinition, options: CompileOptions): WorkflowGraph {
  return new GraphCompiler(definition, options).compile();
}

class GraphCompiler {
  private readonly usedVersionIds = new Set<string>();
  private readonly counts = new WorkflowCounts((json) => this.resolveNested(json));
  private nodes = 0;
  private idCharacters = 0;

  constructor(
    private readonly definition: WorkflowDefinition,
    private readonly options: CompileOptions,
  ) {}

  compile(): WorkflowGraph {
    // A workflow's number comes after those of the workflows inside it: the reference numbers ids depth first.
    const number = this.counts.of(this.definition, [this.definition]);
    // Before any is made: each has a node of its own, and one that stands for it where it is used.
    this.requireFew(2 * number - 1);
    const root = this.compileWorkflowNode(this.definition, undefined, undefined, number, [this.definition]);
    return new WorkflowGraph(this.definition, root, this.usedVersionIds);
  }

  private resolveNested(json: ActivityJson): WorkflowDefinition | undefined {
    const definitionVersionId = textOf(json.workflowDefinitionVersionId);
    const definitionId = textOf(json.workflowDefinitionId);
    if (typeof json.type !== 'string' || (!definitionVersionId && !definitionId)) return undefined;
    return this.options.resolveWorkflow?.({ definitionVersionId, definitionId, version: json.version });
  }

  private compileWorkflowNode(
    definition: WorkflowDefinition,
    parent: ActivityNode | undefined,
    portName: string | undefined,
    number: number,
    chain: readonly WorkflowDefinition[],
  ): ActivityNode {
    const id = `Workflow${number}`;
    const registration = this.require(WORKFLOW_TYPE);
    const nodeId = this.nodeIdOf(id, parent);
    const inputs = this.inputsOf(definition);
    const node = new ActivityNode(
      id,
      nodeId,
      undefined,
      registration,
      parent,
      portName,
      definition.customProperties,
      {},
    );
    node.variables = definition.variables.map((v) => compileVariable(v, inputs.types, inputs.conversion));
    node.logPersistence = this.logPersistence(definition.customProperties, { definition, inputs });
    if (!parent) node.nestedWorkflow = nestedFacts(definition);
    const context: CompileContext = { definition, chain, inputs };
    // A definition without a root is legal and ends at once.
    const root = definition.root ? this.compileNode(definition.root, node, 'Root', context) : undefined;
    node.setConstant('root', root);
    return node;
  }

  private compileNode(
    json: ActivityJson,
    parent: ActivityNode,
    portName: string,
    context: CompileContext,
  ): ActivityNode {
    if (typeof json !== 'object' || json === null || typeof json.type !== 'string')
      throw new WorkflowCompileError(`Activity in port '${portName}' of '${parent.nodeId}' has no type. Give it one.`);
    const inner = this.resolveNested(json);
    const registration = this.findRegistration(json, inner);
    const id = textOf(json.id) ?? `${registration.descriptor.name}${parent.children.length + 1}`;
    const node = new ActivityNode(
      id,
      this.nodeIdOf(id, parent),
      textOf(json.name),
      registration,
      parent,
      portName,
      (json.customProperties ?? {}) as Record<string, unknown>,
      (json.metadata ?? {}) as Record<string, unknown>,
    );
    node.logPersistence = this.logPersistence(node.customProperties, context);
    node.retryPolicy = readRetryPolicy(
      node.customProperties.retryPolicy ?? registration.descriptor.customProperties.retryPolicy,
    );
    node.timeoutMs = readTimeout(node.customProperties.timeout ?? registration.descriptor.customProperties.timeout);
    node.isBackground = runsInBackground(node);
    node.isPlain = !node.isBackground && !node.hasPrecondition && !node.logPersistence?.decide;
    this.readVariables(node, json, context);
    this.readInputs(node, json, context);
    this.readOutputs(node, json);
    const properties = this.readChildren(node, json, context);
    if (inner) this.nest(node, inner, properties, context);
    for (const [name, value] of Object.entries(properties)) node.setConstant(name, value);
    return node;
  }

  /** @throws DefinitionTooLargeError when there are more nodes, or longer ids, than a graph may have */
  private nodeIdOf(id: string, parent: ActivityNode | undefined): string {
    this.requireFew(++this.nodes);
    this.idCharacters += (parent ? parent.nodeId.length + 1 : 0) + id.length;
    if (this.idCharacters > MOST_NODE_ID_CHARACTERS)
      throw new DefinitionTooLargeError(MOST_NODE_ID_CHARACTERS, 'characters of node ids');
    return parent ? `${parent.nodeId}:${id}` : id;
  }

  private requireFew(nodes: number): void {
    const { maxNodes } = this.options;
    if (maxNodes !== undefined && nodes > maxNodes)
      throw new DefinitionTooLargeError(maxNodes, 'activities with those of used workflows');
  }

  private findRegistration(json: ActivityJson, inner: WorkflowDefinition | undefined): ActivityRegistration {
    const { registry } = this.options;
    const found = inner
      ? registry.findWorkflow({
          definitionVersionId: inner.id,
          definitionId: inner.definitionId,
          version: inner.version,
        })
      : registry.find(json.type, json.version);
    return found ?? this.require(NOT_FOUND_TYPE);
  }

  private require(type: string): ActivityRegistration {
    const found = this.options.registry.find(type);
    if (!found)
      throw new WorkflowCompileError(`Activity type '${type}' is not registered: register the core activities first.`);
    return found;
  }

  private nest(
    node: ActivityNode,
    inner: WorkflowDefinition,
    properties: Record<string, unknown>,
    context: CompileContext,
  ): void {
    this.usedVersionIds.add(inner.id);
    node.nestedWorkflow = nestedFacts(inner);
    const chain = [...context.chain, inner];
    // Numbered as when it stands alone, so that its node ids are those under which its own definition is shown.
    const number = this.counts.of(inner, chain);
    properties.root = this.compileWorkflowNode(inner, node, 'Root', number, chain);
  }

  private logPersistence(
    properties: Readonly<Record<string, unknown>>,
    { definition, inputs }: Pick<CompileContext, 'definition' | 'inputs'>,
  ): LogPersistenceRules | undefined {
    return resolveLogPersistence(properties, definition.customProperties, {
      application: this.options.logPersistenceMode,
      compile: (expression) => compileExpression(expression, inputs),
    });
  }

  private inputsOf(definition: WorkflowDefinition): InputCompiler {
    const { expressions, types } = this.options;
    return { expressions, types, conversion: conversionOf(definition) };
  }

  private readVariables(node: ActivityNode, json: ActivityJson, { inputs }: CompileContext): void {
    if (!Array.isArray(json.variables) || !node.registration.descriptor.isContainer) return;
    node.variables = (json.variables as VariableDefinition[]).map((v) =>
      compileVariable(v, inputs.types, inputs.conversion),
    );
  }

  private readInputs(node: ActivityNode, json: ActivityJson, { inputs }: CompileContext): void {
    const wrapped: CompiledInput[] = [];
    for (const descriptor of node.registration.descriptor.inputs) {
      const value = memberOf(json, descriptor.propertyName);
      if (descriptor.isWrapped) wrapped.push(compileInput(value, descriptor, inputs));
      else node.setConstant(descriptor.propertyName, value ?? descriptor.defaultValue);
    }
    node.inputs = wrapped;
    node.evaluatedInputs = wrapped.filter(({ autoEvaluate }) => autoEvaluate);
  }

  private readOutputs(node: ActivityNode, json: ActivityJson): void {
    const bindings = new Map<string, OutputBinding>();
    for (const { name, propertyName } of node.registration.descriptor.outputs) {
      const value = memberOf(json, propertyName) as { memoryReference?: { id?: unknown } | null } | null | undefined;
      const targetId = textOf(value?.memoryReference?.id);
      if (targetId) bindings.set(name, { outputName: name, targetId });
    }
    node.outputs = bindings;
  }

  private readChildren(node: ActivityNode, json: ActivityJson, context: CompileContext): Record<string, unknown> {
    const { descriptor, activityClass } = node.registration;
    const properties: Record<string, unknown> = {};
    if (descriptor.typeName === NOT_FOUND_TYPE && json.type !== NOT_FOUND_TYPE) properties.missingTypeName = json.type;
    for (const port of descriptor.ports) {
      if (port.type !== 'Embedded' || !port.propertyName) continue;
      const child = json[port.propertyName];
      if (child !== undefined && child !== null)
        properties[port.propertyName] = this.compileNode(child as ActivityJson, node, port.name, context);
    }
    for (const list of descriptor.childLists) {
      const children = json[list];
      properties[list] = Array.isArray(children)
        ? children.map((child) => this.compileNode(child as ActivityJson, node, list, context))
        : [];
    }
    const { readNode } = activityClass as Partial<NodeReadingActivity>;
    if (readNode) Object.assign(properties, readNode.call(activityClass, json, this.readerFor(node, context)));
    return properties;
  }

  private readerFor(node: ActivityNode, context: CompileContext): NodeReader {
    return {
      child: (json, portName) =>
        json === undefined || json === null
          ? undefined
          : this.compileNode(json as ActivityJson, node, portName, context),
      input: (json, typeName, defaultValue) =>
        compileInput(
          json,
          {
            name: '',
            propertyName: '',
            typeName,
            defaultValue,
            autoEvaluate: false,
            isSensitive: false,
            isEncrypted: false,
            isSerializable: true,
          },
          context.inputs,
        ),
      expression: (expression) => compileExpression(expression, context.inputs),
      childById: (id) => node.children.find((child) => child.id === id),
    };
  }
}

interface CompileContext {
  readonly definition: WorkflowDefinition;
  readonly chain: readonly WorkflowDefinition[];
  readonly inputs: InputCompiler;
}

function nestedFacts(d: WorkflowDefinition): ActivityNode['nestedWorkflow'] {
  return {
    definitionId: d.definitionId,
    definitionVersionId: d.id,
    version: d.version,
    inputNames: d.inputs.map((i) => i.name),
    encryptedNames: d.inputs.filter((i) => isEncryptingDriver(i.storageDriverType)).map((i) => i.name),
    memoryNames: d.inputs.filter((i) => isMemoryDriver(i.storageDriverType)).map((i) => i.name),
    outputs: d.outputs.map((o) => ({ name: o.name, typeName: o.type, isArray: o.isArray })),
  };
}

/** Inputs of nested workflows are written as `_Name` where the name is taken; others in camelCase. */
function memberOf(json: ActivityJson, propertyName: string): unknown {
  return json[propertyName] ?? json[camelCase(propertyName)];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
