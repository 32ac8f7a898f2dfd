import type { DefinitionProblem } from '../services/definition-services.js';

/** A reader cannot use more of them. */
const MOST = 500;
/** In all. Each problem repeats the id of its activity, and an id may be as long as the definition. */
const MOST_CHARS = 1_000_000;

/** The first problems of a definition: as many as an answer may name. The last one says that there are more. */
export function fewProblems(problems: readonly DefinitionProblem[]): DefinitionProblem[] {
  let chars = 0;
  const end = problems.findIndex(({ message, activityId, path }, index) => {
    chars += message.length + (activityId?.length ?? 0) + (path?.length ?? 0);
    return index >= MOST || (index > 0 && chars > MOST_CHARS);
  });
  if (end < 0) return [...problems];
  return [
    ...problems.slice(0, end),
    { message: `There are ${problems.length - end} more, which are not listed here.` },
  ];
}
