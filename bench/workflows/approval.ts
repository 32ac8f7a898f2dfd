import type { DefinitionDraft } from '@waymark/runtime';
import { literal, variable } from './nodes.js';

export const APPROVAL = 'bench-approval';
export const DECIDED = 'Decided';

const order = variable('Order');
const decision = variable('Decision');

/** Something to carry along: no real wait is without data. */
export const ORDER = {
  customer: 'Ada Lovelace',
  address: '12 St James Square, London',
  items: [
    { sku: 'WM-1001', quantity: 2, price: 19.5 },
    { sku: 'WM-2002', quantity: 1, price: 211 },
  ],
};

/** Starts, waits for an event of its correlation, finishes. */
export const approvalWorkflow: DefinitionDraft = {
  definitionId: APPROVAL,
  name: 'Approval',
  variables: [{ ...order, value: JSON.stringify(ORDER) }, decision],
  root: {
    type: 'Elsa.Sequence',
    id: 'Steps',
    activities: [
      {
        type: 'Elsa.Event',
        id: 'Wait',
        eventName: literal(DECIDED, 'String'),
        result: { typeName: 'Object', memoryReference: { id: decision.id } },
      },
    ],
  },
};
