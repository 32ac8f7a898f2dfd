import { randomInput } from '../expressions/random-inputs.js';
import { apiRequest, type HostileRequest } from './hostile-request.js';

const VARIABLES: Readonly<Record<string, unknown>> = {
  Text: 'a'.repeat(100_000),
  Mid: 'a'.repeat(10_000),
  Words: 'the quick brown fox '.repeat(100),
  List: Array.from({ length: 5000 }, (_, i) => i),
  Order: { lines: Array.from({ length: 500 }, (_, i) => ({ name: `line ${i * 7919}`, price: i })), a: { b: 'c' } },
};
const variables = Object.entries(VARIABLES).map(([name, value]) => ({ id: name, name, typeName: 'Object', value }));

/** Executes an expression that an author has published, as many as fit a second of one workflow. */
export function randomExpression(seed: number): HostileRequest {
  const definitionId = `expression-${seed % 20}`;
  const { type, source } = randomInput(seed % 2 === 0 ? 'JavaScript' : 'Liquid', seed);
  const text = { typeName: 'String', expression: { type, value: source } };
  const model = { definitionId, variables, root: { type: 'Elsa.WriteLine', id: 'Write', text } };
  const name = `expression ${seed}`;
  const publish = apiRequest(name, '/workflow-definitions', () => JSON.stringify({ model, publish: true }));
  return {
    ...apiRequest(name, `/workflow-definitions/${definitionId}/execute`, () => '{}'),
    // One that does not parse is not published: the one before it runs again.
    before: [{ ...publish, mayBeRefused: true }],
    mayFault: true,
  };
}
