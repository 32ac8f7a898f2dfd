import type { ActivityExecution, JournalEntry } from '../../api/instance-records.js';
import type { Level } from '../model/level.js';
import { isTransition, STATE_TYPE } from '../model/state-machine.js';
import { isActivity } from '../model/ports.js';

export type Tone = 'running' | 'waiting' | 'finished' | 'faulted';

/** What a run did at a node so far. */
export interface NodeRun {
  readonly tone: Tone;
  readonly times: number;
}

/** What a run did on a level of the canvas. */
export interface RunPath {
  /** By the id of the node on the canvas. */
  readonly nodes: ReadonlyMap<string, NodeRun>;
  /** Places of the connections that were taken. */
  readonly connections: ReadonlySet<number>;
}

const TONES: Readonly<Record<string, Tone>> = {
  Started: 'running',
  Resumed: 'running',
  Suspended: 'waiting',
  Completed: 'finished',
  Faulted: 'faulted',
};
/** What was given up is not lit: it is as if it had not been reached. */
const GIVEN_UP = new Set(['Canceled', 'Cancelled']);

interface Told {
  readonly nodeId: string;
  tone: Tone | undefined;
}

/** What the entries of a journal say about the activities of a level. @param outcomes by the id of the execution */
export function runPath(
  level: Level,
  entries: readonly JournalEntry[],
  outcomes: ReadonlyMap<string, readonly string[]>,
): RunPath {
  const executions = new Map<string, Told>();
  for (const { activityInstanceId, nodeId, eventName = '' } of entries) {
    const tone = TONES[eventName];
    if (tone) executions.set(activityInstanceId, { nodeId, tone });
    else if (GIVEN_UP.has(eventName)) executions.set(activityInstanceId, { nodeId, tone: undefined });
  }
  const at = new Map<string, { readonly runs: Tone[]; readonly ways: Set<string> }>();
  for (const [id, { nodeId, tone }] of executions) {
    const key = nodeKey(nodeId);
    const known = at.get(key) ?? { runs: [], ways: new Set<string>() };
    at.set(key, known);
    if (tone) known.runs.push(tone);
    if (tone === 'finished') for (const way of outcomes.get(id) ?? ['Done']) known.ways.add(way);
  }
  const found = (id: string, parent: string | undefined) => at.get(`${parent}:${id}`);
  return level.kind === 'machine' ? machinePath(level, found) : plainPath(level, found);
}

/** An activity in its container: ids are unique among siblings only. */
const nodeKey = (nodeId: string): string => nodeId.split(':').slice(-2).join(':');

type Find = (
  id: string,
  parent: string | undefined,
) => { readonly runs: readonly Tone[]; readonly ways: ReadonlySet<string> } | undefined;

function plainPath(level: Level, find: Find): RunPath {
  const parent = parentOf(level);
  const nodes = new Map<string, NodeRun>();
  for (const { id } of level.activities) {
    const runs = find(id, parent)?.runs ?? [];
    if (runs.length > 0) nodes.set(id, { tone: worst(runs), times: runs.length });
  }
  const taken = level.connections.filter(
    ({ source, port, target }) =>
      nodes.has(target) && (level.kind === 'list' || find(source, parent)?.ways.has(port)) && nodes.has(source),
  );
  return { nodes, connections: new Set(taken.map(({ index }) => index)) };
}

/** A state is lit by what runs and waits for it, also on its ways out; a transition by its trigger, or by what it does. */
function machinePath(level: Level, find: Find): RunPath {
  const parent = level.content?.id;
  const runsOf = (activity: unknown): readonly Tone[] =>
    isActivity(activity) ? (find(activity.id, parent)?.runs ?? []) : [];
  const transitions = level.connections.filter(isTransition);
  const taken = transitions.filter(
    ({ json }) => runsOf(json.trigger).includes('finished') || runsOf(json.action).length > 0,
  );
  const nodes = new Map<string, NodeRun>();
  for (const state of level.activities.filter(({ type }) => type === STATE_TYPE)) {
    const out = transitions.filter(({ source }) => source === state.id);
    // What a way out does comes before the state that it leads to.
    const came = taken.filter(
      ({ target, json }) => target === state.id && runsOf(json.action).every((tone) => tone === 'finished'),
    ).length;
    const inside = [state.entry, state.exit].flatMap(runsOf);
    const listened = out.flatMap(({ json }) => [...runsOf(json.trigger), ...runsOf(json.action)]);
    const all = [...inside, ...listened];
    if (all.length + came === 0) continue;
    nodes.set(state.id, { tone: all.length > 0 ? worst(all) : 'finished', times: Math.max(1, came) });
  }
  return { nodes, connections: new Set(taken.map(({ index }) => index)) };
}

/** The activity that the activities of a level stand in. */
const parentOf = ({ kind, content, steps }: Level): string | undefined =>
  kind === 'flowchart' || kind === 'list' ? content?.id : steps.at(-1)?.id;

const ORDER: readonly Tone[] = ['faulted', 'waiting', 'running', 'finished'];
const worst = (runs: readonly Tone[]): Tone => ORDER.find((tone) => runs.includes(tone))!;

/** The ways out that executions took, by their ids. */
export const outcomesOf = (executions: readonly ActivityExecution[]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    executions.flatMap(({ id, payload }) =>
      Array.isArray(payload?.Outcomes) ? [[id, (payload.Outcomes as unknown[]).map(String)] as const] : [],
    ),
  );
