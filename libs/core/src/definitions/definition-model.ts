import { parseDate } from '../values/date-text.js';
import { JsonTooLargeError } from '../values/json-text.js';
import { prop, setMember } from '../values/plain-object.js';
import { runSteps, runStepsInTurns, type Steps } from '../values/steps.js';
import { assignIds } from './assign-ids.js';
import { readInputs, readOutputs } from './argument-json.js';
import { Reading, type DefinitionContext, type DefinitionWarning } from './definition-context.js';
import { DefinitionFormatError } from './definition-format-error.js';
import {
  assertDepth,
  flagMember,
  integerMember,
  join,
  listMember,
  nameMember,
  objectMember,
  requireObject,
  textMember,
  type JsonObject,
} from './json-members.js';
import { readActivities } from './normalize-activity.js';
import { withoutTypeMarkers } from './type-markers.js';
import { warnOfUnboundOutputs } from './unbound-outputs.js';
import { readVariables } from './variable-json.js';
import type {
  ActivityJson,
  InputDefinition,
  OutputDefinition,
  VariableDefinition,
  WorkflowOptions,
} from './workflow-definition.js';
import { readOptions } from './workflow-options.js';

/**
 * A definition as a client sends it: optional members stay optional, the rest is in canonical form. The code that saves it
 * decides which of its ids, versions and flags are used.
 */
export interface DefinitionModel {
  /** Id of the version, if the JSON has one. */
  id?: string;
  /** Logical id of the definition, if the JSON has one. */
  definitionId?: string;
  /** Name for people. */
  name?: string;
  /** What it is for. */
  description?: string;
  /** When the version was first stored. */
  createdAt?: Date;
  /** Number of the version. */
  version?: number;
  /** Version of the tool that wrote it. */
  toolVersion?: string;
  /** If true, it comes from code. */
  isReadonly?: boolean;
  /** If true, lists leave it out unless asked. */
  isSystem?: boolean;
  /** As the JSON says. */
  isLatest?: boolean;
  /** As the JSON says. */
  isPublished?: boolean;
  /** Variables of the whole workflow. */
  variables: VariableDefinition[];
  /** Declared inputs. */
  inputs: InputDefinition[];
  /** Declared outputs. */
  outputs: OutputDefinition[];
  /** Its outcomes when it is used as an activity. */
  outcomes: string[];
  /** Data of the application. */
  customProperties: Record<string, unknown>;
  /** How instances start, run and fail. */
  options: WorkflowOptions;
  /** Its first activity. */
  root: ActivityJson;
  /** What was left out, e.g. variables of unknown types. */
  warnings: readonly DefinitionWarning[];
}

/** @throws DefinitionFormatError for JSON inside of a text that is too large */
function withoutMarkers(name: string, value: unknown, path: string): unknown {
  try {
    return withoutTypeMarkers(value, /^root$/i.test(name));
  } catch (cause) {
    if (!(cause instanceof JsonTooLargeError)) throw cause;
    const at = join(path, name);
    throw new DefinitionFormatError(at, `'${at}': ${cause.message}`, { cause });
  }
}

/**
 * Reads a definition model from a save request, an import or a definition file, in all spellings that Elsa has used.
 * @param path location of the model in the document, for the paths in errors: `model` in a save request
 * @throws DefinitionFormatError for anything that cannot be a definition
 */
export function readDefinitionModel(json: unknown, ctx: DefinitionContext, path = ''): DefinitionModel {
  return runSteps(readStepwise(json, ctx, path));
}

/** Does the same, but yields to other work in between. @param pause called after each step; its promise is awaited */
export function readDefinitionModelInTurns(
  json: unknown,
  ctx: DefinitionContext,
  path: string,
  pause: () => Promise<void> | undefined,
): Promise<DefinitionModel> {
  return runStepsInTurns(readStepwise(json, ctx, path), pause);
}

/** Each step looks at all of what may be ten megabytes. */
function* readStepwise(json: unknown, ctx: DefinitionContext, path: string): Steps<DefinitionModel> {
  assertDepth(json);
  yield;
  const model: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(requireObject(json, path))) {
    const stripped = withoutMarkers(name, value, path);
    // Once more where something has changed: what stood as text inside was not looked at before.
    if (stripped !== value) assertDepth({ [name]: stripped });
    setMember(model, name, stripped);
    yield;
  }
  const run = new Reading(ctx);
  const head = readHead(model, path);
  const variables = readVariables(model, 'variables', path, run);
  yield;
  const inputs = readInputs(model, path, run);
  yield;
  const outputs = readOutputs(model, path, run);
  yield;
  const options = readOptions(model, path);
  if (options.usableAsActivity === true) warnOfUnboundOutputs(inputs, outputs, path, run);
  const rootPath = join(path, 'root');
  const root = readActivities(prop(model, 'root'), rootPath, run);
  yield;
  assignIds(root, ctx, rootPath);
  return {
    ...head,
    variables,
    inputs,
    outputs,
    outcomes: readOutcomes(model, path),
    customProperties: { ...objectMember(model, 'customProperties', path) },
    options,
    root,
    warnings: run.warnings,
  };
}

function readHead(model: JsonObject, path: string) {
  const head = {
    id: nameMember(model, 'id', path),
    definitionId: nameMember(model, 'definitionId', path),
    name: textMember(model, 'name', path)?.trim(),
    description: textMember(model, 'description', path)?.trim(),
    createdAt: readDate(model, path),
    version: integerMember(model, 'version', path),
    toolVersion: nameMember(model, 'toolVersion', path),
    isReadonly: flagMember(model, 'isReadonly', path),
    isSystem: flagMember(model, 'isSystem', path),
    isLatest: flagMember(model, 'isLatest', path),
    isPublished: flagMember(model, 'isPublished', path),
  };
  return Object.fromEntries(Object.entries(head).filter(([, value]) => value !== undefined)) as Partial<typeof head>;
}

function readDate(model: JsonObject, path: string): Date | undefined {
  const text = nameMember(model, 'createdAt', path);
  if (text === undefined) return undefined;
  const date = parseDate(text);
  if (date) return date;
  throw new DefinitionFormatError(
    join(path, 'createdAt'),
    `'${text}' is not a date. Write it like 2026-08-01T09:00:00+00:00.`,
  );
}

function readOutcomes(model: JsonObject, path: string): string[] {
  return listMember(model, 'outcomes', path).flatMap((outcome, i) => {
    if (typeof outcome === 'string') return [outcome];
    if (outcome === null) return [];
    throw new DefinitionFormatError(`${join(path, 'outcomes')}[${i}]`, 'An outcome must be a string.');
  });
}
