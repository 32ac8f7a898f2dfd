import type { ActivityDescriptor } from '../activities/activity-descriptor.js';
import { nearestName } from '../options/nearest-name.js';
import { camelCase } from '../values/names.js';
import { isPlainObject } from '../values/plain-object.js';
import type { DefinitionContext } from './definition-context.js';
import { isLogPersistenceMode } from './log-persistence-mode.js';
import type { DefinitionProblem } from './validate-definition.js';
import { descriptorsOf, walkActivities } from './walk-activities.js';
import type { WorkflowDefinition } from './workflow-definition.js';

/** A setting in the custom properties is not read: its name or its value is unknown. */
const UNREAD_SETTING = 'WM4096';

/** Names that are compared with known ones; a definition may have any number of them. */
const MOST_COMPARED = 500;

const MODES = 'Inherit, Include, Exclude or Configuration';

interface Place {
  readonly what: string;
  readonly path: string;
  readonly activityId?: string;
  readonly descriptor?: ActivityDescriptor;
}

/**
 * Finds what records are said to keep, but not in words that are read: a mistyped mode, a strategy of the application that wrote the
 * definition, a mistyped input. Elsa takes them, and so does Waymark, which keeps the values; their author believes they are left out.
 */
export function logPersistenceWarnings(
  { root, customProperties }: Pick<WorkflowDefinition, 'root' | 'customProperties'>,
  { registry }: Pick<DefinitionContext, 'registry'>,
): DefinitionProblem[] {
  const search = new Search();
  search.settings(customProperties, { what: 'the workflow', path: 'customProperties' });
  walkActivities(root, descriptorsOf(registry), ({ node, path, descriptor }) => {
    const what = `activity '${node.id}' (${node.type})`;
    search.settings(node.customProperties, {
      what,
      path: `${path}.customProperties`,
      activityId: node.id,
      ...(descriptor && { descriptor }),
    });
  });
  return search.warnings;
}

class Search {
  readonly warnings: DefinitionProblem[] = [];
  private compared = 0;

  settings(properties: unknown, place: Place): void {
    if (!isPlainObject(properties)) return;
    this.mode(properties.internalState, 'internalState', place);
    for (const name of ['logPersistenceConfig', 'logPersistenceMode'] as const) {
      const given = properties[name];
      if (!isPlainObject(given)) {
        if (name === 'logPersistenceMode') this.mode(given, name, place);
        continue;
      }
      for (const member of ['default', 'internalState']) this.mode(given[member], `${name}.${member}`, place);
      for (const kind of ['inputs', 'outputs'] as const)
        for (const [key, mode] of Object.entries(isPlainObject(given[kind]) ? given[kind] : {})) {
          this.mode(mode, `${name}.${kind}.${key}`, place);
          this.member(key, kind, `${name}.${kind}.${key}`, place);
        }
    }
  }

  private mode(value: unknown, member: string, place: Place): void {
    const name = nameOfMode(value);
    if (name === undefined || isLogPersistenceMode(name)) return;
    this.add(`names '${name}', which is not ${MODES}, so the values are kept. Use one of them.`, member, place);
  }

  /** Others may be left over from a version of the activity that had them; they do no harm. */
  private member(key: string, kind: 'inputs' | 'outputs', member: string, place: Place): void {
    const known = place.descriptor?.[kind].map(({ name }) => camelCase(name)) ?? [];
    if (known.length === 0 || known.includes(key) || ++this.compared > MOST_COMPARED) return;
    const nearest = nearestName(key, known);
    if (nearest !== undefined)
      this.add(
        `is not read, because there is no '${key}' among the ${kind}. Did you mean '${nearest}'?`,
        member,
        place,
      );
  }

  private add(message: string, member: string, { what, path, activityId }: Place): void {
    this.warnings.push({
      message: `'${member}' of ${what} ${message}`,
      code: UNREAD_SETTING,
      ...(activityId !== undefined && { activityId }),
      path: `${path}.${member}`,
    });
  }
}

/** Undefined where none is named, or an expression says it. */
function nameOfMode(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isPlainObject(value)) return textOf(value);
  const isComputed = String(value.evaluationMode ?? '').toLowerCase() === 'expression';
  if (isComputed && isPlainObject(value.expression) && typeof value.expression.type === 'string') return undefined;
  return textOf(value.strategyType);
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  return text.trim() === '' || text === '""' ? undefined : text;
}
