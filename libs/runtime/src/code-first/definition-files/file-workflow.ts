import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DefinitionFormatError, isWaymarkError } from '@waymark/core';
import {
  canonicalJson,
  type DefinitionContext,
  findReferences,
  JsonSyntaxError,
  parseDefinitionTextInTurns,
  readDefinitionModelInTurns,
} from '@waymark/core/adapter';
import type { CodeWorkflow } from '../code-workflow.js';
import { CODE_PROPERTY } from '../../definitions/code-version-facts.js';
import { sha256 } from '../../engine/identity.js';
import { loopTurns } from '../../event-loop/loop-turns.js';
import { DefinitionInvalidError } from '../../services/definition-errors.js';
import { DefinitionFileError } from './definition-file-errors.js';

/** As large as a definition that the management API imports by default. */
const MOST_BYTES = 10 * 1024 * 1024;
/** As in the management API: names of members cost more than other values. */
const MOST_NAMES = 200_000;

/** What the server decides, or what says when and where the file was exported. */
const NOT_CONTENT: ReadonlySet<string> = new Set(
  (
    'id version revision createdat islatest ispublished isreadonly links toolversion $schema ' +
    'providername materializername materializercontext'
  ).split(' '),
);

/**
 * The same for nodes of builds before, to which the revision in a file was content: they look at the structure only. Without it, they and
 * this build would publish a version of their own at each start, in turn.
 */
const NOT_STRUCTURE: ReadonlySet<string> = new Set([...NOT_CONTENT].filter((name) => name !== 'revision'));

/** Databases have 32 bits for it, and later versions of the workflow need numbers, too. */
const HIGHEST_VERSION = 2_000_000_000;

/** A definition file: a workflow like one in code, without functions. */
export interface FileWorkflow extends CodeWorkflow {
  /** What was left out, such as variables of unknown types, as sentences. */
  readonly warnings: readonly string[];
  /** Reads the content again, when the workflows that it uses have been stored and are known as activity types. */
  reread(): Promise<FileWorkflow>;
}

/** @throws DefinitionFileError (`WM1050`) */
export async function readFileWorkflow(file: string, ctx: DefinitionContext): Promise<FileWorkflow> {
  const json = await jsonOf(file);
  return fromJson(file, json, ctx);
}

async function jsonOf(file: string): Promise<unknown> {
  let text = '';
  try {
    const { size } = await stat(file);
    if (size > MOST_BYTES)
      throw new DefinitionFileError(
        file,
        '',
        `it has ${size} bytes, and ${MOST_BYTES} are the most. Split the workflow.`,
      );
    text = textOf(await readFile(file));
    return await parseDefinitionTextInTurns(text, { maxNames: MOST_NAMES }, nextTurn);
  } catch (error) {
    const { cause } = error as Error;
    if (!(cause instanceof JsonSyntaxError)) throw inFile(file, error);
    const reason = sentence(`${cause.message.replace(/\.$/, '')} (${placeIn(text, cause.fault.index)})`);
    throw new DefinitionFileError(file, '', reason, { cause: error });
  }
}

/** @throws DefinitionFormatError bytes that no text has: they would be read as replacement characters, in ids as well */
function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8').replace(/^\uFEFF/, '');
  const lines = bytes.toString('latin1').split('\n');
  const line = 1 + lines.findIndex((text) => !isUtf8(Buffer.from(text, 'latin1')));
  throw new DefinitionFormatError('', `The file is not text in UTF-8 (line ${line}). Save it in that encoding.`);
}

async function fromJson(file: string, json: unknown, ctx: DefinitionContext): Promise<FileWorkflow> {
  try {
    if (Array.isArray(json))
      throw new DefinitionFormatError('', 'The file has a list. Give each definition a file of its own.');
    const model = await readDefinitionModelInTurns(json, ctx, '', () => loopTurns.goOn());
    const { id, definitionId, version, name, description, isSystem = false } = model;
    const { variables, inputs, outputs, outcomes, customProperties, options, root } = model;
    if (version !== undefined && version > HIGHEST_VERSION)
      throw new DefinitionFormatError('version', `'version' is ${version}, and ${HIGHEST_VERSION} is the highest.`);
    if (!Object.entries(json as object).some(([name, member]) => name.toLowerCase() === 'root' && member !== null))
      throw new DefinitionFormatError('root', "'root' is missing: the first activity. Is this a workflow definition?");
    if (!definitionId)
      throw new DefinitionFormatError(
        'definitionId',
        '\'definitionId\' is missing. It names the workflow across its versions, e.g. "order".',
      );
    const fingerprint = fingerprintOf(json as object, NOT_CONTENT);
    return {
      source: file,
      definitionId,
      declaredVersion: undefined,
      content: {
        definitionId,
        name,
        description,
        variables,
        inputs,
        outputs,
        outcomes,
        customProperties,
        options,
        root,
        isSystem,
      },
      functions: new Map(),
      structure: fingerprintOf(json as object, NOT_STRUCTURE),
      fingerprint,
      uses: [],
      after: findReferences(root).flatMap((reference) => reference.definitionId ?? []),
      file: { versionId: id, version },
      warnings: model.warnings.map(({ member, message }) =>
        message.includes(member) ? message : `'${member}': ${message}`,
      ),
      reread: () => fromJson(file, json, ctx),
    };
  } catch (error) {
    throw inFile(file, error);
  }
}

/** As editors count. */
function placeIn(text: string, index: number): string {
  const lines = text.slice(0, index).split('\n');
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
}

/** The same for the same content, however it is spaced and whenever it was exported. */
function fingerprintOf(json: object, without: ReadonlySet<string>): string {
  const content = Object.entries(json).filter(([name]) => !without.has(name.toLowerCase()));
  return sha256(canonicalJson(Object.fromEntries(content.map(([name, member]) => [name, withoutNotes(name, member)]))));
}

/** What the store notes in the custom properties of a version is in its export. */
function withoutNotes(name: string, member: unknown): unknown {
  if (name.toLowerCase() !== 'customproperties' || !member) return member;
  const { [CODE_PROPERTY]: _, ...others } = member as Record<string, unknown>;
  return others;
}

/** The error with the file and the place in it. What does not concern the file stays as it is. */
export function inFile(file: string, error: unknown): unknown {
  if (error instanceof DefinitionFileError) return error;
  if (!(error instanceof Error)) return error;
  const cause = error;
  if (error instanceof DefinitionFormatError)
    return new DefinitionFileError(file, error.member, sentence(error.message), { cause });
  if (error instanceof DefinitionInvalidError) {
    const reasons = error.problems.map((p) => p.message).join(' · ');
    return new DefinitionFileError(file, '', sentence(`The workflow cannot be published: ${reasons}`), { cause });
  }
  if (isWaymarkError(error, 'WM1024') || 'syscall' in error)
    return new DefinitionFileError(file, '', sentence(error.message), { cause });
  return error;
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
