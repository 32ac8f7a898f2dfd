import { autocompletion, type Completion } from '@codemirror/autocomplete';
import { liquid } from '@codemirror/lang-liquid';
import type { Extension } from '@codemirror/state';
import type { Design } from '../../model/change.js';

const ROOTS = ['Variables', 'Input', 'CorrelationId', 'WorkflowInstanceId', 'WorkflowDefinitionId'];

const named = (items: readonly { readonly name?: unknown }[] | undefined): Completion[] =>
  (items ?? []).flatMap(({ name }) => (typeof name === 'string' ? [{ label: name, type: 'property' }] : []));

/** Templates, completed by what the workflow declares. @param design as it is at the time */
export function liquidExtensions(design: () => Design): Extension[] {
  return [
    liquid({
      variables: ROOTS.map((label) => ({ label, type: 'variable' })),
      properties: ([root, ...deeper]) => {
        if (deeper.length > 0) return [];
        return root === 'Variables' ? named(design().variables) : root === 'Input' ? named(design().inputs) : [];
      },
    }),
    autocompletion(),
  ];
}
