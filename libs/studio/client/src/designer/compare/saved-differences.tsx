import { useMemo } from 'react';
import type { SavedMeanwhile } from '../../parts/saved-meanwhile.js';
import { compare } from './diff.js';
import { DifferenceList } from './difference-list.js';

/** What another person has saved of a definition that is about to be changed. */
export function SavedDifferences({ before, after }: SavedMeanwhile) {
  return <DifferenceList differences={useMemo(() => compare(before, after), [before, after])} />;
}
