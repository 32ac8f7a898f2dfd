import { type AuditedRequest, type AuditNote, numberIn, textIn, textsIn } from '../audit/audited.js';

const COUNTED = ['cancelled', 'deleted', 'replayed'] as const;

/**
 * What the audit trail says of bulk work: the ids that the request names, or the definitions that it selects by, how many were
 * changed, and the plan that changes the others.
 * @param member with the ids
 */
export function bulkNote(member: 'ids' | 'definitionIds'): (request: AuditedRequest) => AuditNote {
  return ({ body, answer }) => {
    const targetIds = textsIn(body, member);
    const changed = COUNTED.map((name) => numberIn(answer, name)).find((count) => count !== undefined);
    const of = [
      ...['definitionId', 'workflowDefinitionId', 'definitionVersionId'].map((name) => textIn(body, name)),
      ...(member === 'ids' ? ['definitionIds', 'workflowDefinitionIds'].flatMap((name) => textsIn(body, name)) : []),
    ].filter((id) => id !== undefined);
    return {
      targetIds,
      targetCount: targetIds.length || (changed ?? 0),
      details: { changed, planId: textIn(answer, 'planId'), of: of.length > 0 ? of.join(', ') : undefined },
    };
  };
}
