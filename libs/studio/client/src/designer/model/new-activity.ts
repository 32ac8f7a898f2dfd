import type { ActivityJson } from '../../api/definitions.js';
import type { ActivityDescriptor } from '../../api/descriptors.js';
import { memberOf } from './descriptors.js';
import { isActivity } from './ports.js';

/** 16 hexadecimal digits, as Elsa's ids. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Every activity at or below a value. */
export function* activitiesIn(value: unknown): Generator<ActivityJson> {
  if (typeof value !== 'object' || value === null) return;
  if (isActivity(value)) yield value;
  for (const member of Object.values(value)) yield* activitiesIn(member);
}

/** `WriteLine1`, or the first number that is free. @param like a type, or the name of another one */
export function freeName(like: string, taken: ReadonlySet<string>): string {
  const stem = like.split('.').at(-1)!.replace(/\d+$/, '') || 'Activity';
  let number = 1;
  while (taken.has(`${stem}${number}`)) number += 1;
  return `${stem}${number}`;
}

export const namesIn = (value: unknown): Set<string> =>
  new Set([...activitiesIn(value)].flatMap(({ id, name }) => (name ? [id, name] : [id])));

/** An activity of a type with the defaults of its inputs. */
export function newActivity(
  descriptor: ActivityDescriptor,
  options: {
    readonly taken: ReadonlySet<string>;
    readonly position: { x: number; y: number };
    readonly starts: boolean;
  },
): ActivityJson {
  const { typeName, version, inputs, constructionProperties, isContainer } = descriptor;
  const built = Object.entries(constructionProperties ?? {}).map(([name, value]) => [memberOf(name), value]);
  const defaults = inputs.flatMap(({ name, isWrapped, defaultValue, defaultSyntax, typeName: inputType }) => {
    if (defaultValue === undefined || defaultValue === null) return [];
    const expression = { type: defaultSyntax ?? 'Literal', value: defaultValue };
    return [[memberOf(name), isWrapped ? { typeName: inputType, expression } : defaultValue]];
  });
  const inside = isContainer || typeName === 'Elsa.Sequence' ? { activities: [] } : {};
  const connections =
    typeName === 'Elsa.Flowchart'
      ? { activities: [], connections: [] }
      : typeName === 'Elsa.StateMachine'
        ? { states: [], transitions: [], initialState: null }
        : {};
  return {
    ...(Object.fromEntries([...defaults, ...built]) as object),
    id: newId(),
    name: freeName(typeName, options.taken),
    type: typeName,
    version,
    customProperties: { canStartWorkflow: options.starts, runAsynchronously: false },
    metadata: { designer: { position: options.position } },
    ...inside,
    ...connections,
  };
}

export const newFlowchart = (activities: readonly ActivityJson[]): ActivityJson => ({
  id: newId(),
  type: 'Elsa.Flowchart',
  version: 1,
  name: 'Flowchart',
  customProperties: { canStartWorkflow: false, runAsynchronously: false },
  metadata: {},
  activities,
  connections: [],
});
