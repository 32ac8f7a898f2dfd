import { describe, expect, it } from '@jest/globals';
import { Activity, Input, Output } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { runWorkflow } from '../execution/testing/run-workflow.js';
import { activity } from './activity.js';
import { ifElse } from './branches.js';
import { sequence } from './containers.js';
import { flowchart } from './flowchart.js';
import { inline, setOutput, writeLine } from './steps.js';
import { build, load } from './testing/run-built.js';
import { js } from './value.js';
import type { WorkflowDefinitionBuilder } from './workflow-definition-builder.js';

interface LeaveRequest {
  id: string;
  days: number;
}

@Activity({ outcomes: ['Approved', 'Rejected'] })
class ManagerApproval extends ActivityBase {
  @Input({ type: 'String' }) requestId: string;
  @Output({ type: 'String' }) decidedBy?: string;

  execute(ctx: ActivityExecutionContext): void {
    ctx.createBookmark({ stimulus: { requestId: this.requestId }, callback: this.onDecided });
  }

  onDecided(ctx: ActivityExecutionContext<{ Payload: { by: string; approved: boolean } }>): unknown {
    const { by, approved } = ctx.input.Payload;
    this.decidedBy = by;
    return ctx.completeWithOutcomes(approved ? 'Approved' : 'Rejected');
  }
}

/** The example of the documentation. */
function leaveApproval(w: WorkflowDefinitionBuilder): void {
  const request = w.input<LeaveRequest>('request');
  const decidedBy = w.variable<string>('decidedBy', { type: 'String' });
  const days = w.variable('days', { default: 0 });
  const approved = w.output<boolean>('approved', { type: 'Boolean' });

  const count = inline((ctx) => days.set(ctx, request.get(ctx).days));
  const ask = activity(
    ManagerApproval,
    { requestId: (scope) => request.get(scope).id },
    { id: 'ask', displayText: 'Ask the manager', outputs: { decidedBy } },
  );
  const book = sequence([
    ifElse((scope) => days.get(scope) > 10, writeLine('long leave')),
    writeLine((scope) => `booked, ${decidedBy.get(scope)} agreed`),
    setOutput(approved, true),
  ]);
  const refuse = sequence([writeLine(decidedBy), setOutput(approved, false)]);

  w.name('Leave approval')
    .description('From the request to the booking.')
    .options({ activation: 'Correlation', incidents: 'ContinueWithIncidents' })
    .root(flowchart((flow) => flow.start(count).next(ask).on('Approved', book).on('Rejected', refuse)));
}

describe('a workflow in code', () => {
  it('becomes a definition like any other', () => {
    const { definition, functions } = build(leaveApproval, 'leave-approval');
    expect(definition).toMatchObject({
      definitionId: 'leave-approval',
      name: 'Leave approval',
      inputs: [{ name: 'request', type: 'Object', isArray: false, storageDriverType: 'WorkflowInstanceStorageDriver' }],
      outputs: [{ name: 'approved', type: 'Boolean', isArray: false }],
      variables: [
        { id: 'variable-decidedBy', name: 'decidedBy', typeName: 'String', isArray: false },
        { id: 'variable-days', name: 'days', typeName: 'Double', value: '0' },
      ],
      options: {
        activationStrategyType: expect.stringMatching(/\.CorrelationStrategy,/),
        incidentStrategyType: 'ContinueWithIncidentsStrategy',
      },
    });
    expect(definition.root).toMatchObject({
      type: 'Elsa.Flowchart',
      id: 'Flowchart1',
      start: 'Inline1',
      activities: [
        { type: 'Elsa.Inline', id: 'Inline1', run: { $function: 'Inline1.run' } },
        {
          type: 'App.ManagerApproval',
          id: 'ask',
          version: 1,
          requestId: {
            typeName: null,
            expression: { type: 'Delegate', value: { $function: 'ask.requestId' } },
          },
          decidedBy: { typeName: 'Object', memoryReference: { id: 'variable-decidedBy' } },
          metadata: { displayText: 'Ask the manager' },
        },
        { type: 'Elsa.Sequence', id: 'Sequence1' },
        { type: 'Elsa.Sequence', id: 'Sequence2' },
      ],
      connections: [
        { source: { activity: 'Inline1', port: 'Done' }, target: { activity: 'ask', port: 'In' } },
        { source: { activity: 'ask', port: 'Approved' }, target: { activity: 'Sequence1', port: 'In' } },
        { source: { activity: 'ask', port: 'Rejected' }, target: { activity: 'Sequence2', port: 'In' } },
      ],
    });
    expect([...functions.keys()]).toEqual(['Inline1.run', 'ask.requestId', 'If1.condition', 'WriteLine2.text']);
    expect(JSON.parse(JSON.stringify(definition))).toEqual(definition);
  });

  it.each([
    [true, ['long leave', 'booked, mia agreed']],
    [false, ['mia']],
  ])('runs, suspends and resumes: approved %p', async (approved, lines) => {
    const instance = await runWorkflow(load(leaveApproval), {
      activities: [ManagerApproval],
      request: { input: { request: { id: 'r1', days: 12 } } },
    });
    expect(instance.bookmarks).toMatchObject([{ activityId: 'ask', payload: { requestId: 'r1' } }]);
    await instance.trigger('ask', { by: 'mia', approved });
    expect(instance.lines).toEqual(lines);
    expect(instance.status).toBe('Finished');
    expect(instance.state.output).toEqual({ approved });
  });

  it('gives the same JSON each time it is built', () => {
    expect(build(leaveApproval).definition).toEqual(build(leaveApproval).definition);
  });

  it('accepts scripts in place of values', () => {
    const { definition } = build((w) => w.root(ManagerApproval, { requestId: js('getInput("request").id') }));
    expect(definition.root.requestId).toEqual({
      typeName: null,
      expression: { type: 'JavaScript', value: 'getInput("request").id' },
    });
  });
});
