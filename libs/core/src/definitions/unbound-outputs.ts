import { syntheticName } from '../activities/synthetic-name.js';
import { camelCase, pascalCase } from '../values/names.js';
import type { Reading } from './definition-context.js';
import { join } from './json-members.js';

interface Named {
  readonly name: string;
}

/** As an activity, a workflow has one member for each of its inputs and outputs. */
export function warnOfUnboundOutputs(inputs: readonly Named[], outputs: readonly Named[], path: string, run: Reading) {
  const members = new Set(inputs.map(({ name }) => camelCase(pascalCase(syntheticName(name)))));
  for (const [i, { name }] of outputs.entries()) {
    const what = syntheticName(name) !== name ? 'the name of a member that every activity has' : undefined;
    const problem = what ?? (members.has(camelCase(name)) ? 'both an input and an output' : undefined);
    if (problem === undefined) continue;
    run.warn(
      join(path, `outputs[${i}].name`),
      `'${name}' is ${problem}: where this workflow is used as an activity, the output cannot be bound. Rename it.`,
    );
  }
}
