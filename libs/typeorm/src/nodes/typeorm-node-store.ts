import type {
  EndedClaims,
  NodeOfProcess,
  NodeState,
  NodeStore,
  RuntimeNode,
  StoreTime,
} from '@waymark/runtime/adapter';
import { inOneGo, type SqlDatabase } from '../database/sql-database.js';
import type { Statement } from '../database/statement.js';
import { insertRows } from '../dialect/insert-rows.js';
import type { Tables } from '../dialect/tables.js';
import { columnMap } from '../rows/column-map.js';
import { time, toNumber, toOptionalText, toText } from '../rows/column-values.js';
import { date, number, text } from '../rows/member-columns.js';
import { endingClaims, processText, rowOf } from './end-claims.js';

const NODE = columnMap<RuntimeNode>()({
  name: text('name'),
  version: text('version'),
  platform: text('platform'),
  started_at: date('startedAt'),
  seen_at: date('seenAt'),
  state: {
    members: ['state'],
    write: ({ state }) => state,
    read: (value, node) => {
      node.state = toText(value) as NodeState;
    },
  },
  active_bursts: number('activeBursts'),
  machine: { write: ({ process }) => process?.machine ?? null },
  process: {
    members: ['process'],
    write: ({ startedAt, process }) => (process ? processText({ startedAt, process }) : null),
    read: (value, node, { machine, started_at: startedAt }) => {
      const [start, id] = splitOnce(toOptionalText(value) ?? '');
      if (id === undefined || toNumber(startedAt) !== Number(start)) return;
      node.process = { machine: toText(machine), id };
    },
  },
});

function splitOnce(text: string): readonly [before: string, after: string | undefined] {
  const at = text.indexOf(' ');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

export class TypeOrmNodeStore implements NodeStore {
  private readonly nodes: string;

  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {
    this.nodes = tables.nodes;
  }

  async announce(node: RuntimeNode): Promise<void> {
    const { dialect } = this.database;
    const changed = NODE.names.filter((name) => name !== 'name');
    const replaced = changed.map((name) => `${name} = ${dialect.newValue(name)}`).join(', ');
    const suffix = `${dialect.onKnown('name')} ${replaced}`;
    await this.write(...insertRows(dialect, this.nodes, NODE.names, [NODE.values(node)], suffix));
  }

  async list(limit: number): Promise<RuntimeNode[]> {
    const sql = `SELECT ${NODE.list} FROM ${this.nodes} ORDER BY name LIMIT ?`;
    return (await this.database.read({ sql, params: [limit] })).map(NODE.record);
  }

  async remove(name: string): Promise<void> {
    await this.write({ sql: `DELETE FROM ${this.nodes} WHERE name = ?`, params: [name] });
  }

  async purge(before: Date): Promise<number> {
    return this.write({ sql: `DELETE FROM ${this.nodes} WHERE seen_at < ?`, params: [time(before)] });
  }

  async findOn(machine: string, limit: number): Promise<NodeOfProcess[]> {
    const sql = `SELECT ${NODE.list} FROM ${this.nodes} WHERE machine = ? ORDER BY seen_at DESC, name LIMIT ?`;
    const nodes = (await this.database.read({ sql, params: [machine, limit] })).map(NODE.record);
    return nodes.flatMap(({ name, startedAt, process }) => (process ? [{ name, startedAt, process }] : []));
  }

  endClaims(node: NodeOfProcess, time: StoreTime): Promise<EndedClaims | undefined> {
    return this.database.transact(() => endingClaims(this.database.dialect, this.tables, node, time));
  }

  async forgetProcess(node: NodeOfProcess): Promise<void> {
    const { where, params } = rowOf(this.database.dialect, node);
    await this.write({ sql: `UPDATE ${this.nodes} SET machine = NULL, process = NULL${where}`, params });
  }

  private async write(...statements: Statement[]): Promise<number> {
    const [result] = await this.database.transact(() => inOneGo(statements));
    return result?.affected ?? 0;
  }
}
