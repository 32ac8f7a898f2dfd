import 'reflect-metadata';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  activity,
  Activity,
  ActivityBase,
  type ActivityExecutionContext,
  inline,
  input,
  Input,
  Output,
  setOutput,
  setVariable,
} from '@waymark/core';
import {
  IEventPublisher,
  IWorkflowRuntime,
  MemoryPersistence,
  Workflow,
  type ValueClassOption,
  type WorkflowBuilder,
  type WorkflowPersistence,
  WorkflowEngine,
} from '@waymark/runtime';
import { resolveRuntimeOptions, RUNTIME_OPTIONS, WorkflowRuntimeModule } from '@waymark/runtime/adapter';
import type { WorkflowDefinitionBuilder } from '@waymark/core';
import { Test, type TestingModule } from '@nestjs/testing';
import { Exclude, Type } from 'class-transformer';
import { IsInt, IsString, ValidateNested } from 'class-validator';
import { Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import { VirtualClock } from '@waymark/testing';
import { describeOn } from '../support/describe-on.js';
import { testBackends } from '../support/backends.js';
import { type RuntimeNode, type RuntimeNodeOptions, sequence, startNode, waitFor } from '../support/runtime-node.js';

class LineDto {
  @IsString() article!: string;
  @IsInt() count!: number;
}

class OrderDto {
  @IsString() id!: string;
  @Type(() => Date) placedAt!: Date;
  @Type(() => LineDto) @ValidateNested({ each: true }) lines!: LineDto[];
  @Exclude({ toPlainOnly: true }) session?: string;

  get total(): number {
    return this.lines.reduce((sum, { count }) => sum + count, 0);
  }
}

@Entity()
class Customer {
  @PrimaryColumn() id!: number;
  @Column() name!: string;
}

@Entity()
class Invoice {
  @PrimaryColumn() id!: number;
  @ManyToOne(() => Customer) customer!: Customer;
}

/** A node that may refuse to start, which Nest's own factory answers by ending the process. */
async function init({ providers = [], ...options }: RuntimeNodeOptions): Promise<TestingModule> {
  const resolved = resolveRuntimeOptions({ ...options, persistence: new MemoryPersistence() });
  const runtime = WorkflowRuntimeModule.compose({ providers: [{ provide: RUNTIME_OPTIONS, useValue: resolved }] });
  return (await Test.createTestingModule({ imports: [runtime], providers }).compile()).init();
}

const order = (): OrderDto => {
  const made = new OrderDto();
  const line = Object.assign(new LineDto(), { article: 'coal', count: 3 });
  return Object.assign(made, { id: 'o1', placedAt: new Date(5), lines: [line], session: 'secret' });
};

const seen: unknown[] = [];

@Activity()
class Load extends ActivityBase {
  @Output({ type: 'Object' }) order?: OrderDto;
  execute(): void {
    this.order = order();
  }
}

@Activity()
class Price extends ActivityBase {
  @Input() order!: OrderDto;
  @Output() total?: number;
  execute(): void {
    seen.push(this.order);
    this.total = this.order.total;
  }
}

@Workflow({ id: 'priced' })
class Priced implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const row = w.variable('row', { type: OrderDto });
    const total = w.variable<number>('total');
    const result = w.output<OrderDto>('result', { type: OrderDto });
    w.root([
      activity(Load, {}, { outputs: { order: row } }),
      activity('Elsa.Event', { eventName: 'go' }),
      inline((ctx) => void seen.push(row.get(ctx))),
      activity(Price, { order: row }, { outputs: { total } }),
      setOutput(result, row),
    ]);
  }
}

