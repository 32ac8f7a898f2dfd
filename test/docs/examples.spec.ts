import 'reflect-metadata';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Script } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { type ActivityNode, type WorkflowDefinition } from '@waymark/core';
import {
  type ActivityRegistry,
  builtinExpressions,
  compileWorkflow,
  createDefaultTypeRegistry,
  ExpressionRegistry,
  parseDefinitionText,
  readDefinitionModel,
  registerWorkflowActivity,
  validateDefinition,
} from '@waymark/core/adapter';
import { LiquidExpressionHandler } from '@waymark/expressions';
import { JavaScriptEvaluator, JavaScriptExpressionHandler } from '@waymark/expressions/adapter';
import { knownActivities } from '../../scripts/docs/known-activities.js';

const FOLDER = path.resolve(import.meta.dirname, '../../docs/activities');
const DEFINITION = /^```json definition \[JSON\]\n(.*?)^```$/gms;
const SHELL = /^```sh\n(.*?)^```$/gms;
/** Written by hand; the reference has no examples. */
const PAGES = readdirSync(FOLDER).filter((name) => name.endsWith('.md') && name !== 'reference.md');

const types = createDefaultTypeRegistry();
const expressions = new ExpressionRegistry([
  ...builtinExpressions,
  new JavaScriptExpressionHandler(new JavaScriptEvaluator()),
  new LiquidExpressionHandler(),
]);

function blocks(page: string, pattern: RegExp): string[] {
  return [...readFileSync(path.join(FOLDER, page), 'utf8').matchAll(pattern)].map((match) => match[1]!);
}

/** The definitions of a page, as they would be stored; one that is usable as an activity is known to those after it. */
function definitionsOf(page: string) {
  const registry = knownActivities();
  const stored: WorkflowDefinition[] = [];
  let ids = 0;
  const context = { registry, types, expressions, newId: () => `id-${++ids}` };
  return blocks(page, DEFINITION).map((text) => {
    const { warnings, ...model } = readDefinitionModel(parseDefinitionText(text), context);
    const definition: WorkflowDefinition = {
      isReadonly: false,
      isSystem: false,
      ...model,
      id: `${model.definitionId}:v1`,
      definitionId: model.definitionId!,
      version: 1,
      createdAt: new Date(0),
      isLatest: true,
      isPublished: true,
      materializerName: 'Json',
    };
    stored.push(definition);
    if (definition.options.usableAsActivity) registerWorkflowActivity(registry, definition);
    return { text, warnings, definition, context, graph: compile(definition, registry, stored) };
  });
}

function compile(definition: WorkflowDefinition, registry: ActivityRegistry, stored: readonly WorkflowDefinition[]) {
  return compileWorkflow(definition, {
    registry,
    types,
    expressions,
    resolveWorkflow: ({ definitionId }) => stored.find((other) => other.definitionId === definitionId),
  });
}

function nodesOf(node: ActivityNode): ActivityNode[] {
  return [node, ...node.children.flatMap(nodesOf)];
}

/** Texts that run as JavaScript: expressions, and the scripts of RunJavaScript. */
function scriptsIn(value: unknown, inScript = false): string[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => scriptsIn(item));
  if (typeof value !== 'object' || value === null) return [];
  const { type, value: text } = value as { type?: unknown; value?: unknown };
  const own = typeof text === 'string' && (type === 'JavaScript' || (inScript && type === 'Literal')) ? [text] : [];
  return [...own, ...Object.entries(value).flatMap(([name, inner]) => scriptsIn(inner, inScript || name === 'script'))];
}

describe.each(PAGES)('%s', (page) => {
  const definitions = definitionsOf(page);

  it('has examples', () => expect(definitions.length).toBeGreaterThan(0));

  it.each(definitions.map((d) => [d.definition.definitionId, d] as const))('%s compiles', (_, example) => {
    const { warnings, definition, context, graph } = example;
    expect(warnings).toEqual([]);
    expect(validateDefinition(definition, context)).toEqual([]);
    expect(nodesOf(graph.root).filter((node) => node.type === 'Elsa.NotFoundActivity')).toEqual([]);
  });

  it.each(definitions.map((d) => [d.definition.definitionId, d.text] as const))(
    '%s has scripts that parse',
    (_, text) => {
      for (const script of scriptsIn(JSON.parse(text)))
        expect(() => new Script(`(async function () {${script}\n})`)).not.toThrow();
    },
  );

  it('says how to import, publish and run each', () => {
    const shell = blocks(page, SHELL).join('\n');
    for (const { definition } of definitions) {
      const name = definition.definitionId;
      // By its own name, or in a loop over several.
      expect(shell).toMatch(new RegExp(`@${name}\\.json|for w in [^\\n]*\\b${name}\\b`));
      expect(shell).toMatch(new RegExp(`workflow-definitions/${name}/publish|for w in [^\\n]*\\b${name}\\b`));
    }
  });
});
