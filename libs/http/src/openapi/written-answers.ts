import type { WorkflowGraph } from '@waymark/core';
import type { OpenApiContent, OpenApiResponse } from '@waymark/runtime';
import { statusCodeOf } from '../responses/http-status.js';

type Node = WorkflowGraph['nodes'][number];

const WRITES = 'Elsa.WriteHttpResponse';
const WRITES_FILE = 'Elsa.WriteFileHttpResponse';

/** What a workflow writes as answers, as far as that is known before it runs. */
export interface WrittenAnswers {
  readonly byStatus: Readonly<Record<string, OpenApiResponse>>;
  /** If true, one has a status that is computed. */
  readonly hasOthers: boolean;
}

/** By the activities that write answers, in whatever branch they are. */
export function writtenAnswers(graph: WorkflowGraph): WrittenAnswers {
  const byStatus: Record<string, OpenApiResponse> = {};
  let hasOthers = false;
  for (const node of graph.nodes) {
    if (node.type !== WRITES && node.type !== WRITES_FILE) continue;
    const status = node.type === WRITES_FILE ? 200 : statusOf(node);
    if (status === undefined) {
      hasOthers = true;
      continue;
    }
    const known = byStatus[status];
    const content = { ...known?.content, ...contentOf(node) };
    byStatus[status] = {
      description: 'Written by the workflow.',
      ...(Object.keys(content).length > 0 && { content }),
    };
  }
  return { byStatus, hasOthers };
}

const inputOf = (node: Node, name: string) => node.inputs.find((input) => input.name === name);

function statusOf(node: Node): number | undefined {
  const input = inputOf(node, 'StatusCode');
  if (input && !input.constant) return undefined;
  try {
    return statusCodeOf(input?.constant?.value);
  } catch {
    // The activity will fail by it.
    return undefined;
  }
}

function contentOf(node: Node): OpenApiContent | undefined {
  const content = inputOf(node, 'Content');
  const isNone = !content || (content.constant && (content.constant.value ?? undefined) === undefined);
  if (isNone && node.type === WRITES) return undefined;
  const type = inputOf(node, 'ContentType');
  const given = type?.constant?.value;
  const isText = typeof content?.constant?.value === 'string';
  const name = typeof given === 'string' && given.trim() !== '' ? mediaType(given) : undefined;
  return { [name ?? (type && !type.constant ? '*/*' : isText ? 'text/plain' : '*/*')]: { schema: {} } };
}

const mediaType = (contentType: string): string => contentType.split(';', 1)[0]!.trim().toLowerCase();