describeOn(await testBackends(), 'objects of registered classes on $name', (backend) => {
  let persistence: WorkflowPersistence;
  let node: RuntimeNode;
  beforeEach(async () => {
    seen.length = 0;
    persistence = await backend.create();
    node = await startNode(persistence, { types: [OrderDto], providers: [Load, Price, Priced] });
  });
  afterEach(() => node.close());
  afterAll(() => backend.drop());

  it('objects of registered classes are the same after a wait: instances of their class, by the rules of class-transformer', async () => {
    const client = await node.get(IWorkflowRuntime).createClient();
    const started = await client.createAndRunInstance({ definition: 'priced' });
    expect(started).toMatchObject({ subStatus: 'Suspended', incidents: [] });
    await node.get(IEventPublisher).publish('go');
    const { subStatus, incidents, output } = await client.exportState();
    expect([subStatus, incidents]).toEqual(['Finished', []]);
    expect(seen).toHaveLength(2);
    for (const each of seen as OrderDto[]) {
      expect(each).toBeInstanceOf(OrderDto);
      expect([each.total, each.placedAt, each.lines[0], each.session]).toEqual([
        3,
        new Date(5),
        expect.any(LineDto),
        undefined,
      ]);
    }
    expect(output.result).toBeInstanceOf(OrderDto);
  });
});

describe('an object of a class that is not registered', () => {
  let node: RuntimeNode;
  afterEach(() => node.close());

  it('is refused in the words of the workflow', async () => {
    @Workflow({ id: 'kept' })
    class Kept implements WorkflowBuilder {
      build(w: WorkflowDefinitionBuilder): void {
        const row = w.variable<unknown>('row');
        const customer = Object.assign(new Customer(), { id: 1, name: 'Mia' });
        const make = () => ({ invoice: Object.assign(new Invoice(), { id: 7, customer }) });
        w.root([setVariable(row, make), activity('Elsa.Event', { eventName: 'go' })]);
      }
    }
    node = await startNode(new MemoryPersistence(), { types: [Invoice], providers: [Kept] });
    const client = await node.get(IWorkflowRuntime).createClient();
    const { subStatus, incidents } = await client.createAndRunInstance({ definition: 'kept' });
    // Entities of TypeORM are classes like others: class-transformer writes what they hold as data.
    expect([subStatus, incidents]).toEqual(['Suspended', []]);
    @Workflow({ id: 'refused' })
    class Refused implements WorkflowBuilder {
      build(w: WorkflowDefinitionBuilder): void {
        const row = w.variable<unknown>('row');
        w.root([setVariable(row, () => ({ list: [new Customer()] })), activity('Elsa.Event', { eventName: 'go' })]);
      }
    }
    await node.close();
    node = await startNode(new MemoryPersistence(), { providers: [Refused] });
    const refused = await (
      await node.get(IWorkflowRuntime).createClient()
    ).createAndRunInstance({ definition: 'refused' });
    expect([refused.subStatus, refused.incidents[0]?.message]).toEqual([
      'Faulted',
      expect.stringMatching(
        /^variable "row"\.list\[0\] of workflow "refused" cannot be stored: it is an instance of Customer\. .*'types' of WorkflowModule/,
      ),
    ]);
  });

  it('is refused when it leads back to itself, as an entity whose relation is loaded both ways does', async () => {
    class Author {
      books: Book[] = [];
    }
    class Book {
      author?: Author;
    }
    const both = (): Author => {
      const author = new Author();
      author.books = [Object.assign(new Book(), { author })];
      return author;
    };
    @Workflow({ id: 'circular' })
    class Circular implements WorkflowBuilder {
      build(w: WorkflowDefinitionBuilder): void {
        const row = w.variable<unknown>('row');
        w.root([setVariable(row, both), activity('Elsa.Event', { eventName: 'go' })]);
      }
    }
    node = await startNode(new MemoryPersistence(), { types: [Author, Book], providers: [Circular] });
    const client = await node.get(IWorkflowRuntime).createClient();
    const { subStatus, incidents } = await client.createAndRunInstance({ definition: 'circular' });
    expect([subStatus, incidents[0]?.message]).toEqual([
      'Faulted',
      expect.stringMatching(
        /^variable "row" of workflow "circular" cannot be stored: .*refers back to itself.*@Exclude/,
      ),
    ]);
  });

  it('is refused as an input of a start, by its name', async () => {
    node = await startNode(new MemoryPersistence());
    await node.deploy('waits', sequence('S', waitFor('E', 'go')), {
      inputs: [{ name: 'Who', type: 'Object', isArray: false, storageDriverType: 'WorkflowInstanceStorageDriver' }],
    });
    const client = await node.get(IWorkflowRuntime).createClient();
    const input = { Who: new Customer() };
    await expect(client.createAndRunInstance({ definition: 'waits', input })).rejects.toMatchObject({
      code: 'WM1102',
      message: expect.stringContaining('input "Who" of workflow "waits"'),
    });
  });
});

