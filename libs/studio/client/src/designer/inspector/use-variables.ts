import { useMemo } from 'react';
import { inspectorTexts as texts } from '../../texts/inspector.js';
import { useDesign } from '../designer-context.js';
import { type ScopedVariable, variablesInScope } from '../model/variables-in-scope.js';

/** The variables that the activities on the canvas can read and set. */
export function useVariables(): readonly ScopedVariable[] {
  const design = useDesign(({ history }) => history.design);
  const path = useDesign(({ level }) => level.path);
  return useMemo(() => variablesInScope(design, path), [design, path]);
}

/** Its name, and the container that declares it. */
export const labelOfVariable = ({ name, of }: ScopedVariable): string =>
  of === undefined ? name : texts.variableOf(name, of);
