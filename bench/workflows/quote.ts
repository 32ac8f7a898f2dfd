import type { DefinitionDraft } from '@waymark/runtime';
import { connect, input, javascript, literal, setVariable, variable } from './nodes.js';

/** The same path, request and answer for everybody who is compared. */
export const QUOTE = 'bench-quote';
export const QUOTE_PATH = 'bench/quote';
export const QUOTE_REQUEST = `/workflows/${QUOTE_PATH}?customer=Ada&amount=250`;
export const QUOTE_ANSWER = { message: 'Dear Ada, your large order costs 302.5.', total: 302.5 };

const query = variable('Query');
const total = variable('Total');
const message = variable('Message', 'String');

const template = (size: string): string =>
  `Dear {{ Variables.Query.customer }}, your ${size} order costs {{ Variables.Total }}.`;

/** As a designer would draw it: a request, three steps (set a variable, branch, fill a template), an answer in JSON. */
export const quoteWorkflow: DefinitionDraft = {
  definitionId: QUOTE,
  name: 'Quote',
  variables: [query, total, message],
  root: {
    type: 'Elsa.Flowchart',
    id: 'Flow',
    activities: [
      {
        type: 'Elsa.HttpEndpoint',
        id: 'Request',
        customProperties: { canStartWorkflow: true },
        path: literal(QUOTE_PATH, 'String'),
        supportedMethods: input('Object', '["GET"]', 'String[]'),
        queryStringData: { typeName: 'Object', memoryReference: { id: query.id } },
      },
      setVariable('Calculate', total, javascript("getVariable('Query').amount * 1.21")),
      { type: 'Elsa.FlowDecision', id: 'IsLarge', condition: javascript("getVariable('Total') > 100", 'Boolean') },
      setVariable('Large', message, input('Liquid', template('large'))),
      setVariable('Small', message, input('Liquid', template('small'))),
      {
        type: 'Elsa.WriteHttpResponse',
        id: 'Answer',
        content: javascript("({ message: getVariable('Message'), total: getVariable('Total') })"),
        contentType: literal('application/json', 'String'),
      },
    ],
    connections: [
      connect('Request', 'Calculate'),
      connect('Calculate', 'IsLarge'),
      connect('IsLarge', 'Large', 'True'),
      connect('IsLarge', 'Small', 'False'),
      connect('Large', 'Answer'),
      connect('Small', 'Answer'),
    ],
  },
};
