import type { ActivityJson } from '../../api/definitions.js';
import type { ActivityDescriptor } from '../../api/descriptors.js';
import { type Change, type Design, edit } from './change.js';
import { setMember } from './commands.js';
import { activityPath, type Connection, type Level } from './level.js';
import { outcomesOf } from './ports.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * A member of an activity becomes that. Connections follow a way out that it renames: else the path of a case whose label is corrected
 * would end, and nothing would say so.
 */
export function setInput(
  design: Design,
  level: Level,
  activity: ActivityJson,
  { member, value, descriptor }: { member: string; value: unknown; descriptor: ActivityDescriptor | undefined },
): Change {
  const path = activityPath(level, activity.id) ?? [];
  const change = setMember(design, path, member, value);
  const renamed =
    level.kind === 'flowchart'
      ? renamedOutcome(
          outcomesOf(activity, descriptor),
          outcomesOf({ ...activity, [member]: value } as ActivityJson, descriptor),
        )
      : undefined;
  const moved = new Set(
    level.connections
      .filter(({ source, port }) => renamed && source === activity.id && port === renamed.from)
      .map(({ index }) => index),
  );
  const [edited] = change.patches;
  if (!renamed || moved.size === 0 || !edited) return change;
  const place = path.at(-1);
  const rename = (content: ActivityJson) => ({
    ...content,
    activities: (content.activities as readonly unknown[]).map((one, index) => (index === place ? edited.to : one)),
    connections: (content.connections as readonly Json[]).map((one, index) =>
      moved.has(index) ? withPort(one, renamed.to) : one,
    ),
  });
  return edit(design, level.path, rename, change.key);
}

/** Which of the outcomes has another name now, if that is all that is different. */
export function renamedOutcome(
  before: readonly string[],
  after: readonly string[],
): { readonly from: string; readonly to: string } | undefined {
  if (before.length !== after.length) return undefined;
  const [place, other] = before.flatMap((outcome, index) => (after[index] === outcome ? [] : [index]));
  if (place === undefined || other !== undefined) return undefined;
  const [from, to] = [before[place]!, after[place]!];
  // A connection without a name of its port would be one at Done.
  return to === '' || before.includes(to) || after.includes(from) ? undefined : { from, to };
}

const withPort = (connection: Json, port: string): Json =>
  typeof connection.source === 'object'
    ? { ...connection, source: { ...connection.source, port } }
    : { ...connection, sourcePort: port };

/** The ways out that connections of a level take, by their activities. */
export function takenPorts(connections: readonly Connection[]): ReadonlyMap<string, readonly string[]> {
  const taken = new Map<string, string[]>();
  for (const { source, port } of connections) {
    const ports = taken.get(source);
    if (!ports) taken.set(source, [port]);
    else if (!ports.includes(port)) ports.push(port);
  }
  return taken;
}
