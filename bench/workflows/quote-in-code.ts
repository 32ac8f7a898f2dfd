import { activity, flowchart, flowDecision, setVariable, trigger, type WorkflowDefinitionBuilder } from '@waymark/core';
import { HttpEndpoint, WriteHttpResponse } from '@waymark/http';
import { Workflow, type WorkflowBuilder } from '@waymark/nestjs';
import { QUOTE_PATH } from './quote.js';

export const QUOTE_IN_CODE = 'bench-quote-in-code';

/** The quote workflow step by step, as a developer writes it: TypeScript functions instead of JavaScript and Liquid. */
@Workflow({ id: QUOTE_IN_CODE, name: 'Quote' })
export class QuoteInCode implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const query = w.variable<Record<string, string | string[]>>('Query');
    const total = w.variable<number>('Total');
    const message = w.variable<string>('Message', { type: 'String' });

    const request = trigger(
      HttpEndpoint,
      { path: QUOTE_PATH, supportedMethods: ['GET'] },
      { id: 'Request', outputs: { queryStringData: query } },
    );
    const calculate = setVariable(total, (scope) => Number(query.get(scope).amount) * 1.21, { id: 'Calculate' });
    const isLarge = flowDecision((scope) => total.get(scope) > 100, { id: 'IsLarge' });
    const large = setVariable(
      message,
      (scope) => `Dear ${String(query.get(scope).customer)}, your large order costs ${total.get(scope)}.`,
      { id: 'Large' },
    );
    const small = setVariable(
      message,
      (scope) => `Dear ${String(query.get(scope).customer)}, your small order costs ${total.get(scope)}.`,
      { id: 'Small' },
    );
    const answer = activity(
      WriteHttpResponse,
      {
        content: (scope) => ({ message: message.get(scope), total: total.get(scope) }),
        contentType: 'application/json',
      },
      { id: 'Answer' },
    );
    w.root(
      flowchart((flow) => {
        flow.start(request).next(calculate).next(isLarge).on('True', large).on('False', small);
        flow.from(large, small).next(answer);
      }),
    );
  }
}
