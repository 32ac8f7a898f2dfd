import type { ActivityJson } from '@waymark/core';
import { literal, sequence, startedBy, waitFor } from '../support/runtime-node.js';

/** Writes one line to the ledger: an effect outside of the database. */
const effect = (name: string): ActivityJson => ({ type: 'Torture.Effect', id: name, label: literal(name) });
const delay = (id: string, milliseconds: number): ActivityJson => ({
  type: 'Elsa.Delay',
  id,
  timeSpan: literal(`00:00:00.${String(milliseconds).padStart(3, '0')}`, 'TimeSpan'),
});
const child = (type: string, id: string, definitionId: string): ActivityJson => ({
  type,
  id,
  workflowDefinitionId: literal(definitionId),
  waitForCompletion: literal(true, 'Boolean'),
});

/** The event that pays an order; its correlation id says which. It may come before the order. */
export const PAID = 'paid';
/** The activity at which an order waits for its approval. */
export const APPROVED = 'approved';
export const TICK_MS = 1000;
const OUTSIDE = 'Elsa.Workflows.Runtime.ActivationValidators';

interface TortureWorkflow {
  readonly definitionId: string;
  readonly root: ActivityJson;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Together they use every way into a burst: start, event, bookmark, timer, dispatch, child, cancellation. */
export const workflows: readonly TortureWorkflow[] = [
  {
    definitionId: 'order',
    root: sequence(
      'Order',
      effect('ordered'),
      waitFor('Paid', PAID),
      effect('paid'),
      child('Elsa.DispatchWorkflow', 'Parcel', 'parcel'),
      effect('delivered'),
      child('Elsa.ExecuteWorkflow', 'Invoice', 'invoice'),
      waitFor('Approved', APPROVED),
      effect('closed'),
    ),
  },
  {
    definitionId: 'parcel',
    root: sequence('Parcel', effect('packed'), delay('Travel', 400), effect('sent')),
  },
  {
    definitionId: 'invoice',
    root: sequence('Invoice', effect('invoiced'), delay('Print', 100), effect('printed')),
  },
  {
    definitionId: 'tick',
    root: sequence(
      'Tick',
      {
        type: 'Elsa.Timer',
        id: 'Timer',
        interval: literal('00:00:01', 'TimeSpan'),
        // Every occurrence counts, also those that passed while no node lived.
        customProperties: { ...startedBy.customProperties, misfire: 'all' },
      },
      effect('ticked'),
    ),
  },
  {
    definitionId: 'single',
    // What comes before the first commit happens before it is known who may run.
    root: sequence(
      'Single',
      effect('alone'),
      delay('Enter', 10),
      effect('entered'),
      delay('Work', 300),
      effect('done'),
    ),
    options: { activationStrategyType: `${OUTSIDE}.SingletonStrategy, Elsa.Workflows.Runtime` },
  },
  {
    definitionId: 'patience',
    root: sequence('Patience', child('Elsa.DispatchWorkflow', 'Child', 'waiting'), effect('never')),
  },
  // What a node writes to show that it has recovered.
  { definitionId: 'proof', root: sequence('Proof', effect('proved')) },
  // What plans are for.
  { definitionId: 'herd', root: sequence('Herd', waitFor('Forever', 'never'), effect('altered')) },
  { definitionId: 'waiting', root: sequence('Waiting', waitFor('Forever', 'never')) },
];

/** What an instance completes, once each and in this order. Not listed: those that are cancelled. */
export const completions: Readonly<Record<string, readonly string[]>> = {
  order: ['ordered', 'Paid', 'paid', 'Parcel', 'delivered', 'Invoice', 'Approved', 'closed', 'Order', 'Workflow1'],
  parcel: ['packed', 'Travel', 'sent', 'Parcel', 'Workflow1'],
  invoice: ['invoiced', 'Print', 'printed', 'Invoice', 'Workflow1'],
  tick: ['Timer', 'ticked', 'Tick', 'Workflow1'],
  proof: ['proved', 'Proof', 'Workflow1'],
  single: ['alone', 'Enter', 'entered', 'Work', 'done', 'Single', 'Workflow1'],
};
