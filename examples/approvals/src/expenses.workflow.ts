import {
  activity,
  flowchart,
  HttpEndpoint,
  setOutput,
  trigger,
  UserTask,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
  WriteHttpResponse,
} from '@waymark/nestjs';

interface Expense {
  readonly employee: string;
  readonly amount: number;
}

/** Accounting decides within two days, and fills in the cost centre; after that the heads may decide as well. */
@Workflow({ id: 'expenses' })
export class ExpensesWorkflow implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const expense = w.variable<Expense>('expense', { type: 'Object' });
    const filledIn = w.variable<{ costCentre: number }>('filledIn', { type: 'Object' });
    const answer = w.output<string>('answer', { type: 'String' });

    const received = trigger(
      HttpEndpoint,
      { path: 'expenses', supportedMethods: ['POST'] },
      { id: 'received', outputs: { parsedContent: expense } },
    );
    const accepted = activity(
      WriteHttpResponse,
      { statusCode: 'Accepted', content: { status: 'waits for accounting' } },
      { id: 'accepted' },
    );
    const check = activity(
      UserTask,
      {
        taskName: 'check-expense',
        title: (scope) => `${expense.get(scope)?.employee} spent ${expense.get(scope)?.amount}`,
        candidateGroups: ['accounting'],
        possibleOutcomes: ['Approve', 'Reject'],
        form: {
          type: 'object',
          additionalProperties: false,
          properties: { costCentre: { type: 'integer', minimum: 1000 }, reason: { type: 'string', maxLength: 500 } },
        },
        dueIn: '2.00:00:00',
        escalateToGroups: ['heads'],
      },
      { id: 'check', outputs: { result: filledIn } },
    );
    const approve = setOutput(answer, (scope) => `approved for ${filledIn.get(scope)?.costCentre}`);
    const reject = setOutput(answer, 'rejected');
    w.root(
      flowchart((flow) => {
        flow.start(received).next(accepted).next(check);
        flow.from(check).on('Approve', approve).on('Reject', reject);
      }),
    );
  }
}
