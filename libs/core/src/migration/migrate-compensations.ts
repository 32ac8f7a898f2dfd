import { type CompensationEntry, ENTRIES, ENTRY, UNDOS } from '../execution/compensation.js';
import type { ActivityNode } from '../graph/activity-node.js';
import type { Counterparts } from './counterparts.js';
import type { MigrationProblem } from './migration-report.js';

type Values = Readonly<Record<string, unknown>>;

const LISTS = [ENTRIES, UNDOS] as const;

/** Those of a scope that has stored other things as well. */
export function entryLists(properties: Values): Record<string, unknown> {
  return Object.fromEntries(LISTS.filter((name) => name in properties).map((name) => [name, properties[name]]));
}

/**
 * Steps that can be undone are kept with the node that undoes them, long after it has completed. One that the other version lacks
 * would never be undone, so the instance stays where it is.
 */
export class CompensationMigration {
  readonly problems: MigrationProblem[] = [];
  private readonly refused = new Set<string>();

  constructor(private readonly counterparts: Counterparts) {}

  /** Of a scope: what was completed in it, and what it undoes now. */
  properties<T extends Values>(properties: T): T {
    const lists = LISTS.filter((name) => properties[name] !== undefined);
    if (lists.length === 0) return properties;
    const moved = lists.map((name) => [name, (properties[name] as CompensationEntry[]).map((each) => this.move(each))]);
    return { ...properties, ...(Object.fromEntries(moved) as Values) };
  }

  /** Of an undo that has not begun. */
  input<T extends Values | undefined>(input: T): T {
    const entry = input?.[ENTRY] as CompensationEntry | undefined;
    return entry ? { ...input, [ENTRY]: this.move(entry) } : input;
  }

  private move(entry: CompensationEntry): CompensationEntry {
    const { counterparts } = this;
    const node = counterparts.from.findByNodeId(entry.nodeId);
    const to = node && counterparts.of(node);
    const branch = entry.isConfirmed || entry.isConfirmOnly ? 'Confirm' : 'Undo';
    if (node && to?.type === node.type && to.children.some(({ portName }) => portName === branch))
      return { ...entry, nodeId: to.nodeId };
    if (!this.refused.has(entry.nodeId)) this.refuse(entry.nodeId, node, to, branch);
    return entry;
  }

  private refuse(nodeId: string, node: ActivityNode | undefined, to: ActivityNode | undefined, branch: string): void {
    this.refused.add(nodeId);
    const what = `'${node?.id ?? nodeId}' was completed and can still be undone or confirmed`;
    const why =
      to && to.type === node?.type
        ? `'${to.id}' of the other version has no '${branch}'`
        : 'the other version has no such Compensable there';
    const message = `${what}, and ${why}. Map it to one that it has, or publish a version that keeps it in the same place.`;
    this.problems.push({ code: 'NoCounterpart', message, ...(node && { activityId: node.id }) });
  }
}
