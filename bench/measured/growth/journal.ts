import { IWorkflowRuntime, AlterationRunner } from '@waymark/runtime';
import { JOURNAL_PAGE, type JournalKind, LARGE, LARGE_CHARS } from '../../workflows/journal-growth.js';
import { openNode, serveNode } from './node.js';

/** A node that brings one instance to the size that is asked for, and reads its journal. */
const node = await openNode();
const { app, persistence } = node;
const kind = node.argument.more as JournalKind;
const runtime = app.get(IWorkflowRuntime);

serveNode(node, {
  /** Returns its id. Children are served by the outbox: their parent ends later. */
  async start(): Promise<string> {
    const client = await runtime.createClient();
    await client.createAndRunInstance({ definition: kind });
    return client.workflowInstanceId;
  },
  /** Each branch in a burst of its own. */
  async goOn(id: string): Promise<void> {
    const client = await runtime.createClient(id);
    for (const bookmark of (await client.exportState()).bookmarks)
      await client.runInstance({ bookmarkId: bookmark.id });
  },
  /** To two values by turns, as something that goes back and forth. */
  async change({ id, count }: { id: string; count: number }): Promise<void> {
    const alterations = app.get(AlterationRunner);
    const values = ['a', 'b'].map((letter) => letter.repeat(LARGE_CHARS));
    for (let i = 0; i < count; i++)
      await alterations.run(id, [{ type: 'ModifyVariable', variableId: LARGE.id, value: values[i % 2] }]);
  },
  /** One page, as an answer of the API has it. */
  async readPage(id: string): Promise<void> {
    const { items } = await persistence.journal.readLogPage(
      id,
      { skip: 0, take: JOURNAL_PAGE },
      { valueBytes: 2 ** 20 },
    );
    if (items.length === 0) throw new Error(`Instance ${id} has no journal.`);
  },
});
