import type { ActivityJson, DefinitionDraft } from '../api/definitions.js';

export const templateNames = ['empty', 'sequence', 'http', 'approval', 'nightly', 'machine'] as const;
export type TemplateName = (typeof templateNames)[number];

/** In Elsa's JSON. `id` is the definition's, which is free; addresses and task names are made of it. */
export function fromTemplate(template: TemplateName, definitionId: string): Omit<DefinitionDraft, 'name'> {
  return { definitionId, ...TEMPLATES[template](definitionId) };
}

const literal = (typeName: string, value: unknown) => ({ typeName, expression: { type: 'Literal', value } });
const script = (typeName: string, value: string) => ({ typeName, expression: { type: 'JavaScript', value } });

/** A step of a flowchart, at its place in a grid of 260 by 130. */
function step(id: string, type: string, column: number, row: number, members: object): ActivityJson {
  const position = { x: 40 + column * 260, y: 60 + row * 130 };
  return { id, type: `Elsa.${type}`, name: id, version: 1, metadata: { designer: { position } }, ...members };
}

const starts = { customProperties: { canStartWorkflow: true, runAsynchronously: false } };

interface Edge {
  readonly from: string;
  readonly port?: string;
  readonly to: string;
}

function flowchart(activities: readonly ActivityJson[], edges: readonly Edge[]): ActivityJson {
  return {
    id: 'Flowchart1',
    type: 'Elsa.Flowchart',
    name: 'Flowchart1',
    version: 1,
    activities,
    connections: edges.map(({ from, port = 'Done', to }) => ({
      source: { activity: from, port },
      target: { activity: to, port: 'In' },
    })),
  };
}

const TEMPLATES: Readonly<Record<TemplateName, (definitionId: string) => Omit<DefinitionDraft, 'definitionId'>>> = {
  empty: () => ({ root: flowchart([], []) }),

  sequence: () => ({
    root: { id: 'Sequence1', type: 'Elsa.Sequence', name: 'Sequence1', version: 1, activities: [] },
  }),

  http: (definitionId) => ({
    description: `Answers GET /workflows/${definitionId}.`,
    variables: [variable('query', 'Query', 'Object')],
    root: flowchart(
      [
        step('Request', 'HttpEndpoint', 0, 0, {
          ...starts,
          path: literal('String', definitionId),
          supportedMethods: { typeName: 'List<String>', expression: { type: 'Object', value: '["GET"]' } },
          queryStringData: { typeName: 'ObjectDictionary', memoryReference: { id: 'query' } },
        }),
        step('Answer', 'WriteHttpResponse', 1, 0, {
          content: script('Object', "({ greeting: `Hello, ${getQuery()?.name ?? 'world'}!` })"),
          contentType: literal('String', 'application/json'),
        }),
      ],
      [{ from: 'Request', to: 'Answer' }],
    ),
  }),

  approval: () => ({
    description: 'Waits until a person decides, then goes one of two ways.',
    inputs: [{ name: 'Request', type: 'String', displayName: 'Request', description: 'What is asked for.' }],
    outputs: [{ name: 'Outcome', type: 'String', displayName: 'Outcome' }],
    variables: [variable('decision', 'Decision', 'Object')],
    root: flowchart(
      [
        step('Decide', 'RunTask', 0, 0, {
          taskName: literal('String', 'Approve'),
          payload: script('ObjectDictionary', "({ request: getInput('Request') })"),
          result: { typeName: 'Object', memoryReference: { id: 'decision' } },
        }),
        step('IsApproved', 'FlowDecision', 1, 0, {
          condition: script('Boolean', 'getDecision() === true || getDecision()?.approved === true'),
        }),
        step('Approved', 'SetOutput', 2, 0, outcome('approved')),
        step('Rejected', 'SetOutput', 2, 1, outcome('rejected')),
      ],
      [
        { from: 'Decide', to: 'IsApproved' },
        { from: 'IsApproved', port: 'True', to: 'Approved' },
        { from: 'IsApproved', port: 'False', to: 'Rejected' },
      ],
    ),
  }),

  nightly: () => ({
    description: 'Starts every night at two.',
    root: flowchart(
      [
        step('EveryNight', 'Cron', 0, 0, {
          ...starts,
          cronExpression: literal('String', '0 0 2 * * *'),
          timeZone: literal('String', Intl.DateTimeFormat().resolvedOptions().timeZone),
        }),
        step('Work', 'WriteLine', 1, 0, { text: script('String', '`Night of ${new Date().toISOString()}`') }),
      ],
      [{ from: 'EveryNight', to: 'Work' }],
    ),
  }),

  machine: () => ({
    description: 'An order that is paid and shipped, or cancelled. Send the event paid, shipped or cancelled to it.',
    root: {
      id: 'Order',
      type: 'Elsa.StateMachine',
      name: 'Order',
      version: 1,
      states: [state('Open'), state('Paid'), state('Shipped', say('Thank', 'It is on its way.')), state('Cancelled')],
      transitions: [
        transition('Pay', 'Open', 'Paid', 'paid'),
        transition('Cancel', 'Open', 'Cancelled', 'cancelled'),
        transition('Ship', 'Paid', 'Shipped', 'shipped'),
      ],
      initialState: 'Open',
      metadata: {
        designer: {
          states: {
            Open: { x: 40, y: 60 },
            Paid: { x: 370, y: 60 },
            Shipped: { x: 700, y: 60 },
            Cancelled: { x: 370, y: 230 },
          },
        },
      },
    },
  }),
};

const say = (id: string, text: string) => step(id, 'WriteLine', 0, 0, { text: literal('String', text) });

const state = (name: string, entry: ActivityJson | null = null) => ({ name, entry, exit: null });

/** Taken when an event comes. */
const transition = (name: string, from: string, to: string, eventName: string) => ({
  name,
  displayName: null,
  from,
  to,
  trigger: step(`When${name}`, 'Event', 0, 0, { eventName: literal('String', eventName) }),
  condition: null,
  action: null,
});

const outcome = (value: string) => ({
  outputName: literal('String', 'Outcome'),
  outputValue: literal('Object', value),
});

const variable = (id: string, name: string, typeName: string) => ({
  id,
  name,
  typeName,
  isArray: false,
  storageDriverTypeName: 'WorkflowInstanceStorageDriver',
});
