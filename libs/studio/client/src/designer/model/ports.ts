import type { ActivityDescriptor } from '../../api/descriptors.js';
import type { ActivityJson } from '../../api/definitions.js';
import { definitionOf, memberOf } from './descriptors.js';
import type { Path } from './json-path.js';
import { isMachine, listOfStates, STATE_TYPE } from './state-machine.js';

/** A place inside an activity that takes a workflow of its own. */
export interface Slot {
  readonly label: string;
  /** From the activity on; empty: the activity itself is the container. */
  readonly path: Path;
  readonly isFilled: boolean;
}

/** The names of the ways out that a picture has room for: those of the type, those of its values. */
export function outcomesOf(activity: ActivityJson, descriptor: ActivityDescriptor | undefined): string[] {
  if (!descriptor) return ['Done'];
  const own = dynamicOutcomes(activity, descriptor);
  const fixed = descriptor.ports
    .filter(({ type, isBrowsable }) => type === 'Flow' && isBrowsable !== false)
    .map(({ name }) => name);
  const all = [...new Set([...own, ...fixed])];
  if (all.length > 0) return all;
  return descriptor.isTerminal ? [] : ['Done'];
}

function dynamicOutcomes(activity: ActivityJson, { typeName, inputs }: ActivityDescriptor): string[] {
  if (typeName === 'Elsa.FlowSwitch') return listOf(activity.cases).map(({ label }) => String(label ?? ''));
  if (typeName === 'Elsa.FlowSendHttpRequest' || typeName === 'Elsa.DownloadHttpFile') {
    const codes = textsOf(activity.expectedStatusCodes);
    const ways = ['Unmatched status code', 'Failed to connect', 'Timeout', 'Done'];
    return [...(codes.length > 0 ? codes : ['200']), ...ways];
  }
  return inputs.flatMap(({ name, uiHint, uiSpecifications }) => {
    if (uiHint !== 'dynamic-outcomes') return [];
    const { fixedOutcomes = [] } = (uiSpecifications?.DynamicOutcomesOptions ?? {}) as { fixedOutcomes?: string[] };
    return [...textsOf(activity[memberOf(name)]), ...fixedOutcomes];
  });
}

/** Where one can go into an activity. */
export function slotsOf(activity: ActivityJson, descriptor: ActivityDescriptor | undefined): Slot[] {
  if (Array.isArray(activity.activities)) return [{ label: '', path: [], isFilled: activity.activities.length > 0 }];
  if (isMachine(activity)) return [{ label: '', path: [], isFilled: listOfStates(activity).length > 0 }];
  if (activity.type === STATE_TYPE)
    return ['entry', 'exit'].map((member) => ({
      label: member === 'entry' ? 'Entry' : 'Exit',
      path: [member],
      isFilled: isActivity(activity[member]),
    }));
  // Its content is another definition, and changed there.
  if (definitionOf(descriptor) !== undefined) return [];
  const slots = listOf(activity.cases).flatMap(({ label, activity: held }, index) =>
    activity.type === 'Elsa.Switch'
      ? [{ label: String(label ?? index + 1), path: ['cases', index, 'activity'], isFilled: isActivity(held) }]
      : [],
  );
  if (activity.type === 'Waymark.Try')
    for (const [index, { errors, activity: held }] of listOf(activity.catches).entries())
      slots.push({
        label: textsOf(errors).join(', ') || String(index + 1),
        path: ['catches', index, 'activity'],
        isFilled: isActivity(held),
      });
  if (activity.type === 'Elsa.SendHttpRequest')
    for (const [index, { statusCode, activity: held }] of listOf(activity.expectedStatusCodes).entries())
      slots.push({
        label: String(statusCode),
        path: ['expectedStatusCodes', index, 'activity'],
        isFilled: isActivity(held),
      });
  const named = new Set<string>();
  for (const { name, displayName, type, isBrowsable } of descriptor?.ports ?? [])
    if (type === 'Embedded' && isBrowsable !== false) {
      named.add(memberOf(name));
      slots.push({
        label: displayName && displayName !== name ? displayName : inWords(name),
        path: [memberOf(name)],
        isFilled: isActivity(activity[memberOf(name)]),
      });
    }
  // Of types that the server does not know, what is there can be looked at.
  for (const [member, value] of Object.entries(activity))
    if (isActivity(value) && !named.has(member)) slots.push({ label: member, path: [member], isFilled: true });
  return slots;
}

/** `FailedToConnect` is "Failed to connect". */
const inWords = (name: string): string =>
  name.replaceAll(/(?<=[a-z])[A-Z](?=[a-z])/g, (letter) => ` ${letter.toLowerCase()}`);

export function isActivity(value: unknown): value is ActivityJson {
  const { id, type } = (value ?? {}) as Partial<ActivityJson>;
  // Expressions have a type as well, and no id.
  return typeof id === 'string' && typeof type === 'string' && type !== '';
}

const listOf = (value: unknown) => (Array.isArray(value) ? value : []) as readonly Readonly<Record<string, unknown>>[];

/** The texts of a list that is written down: nothing is known of what a script will give. */
export function textsOf(input: unknown): string[] {
  const { expression } = (input ?? {}) as { expression?: { type?: string; value?: unknown } };
  if (expression && expression.type !== 'Object' && expression.type !== 'Literal' && expression.type !== 'Json')
    return [];
  const value = expression ? expression.value : input;
  try {
    const list: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return Array.isArray(list) ? list.map(String) : [];
  } catch {
    return [];
  }
}

export const NODE_WIDTH = 220;
const NARROWEST = 130;

/** As wide as Elsa's designer has drawn it, where it says so, if no wider than ours: what has room there has room here. */
export function widthOf({ metadata }: ActivityJson): number {
  const { size } = (metadata?.designer ?? {}) as { size?: { width?: unknown } };
  const width = Number(size?.width);
  return width > 0 ? Math.min(NODE_WIDTH, Math.max(NARROWEST, Math.round(width))) : NODE_WIDTH;
}

const ROW = 20;
const HEAD = 56;
const SLOT = 30;

/** Letters for which half the width of a node has room. */
const HALF = 11;

/** If true, its label needs a row of its own. */
export const isWide = ({ label }: Slot): boolean => label.length > HALF;

/** Short ones stand in pairs, as the grid of the node places them. */
function rowsOf(slots: readonly Slot[]): number {
  let cells = 0;
  for (const slot of slots) cells += isWide(slot) ? 2 + (cells % 2) : 1;
  return Math.ceil(cells / 2);
}

/** The size of a node follows from the document, so that nothing has to be measured, or stored. */
export const heightOf = (outcomes: readonly string[], slots: readonly Slot[]): number =>
  Math.max(HEAD, outcomes.length > 1 ? 16 + outcomes.length * ROW : 0) +
  (slots.some(({ path }) => path.length > 0) ? SLOT * rowsOf(slots) + 4 : 0);