describe('instances as inputs of a start', () => {
  @Workflow({ id: 'ordered' })
  class Ordered implements WorkflowBuilder {
    readonly inputs = { order: input<OrderDto>({ type: OrderDto, optional: true }) };
    build(w: WorkflowDefinitionBuilder): void {
      w.root(inline((ctx) => void seen.push(this.inputs.order.get(ctx))));
    }
  }

  let node: RuntimeNode;
  beforeEach(async () => {
    seen.length = 0;
    node = await startNode(new MemoryPersistence(), { types: [OrderDto], providers: [Ordered] });
    const inputs = [{ name: 'orders', type: 'OrderDto', isArray: true }];
    await node.deploy('designed', sequence('S'), { inputs });
  });
  afterEach(() => node.close());
  const start = async (definition: string, given: Record<string, unknown>) =>
    (await node.get(IWorkflowRuntime).createClient()).createAndRunInstance({ definition, input: given });
  const line = { article: 'coal', count: 3 };
  const data = { id: 'o1', placedAt: '2026-08-01', lines: [line] };

  it('instances as inputs of a start are started with when they keep the rules of their class', async () => {
    for (const each of [data, order()])
      expect(await start('ordered', { order: each })).toMatchObject({ subStatus: 'Finished', incidents: [] });
    expect(seen).toEqual([expect.any(OrderDto), expect.any(OrderDto)]);
    expect(await start('designed', { orders: [data] })).toMatchObject({ subStatus: 'Finished' });
  });

  it.each<[string, object, string]>([
    ['a broken rule', { ...data, id: 5 }, "'order' is not valid: id must be a string"],
    ['one of a part', { ...data, lines: [{ ...line, count: 'x' }] }, 'lines.0: count must be an integer number'],
    ['a date that cannot be read', { ...data, placedAt: 'soon' }, 'placedAt: it is an invalid date'],
    ['an instance', Object.assign(order(), { id: 5 }), 'id must be a string'],
  ])('instances as inputs of a start are refused for %s (WM1036)', async (_, given, message) => {
    const refusal = { code: 'WM1036', message: expect.stringContaining(message) };
    await expect(start('ordered', { order: given })).rejects.toMatchObject(refusal);
    await expect(
      node
        .get(IWorkflowRuntime)
        .client(Ordered)
        .dispatch({ order: given as OrderDto }),
    ).rejects.toMatchObject(refusal);
    await expect(start('designed', { orders: [data, given] })).rejects.toMatchObject({
      code: 'WM1036',
      message: expect.stringContaining("'orders' is not valid: 1: "),
    });
    expect(seen).toEqual([]);
  });
});

describe('the option types', () => {
  class NeedsMore {
    readonly length: number;
    constructor(text: string) {
      this.length = text.length;
    }
  }
  const start = (...types: readonly ValueClassOption[]) => init({ types });

  it('refuses a class that cannot be made without arguments (WM1033), unless it says how', async () => {
    await expect(start(NeedsMore)).rejects.toMatchObject({ code: 'WM1033' });
    const toData = ({ length }: NeedsMore): number => length;
    await expect(start({ type: NeedsMore, toData })).rejects.toMatchObject({ code: 'WM1033' });
    const node = await start({
      type: NeedsMore,
      toData,
      fromData: (length: number) => new NeedsMore('x'.repeat(length)),
    });
    expect(node.get(WorkflowEngine).types.resolve('NeedsMore')).toMatchObject({ kind: 'object' });
    await node.close();
  });

  it('refuses a name that a type of definitions has (WM1031)', async () => {
    await expect(start({ type: Customer, name: 'Int32' })).rejects.toMatchObject({ code: 'WM1031' });
  });
});

