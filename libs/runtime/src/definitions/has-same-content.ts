import type { WorkflowDefinition } from '@waymark/core';
import { canonicalJson } from '@waymark/core/adapter';
import { publishedBy } from './code-version-facts.js';
import { contentMembers } from './content-members.js';

/** Whether two versions differ in no more than what says which version it is, when it was stored and who published it. */
export function hasSameContent(one: WorkflowDefinition, other: WorkflowDefinition): boolean {
  const [a, b] = [contentOf(one), contentOf(other)];
  // A draft mostly differs, and its length tells most of that: to sort the members of ten thousand activities takes longer.
  return JSON.stringify(a).length === JSON.stringify(b).length && canonicalJson(a) === canonicalJson(b);
}

const contentOf = (definition: WorkflowDefinition): object => ({
  ...contentMembers(definition),
  customProperties: publishedBy(definition, undefined).customProperties,
});
