import type { NodeState, NodeStore, RuntimeNode } from '@waymark/runtime/adapter';
import { inOneGo, type SqlDatabase } from '../database/sql-database.js';
import type { Statement } from '../database/statement.js';
import { insertRows } from '../dialect/insert-rows.js';
import type { Tables } from '../dialect/tables.js';
import { columnMap } from '../rows/column-map.js';
import { time, toText } from '../rows/column-values.js';
import { date, number, text } from '../rows/member-columns.js';

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
});

export class TypeOrmNodeStore implements NodeStore {
  private readonly nodes: string;

  constructor(
    private readonly database: SqlDatabase,
    { nodes }: Tables,
  ) {
    this.nodes = nodes;
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

  private async write(...statements: Statement[]): Promise<number> {
    const [result] = await this.database.transact(() => inOneGo(statements));
    return result?.affected ?? 0;
  }
}