describe('rules about parts of an input', () => {
  @Activity()
  class Check extends ActivityBase {
    @Input({ type: 'Object' }) @ValidateNested() line!: LineDto;
    @Input({ type: 'Object' }) @ValidateNested() @Type(() => OrderDto) orders!: OrderDto[];
    execute(): void {
      seen.push(this.line);
    }
  }

  @Workflow({ id: 'checked' })
  class Checked implements WorkflowBuilder {
    build(w: WorkflowDefinitionBuilder): void {
      const line = w.input<LineDto>('line');
      const orders = w.input<OrderDto[]>('orders');
      w.root([activity(Check, { line, orders })]);
    }
  }

  let node: RuntimeNode;
  beforeEach(async () => {
    seen.length = 0;
    node = await startNode(new MemoryPersistence(), { providers: [Check, Checked] });
  });
  afterEach(() => node.close());

  const run = async (input: Record<string, unknown>) =>
    (await node.get(IWorkflowRuntime).createClient()).createAndRunInstance({ definition: 'checked', input });
  const line = { article: 'coal', count: 3 };

  it('rules about parts of an input are obeyed for data, which has no class', async () => {
    const { incidents } = await run({ line: { article: 5 }, orders: [{ id: 'o', lines: [{ ...line, count: 'x' }] }] });
    expect(incidents[0]?.message).toContain('line: article must be a string');
    expect(incidents[0]?.message).toContain('orders.0.lines.0: count must be an integer number');
    expect(seen).toEqual([]);
  });

  it('rules about parts of an input accept valid values unchanged', async () => {
    const { incidents } = await run({ line, orders: [{ id: 'o', lines: [line] }] });
    expect(incidents).toEqual([]);
    expect(seen).toEqual([line]);
    expect(seen[0]).not.toBeInstanceOf(LineDto);
  });

  it('rules about parts of an input require the class (WM1034)', async () => {
    @Activity()
    class Vague extends ActivityBase {
      @Input({ type: 'Object' }) @ValidateNested({ each: true }) lines!: LineDto[];
      execute(): void {}
    }
    await expect(init({ providers: [Vague] })).rejects.toMatchObject({
      code: 'WM1034',
      message: expect.stringContaining("'lines' of class Vague"),
    });
  });
});

describe('options of @Activity() that would be passed over in silence', () => {
  it.each([
    ['retry', { retry: { maxAttempts: 0 } }],
    ['timeout', { timeout: '3 months' }],
    ['timeout', { customProperties: { timeout: 'soon' } }],
  ] as const)(
    'options of @Activity() that would be passed over in silence are refused at start (WM1040): %s',
    async (option, options) => {
      @Activity(options)
      class Booking extends ActivityBase {
        execute(): void {}
      }
      const message = expect.stringContaining(`Option '${option}' of @Activity() on class Booking`);
      await expect(init({ providers: [Booking] })).rejects.toMatchObject({ code: 'WM1040', message });
    },
  );

  it('options of @Activity() that would be passed over in silence are applied: a class may set how long it waits', async () => {
    @Activity({ timeout: '72:00:00' })
    class Waiting extends ActivityBase {
      execute(ctx: ActivityExecutionContext): void {
        ctx.createBookmark({ name: 'Answer' });
      }
    }
    @Workflow({ id: 'timed' })
    class Timed implements WorkflowBuilder {
      build(w: WorkflowDefinitionBuilder): void {
        w.root(activity(Waiting));
      }
    }
    const clock = new VirtualClock('2026-03-01T00:00:00Z');
    const node = await startNode(new MemoryPersistence(), { clock, providers: [Waiting, Timed] });
    const client = await node.get(IWorkflowRuntime).createClient();
    const { bookmarks } = await client.createAndRunInstance({ definition: 'timed' });
    expect(bookmarks.map(({ name, dueAt }) => [name, dueAt])).toEqual([
      ['Answer', undefined],
      ['Waymark.Timeout', new Date('2026-03-04T00:00:00Z')],
    ]);
    await node.close();
  });
});

describe('names that definitions use themselves', () => {
  it.each(['id', 'name', 'type', 'metadata', 'customProperties', 'version', 'canStartWorkflow', 'runAsynchronously'])(
    'names that definitions use themselves are refused for inputs: %s',
    async (name) => {
      @Activity()
      class Named extends ActivityBase {
        execute(): void {}
      }
      Input({ type: 'String' })(Named.prototype, name);
      await expect(init({ providers: [Named] })).rejects.toMatchObject({
        code: 'WM1030',
        message: expect.stringContaining(`@Input() ${name} of class Named`),
      });
    },
  );
});
