import { type AuditedRequest, type AuditNote, numberIn, textIn, textsIn } from '../audit/audited.js';

// What the audit trail says of changes of definitions: which version came of them, never what stands in it.

/** The answer is a version. */
export function versionAnswered({ answer }: Pick<AuditedRequest, 'answer'>): AuditNote {
  const definitionId = textIn(answer, 'definitionId');
  return {
    targetIds: definitionId === undefined ? undefined : [definitionId],
    details: { version: numberIn(answer, 'version'), versionId: textIn(answer, 'id') },
  };
}

export function savedVersion({ body, answer }: AuditedRequest): AuditNote {
  const definitionId = textIn(body.model, 'definitionId');
  const named = definitionId === undefined ? {} : { targetIds: [definitionId] };
  const { targetIds = named.targetIds, details } = versionAnswered({ answer: membersOf(answer.workflowDefinition) });
  const consumerPlanId = textIn(answer, 'consumerPlanId');
  return { targetIds, details: { ...details, published: body.publish === true, consumerPlanId } };
}

export function publishedVersion({ answer }: AuditedRequest): AuditNote {
  const { alreadyPublished } = answer;
  const { details } = versionAnswered({ answer: membersOf(answer.workflowDefinition) });
  const consumerPlanId = textIn(answer, 'consumerPlanId');
  return { details: { ...details, ...(alreadyPublished === true ? { alreadyPublished } : {}), consumerPlanId } };
}

export function revertedVersion({ params, answer }: AuditedRequest): AuditNote {
  return { details: { revertedTo: params.version, ...versionAnswered({ answer }).details } };
}

export function consumersUpdated({ answer }: AuditedRequest): AuditNote {
  return { details: { updated: textsIn(answer, 'affectedWorkflows').length, planId: textIn(answer, 'planId') } };
}

/** One definition, or the number of those that came in files. */
export function imported({ params, body, answer }: AuditedRequest): AuditNote {
  const definitionId = params.definitionId ?? textIn(answer, 'definitionId') ?? textIn(body, 'definitionId');
  return {
    targetIds: definitionId === undefined ? undefined : [definitionId],
    targetCount: numberIn(answer, 'count'),
    details: {
      ...versionAnswered({ answer }).details,
      ...(Array.isArray(answer.failures) && { failed: answer.failures.length }),
    },
  };
}

const membersOf = (value: unknown): AuditedRequest['answer'] =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
