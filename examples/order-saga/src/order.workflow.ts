import {
  activity,
  catchError,
  compensable,
  HttpEndpoint,
  sequence,
  setVariable,
  trigger,
  tryCatch,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
  WriteHttpResponse,
} from '@waymark/nestjs';
import { ChargeCard, RefundPayment, ReleaseStock, ReserveStock, ShipOrder } from './activities.js';
import { CannotBeFulfilledError } from './services.js';

interface Order {
  readonly item: string;
  readonly count: number;
  readonly card: string;
}

/** Reserve, charge, ship: when a step cannot be done, those before it are undone, the last one first. */
@Workflow({ id: 'order' })
export class OrderWorkflow implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const order = w.variable<Order>('order', { type: 'Object' });
    const reservation = w.variable<string>('reservation', { type: 'String' });
    const payment = w.variable<string>('payment', { type: 'String' });
    const status = w.variable<string>('status', { type: 'String' });

    const reserve = activity(
      ReserveStock,
      { item: (scope) => String(order.get(scope)?.item), count: (scope) => Number(order.get(scope)?.count) },
      { id: 'reserve', outputs: { reservation } },
    );
    const charge = activity(
      ChargeCard,
      { card: (scope) => String(order.get(scope)?.card), cents: (scope) => Number(order.get(scope)?.count) * 250 },
      { id: 'charge', outputs: { payment } },
    );
    const ship = activity(ShipOrder, { item: (scope) => String(order.get(scope)?.item) }, { id: 'ship' });

    w.root(
      sequence([
        trigger(
          HttpEndpoint,
          { path: 'orders', supportedMethods: ['POST'] },
          { id: 'received', outputs: { parsedContent: order } },
        ),
        tryCatch(
          [
            compensable(reserve, { id: 'stock', undo: activity(ReleaseStock, { reservation }, { id: 'release' }) }),
            compensable(charge, { id: 'money', undo: activity(RefundPayment, { payment }, { id: 'refund' }) }),
            ship,
            setVariable(status, 'shipped'),
          ],
          {
            id: 'fulfilment',
            catches: [
              catchError(CannotBeFulfilledError, (error) =>
                setVariable(status, (scope) => `undone: ${error.get(scope).message}`),
              ),
            ],
          },
        ),
        activity(WriteHttpResponse, { content: (scope) => ({ status: status.get(scope) }) }, { id: 'answer' }),
      ]),
    );
  }
}
