import type { BenchDatabase } from '../../databases/databases.js';
import { type StoredRows, storedRows } from '../../databases/stored-rows.js';
import type { BenchOptions } from '../../options.js';
import type { NodeArgument } from '../../measured/growth/node.js';
import { MeasuredProcess, type ProcessOptions, stopAll } from '../../processes/measured-process.js';
import type { StoreName } from './dimension.js';

export interface NodeChoice extends NodeArgument, ProcessOptions {
  /** Compiled file in bench/, without extension. @default 'measured/growth/plain-node', which has the calls of every node */
  readonly file?: string;
}

/** Where one size of a dimension is measured: fresh tables of one database, and the nodes that share them. */
export class Place {
  private readonly processes: MeasuredProcess[] = [];

  constructor(
    readonly size: number,
    readonly store: StoreName,
    /** Absent in memory, where each node is alone. */
    readonly database: BenchDatabase | undefined,
    readonly options: BenchOptions,
    /** For the person who waits. */
    readonly progress: (text: string) => void,
  ) {}

  /** One process of the application on this database. It is stopped after the measurement. */
  async startNode({
    file = 'measured/growth/plain-node',
    execArgv,
    ...argument
  }: NodeChoice = {}): Promise<MeasuredProcess> {
    const { url, prefix } = this.database ?? {};
    const node = await MeasuredProcess.start(file, { ...argument, url, prefix }, { execArgv });
    this.processes.push(node);
    return node;
  }

  /** One after the other: the first creates the tables, and publishes. */
  async startNodes(count: number, choice?: NodeChoice): Promise<MeasuredProcess[]> {
    const nodes: MeasuredProcess[] = [];
    for (let i = 0; i < count; i++) nodes.push(await this.startNode(choice));
    return nodes;
  }

  /** Rows and bytes of each table, by its name without prefix. Reads everything: outside of what is timed. */
  stored(): Promise<StoredRows> {
    if (!this.database) throw new Error('In memory there are no tables.');
    return storedRows(this.database);
  }

  /** Also done after the measurement, whatever happened. */
  async stopNodes(): Promise<void> {
    await stopAll(this.processes.splice(0));
  }
}
