/** The sample that an application begins with: an activity, and a workflow that uses it. */

export const priceOrderActivity = (): string => `\
import { Activity, ActivityBase, Input, Output } from '@waymark/nestjs';

/** An activity is a provider: its constructor can inject services. */
@Activity({ category: 'Shop', description: 'Calculates the price of an order.' })
export class PriceOrder extends ActivityBase {
  @Input({ description: 'Number of pieces.' })
  count!: number;

  @Output({ description: 'Price in cents.' })
  total?: number;

  execute(): void {
    if (!Number.isInteger(this.count) || this.count < 1) throw new Error('An order needs a count of 1 or more.');
    this.total = this.count * 250;
  }
}
`;

/** @param extension of files in imports, such as `.js` */
export const orderWorkflow = (extension: string): string => `\
import {
  activity,
  HttpEndpoint,
  ifElse,
  sequence,
  trigger,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
  WriteHttpResponse,
} from '@waymark/nestjs';
import { PriceOrder } from './price-order.activity${extension}';

interface Order {
  item: string;
  count: number;
}

/** Clients may send anything, so the body is checked. */
const isOrder = (body: unknown): body is Order => {
  const { item, count } = (body ?? {}) as Partial<Order>;
  return typeof item === 'string' && Number.isInteger(count) && count! >= 1;
};

/** POST /workflows/orders with { "item": "tea", "count": 3 } runs it, and gets its answer. */
@Workflow({ id: 'order-price' })
export class OrderWorkflow implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const order = w.variable<Order>('order', { type: 'Object' });
    const total = w.variable<number>('total', { type: 'Double' });

    w.root(
      sequence([
        trigger(
          HttpEndpoint,
          { path: 'orders', supportedMethods: ['POST'] },
          { id: 'received', outputs: { parsedContent: order } },
        ),
        ifElse(
          (scope) => isOrder(order.get(scope)),
          sequence([
            activity(PriceOrder, { count: (scope) => order.get(scope)!.count }, { id: 'price', outputs: { total } }),
            activity(
              WriteHttpResponse,
              { content: (scope) => ({ item: order.get(scope)?.item, total: total.get(scope) }) },
              { id: 'answer' },
            ),
          ]),
          activity(
            WriteHttpResponse,
            { statusCode: 400, content: { message: 'An order has an item, and a count of 1 or more.' } },
            { id: 'refuse' },
          ),
        ),
      ]),
    );
  }
}
`;
