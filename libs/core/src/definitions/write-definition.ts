import { formatDate } from '../values/date-text.js';
import { isPlainObject, setMember } from '../values/plain-object.js';
import { writeArgument } from './argument-json.js';
import type { DefinitionContext } from './definition-context.js';
import { normalizeActivity } from './normalize-activity.js';
import type { ActivityJson, VariableDefinition, WorkflowDefinition } from './workflow-definition.js';
import { writeOptions } from './workflow-options.js';

const SCHEMA = 'https://elsaworkflows.io/schemas/workflow-definition/v3.0.0/schema.json';

/** Returns the definition as the REST API shows it, with members in the order of Elsa. The caller adds links. */
export function writeDefinitionModel(definition: WorkflowDefinition, ctx: DefinitionContext): Record<string, unknown> {
  const { id, definitionId, ...rest } = head(definition);
  return withoutNulls({ id, definitionId, ...rest, root: writeRoot(definition.root, ctx) });
}

/** Returns the definition as a file: the model with a `$schema` that identifies it. */
export function writeExport(definition: WorkflowDefinition, ctx: DefinitionContext): Record<string, unknown> {
  const { id, definitionId, ...rest } = head(definition);
  // There are no tenants here; an empty one is what the reference calls its only tenant.
  return withoutNulls({
    $schema: SCHEMA,
    id,
    definitionId,
    tenantId: '',
    ...rest,
    root: writeRoot(definition.root, ctx),
  });
}

/** File name of an export, e.g. `workflow-definition-order-approval-order-943b1b3c.json`. */
export function exportFileName(definition: Pick<WorkflowDefinition, 'id' | 'definitionId' | 'name'>): string {
  const { id, definitionId, name } = definition;
  const slug = slugOf(name?.trim() || definitionId);
  // Ids come from outside; a name must stay one name, on every file system and inside a zip.
  return `workflow-definition-${slug}-${definitionId}-${id}.json`.replace(/[\\/:*?"<>|\p{Cc}]/gu, '-');
}

function head(definition: WorkflowDefinition) {
  const { id, definitionId, name, description, createdAt, version, toolVersion, variables, inputs, outputs } =
    definition;
  const { outcomes, customProperties, isReadonly, isSystem, isLatest, isPublished, options } = definition;
  return {
    id,
    definitionId,
    name,
    description,
    createdAt: formatDate(createdAt),
    version,
    toolVersion,
    variables: variables.map(writeVariable),
    inputs: inputs.map(writeArgument),
    outputs: outputs.map(writeArgument),
    outcomes,
    customProperties,
    isReadonly,
    isSystem,
    isLatest,
    isPublished,
    options: writeOptions(options),
  };
}

function writeVariable(variable: VariableDefinition): Record<string, unknown> {
  const { id, name, typeName, isArray, value, storageDriverTypeName } = variable;
  return withoutNulls({ id, name, typeName, isArray, value, storageDriverTypeName });
}

/** Read again, because types may have come and gone since it was stored, and so may have newer versions of workflows. */
function writeRoot(stored: ActivityJson, ctx: DefinitionContext): unknown {
  return withoutFunctions(normalizeActivity(stored, ctx));
}

/** Functions of workflows in code have no JSON form: the reference writes null for such an expression. */
function withoutFunctions(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(withoutFunctions);
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  if (!isPlainObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const name in value) {
    const member = value[name];
    const written = isDelegate(name, member) ? null : withoutFunctions(member);
    if (written !== member) setMember((copy ??= { ...value }), name, written);
  }
  return copy ?? value;
}

const isDelegate = (name: string, value: unknown): boolean =>
  (name === 'expression' || name === 'condition') && isPlainObject(value) && value.type === 'Delegate';

function slugOf(name: string): string {
  return name
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1-$2')
    .replace(/([\p{Ll}\p{Nd}])(\p{Lu})/gu, '$1-$2')
    .replace(/[\s_-]/g, '-')
    .toLowerCase();
}

function withoutNulls(members: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}
