import {
  activity,
  HttpEndpoint,
  sequence,
  trigger,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
  WriteHttpResponse,
} from '@waymark/nestjs';
import { BookPayment } from './book-payment.activity';

interface PaymentEvent {
  readonly invoice: string;
  readonly cents: number;
}

/**
 * A payment provider reports payments. It signs what it sends, and sends it again until it gets an answer: a delivery that comes again
 * has the same id (X-GitHub-Delivery), is answered as the first one was, and books nothing.
 */
@Workflow({ id: 'payment' })
export class PaymentWorkflow implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const event = w.variable<PaymentEvent>('event', { type: 'Object' });
    const booking = w.variable<number>('booking', { type: 'Int32' });

    w.root(
      sequence([
        trigger(
          HttpEndpoint,
          {
            path: 'payments',
            supportedMethods: ['POST'],
            policy: 'payment-provider',
            idempotencyKeys: true,
            requestSizeLimit: 16 * 1024,
          },
          { id: 'received', outputs: { parsedContent: event } },
        ),
        activity(
          BookPayment,
          {
            invoice: (scope) => String(event.get(scope)?.invoice),
            cents: (scope) => Number(event.get(scope)?.cents),
          },
          { id: 'book', outputs: { booking } },
        ),
        activity(WriteHttpResponse, { content: (scope) => ({ booking: booking.get(scope) }) }, { id: 'answer' }),
      ]),
    );
  }
}
