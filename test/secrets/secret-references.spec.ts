import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  Activity,
  ActivityBase,
  type ActivityExecutionContext,
  type ActivityJson,
  type ExpressionScope,
  Input,
} from '@waymark/core';
import { EnvironmentSecrets, FileSecrets, IWorkflowRuntime, MemoryPersistence } from '@waymark/runtime';
import { NamedSecrets, resolveRuntimeOptions } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { type RuntimeNode, startNode } from '../support/runtime-node.js';

const seen: unknown[] = [];
const written: string[] = [];

/** None of its inputs is declared to be sensitive. */
@Injectable()
@Activity({ type: 'Test.Knock' })
class Knock extends ActivityBase {
  @Input() word: string;
  @Input({ type: 'HttpHeaders' }) marks: Record<string, unknown>;
  @Input({ type: 'Int32', isSensitive: true }) count: number;

  execute(ctx: ActivityExecutionContext): void {
    seen.push([this.word, this.marks]);
    ctx.createBookmark({ callback: this.onResumed });
  }

  onResumed(ctx: ActivityExecutionContext): unknown {
    seen.push([this.word, this.marks]);
    return ctx.complete();
  }
}

const secret = (name: unknown, typeName = 'String') => ({ typeName, expression: { type: 'Secret', value: name } });
const knock = (members: object): ActivityJson => ({ type: 'Test.Knock', id: 'Knock', ...members });

describe('an input with an expression of type Secret', () => {
  let node: RuntimeNode;
  let directory: string;
  let persistence: MemoryPersistence;
  let count = 0;
  const environment: Record<string, string | undefined> = {
    WAYMARK_SECRET_DOOR_KEY: 'open-sesame-env',
    PATH: 'not-for-workflows',
  };

  beforeAll(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'waymark-secrets-'));
    writeFileSync(path.join(directory, 'gate'), 'open-sesame-file\n');
    writeFileSync(path.join(directory, 'large'), 'x'.repeat(70_000));
    persistence = new MemoryPersistence();
    node = await startNode(persistence, {
      strictConversions: true,
      secrets: [new EnvironmentSecrets(undefined, environment), new FileSecrets(directory)],
      providers: [Knock],
      writeLine: (text) => written.push(text),
    });
  });
  beforeEach(() => void seen.splice(0));
  afterAll(async () => {
    await node.close();
    rmSync(directory, { recursive: true });
  });

  async function start(members: object) {
    const definitionId = `knock-${++count}`;
    await node.deploy(definitionId, knock(members));
    const client = await node.get(IWorkflowRuntime).createClient();
    const result = await client.createAndRunInstance({ definition: definitionId });
    const records = await persistence.journal.readRecords(result.workflowInstanceId);
    return { client, result, message: result.incidents[0]?.message, records };
  }

  it('has the value in each burst, from whichever provider has it, and is not stored', async () => {
    const marks = {
      typeName: 'HttpHeaders',
      expression: { type: 'Object', value: '{"X-Door":{"type":"Secret","value":"gate"}}' },
    };
    const { client, result, records } = await start({ word: secret('door-key'), marks });
    await client.runInstance({ bookmarkId: result.bookmarks[0]!.id });
    const values = ['open-sesame-env', { 'X-Door': 'open-sesame-file' }];
    expect(seen).toEqual([values, values]);
    expect(JSON.stringify([result.state, records])).not.toContain('open-sesame');
    expect(records.find((r) => r.activityId === 'Knock')!.activityState).toEqual({ Marks: { 'X-Door': '(redacted)' } });
  });

  it('does not reach a writeLine of the application', async () => {
    await node.deploy('says', { type: 'Elsa.WriteLine', id: 'Say', text: secret('door-key') });
    await (await node.get(IWorkflowRuntime).createClient()).createAndRunInstance({ definition: 'says' });
    expect(written).toEqual(['(redacted)']);
  });

  it('takes a secret that was replaced meanwhile', async () => {
    const { client, result } = await start({ word: secret('door-key') });
    environment.WAYMARK_SECRET_DOOR_KEY = 'open-sesame-new';
    await client.runInstance({ bookmarkId: result.bookmarks[0]!.id });
    expect(seen.map((values) => (values as unknown[])[0])).toEqual(['open-sesame-env', 'open-sesame-new']);
    environment.WAYMARK_SECRET_DOOR_KEY = 'open-sesame-env';
  });

  it('faults its activity for a secret that no provider has', async () => {
    expect((await start({ word: secret('nothing') })).message).toContain("There is no secret 'nothing'.");
  });

  it.each(['../gate', '.', '', null, 'a b', 'open sesame, I say'])(
    'faults for %j, which it does not repeat',
    async (name) => {
      const { message } = await start({ word: secret(name) });
      expect(message).toContain('is not valid');
      expect(message).not.toContain('sesame');
    },
  );

  it('faults for a file that is too large for a secret', async () => {
    expect((await start({ word: secret('large') })).message).toContain('has 70000 bytes; 65536 is the limit');
  });

  it('does not show in its incident a value that does not fit the type', async () => {
    const { message } = await start({ count: secret('door-key', 'Int32') });
    expect(message).toBe(
      "Failed to evaluate activity input 'Count' of 'Knock': its value is secret and does not fit the type Int32.",
    );
  });
});

describe('the option allowedSecrets', () => {
  const providers = [{ find: (name: string) => `value-of-${name}` }];
  const clock = new VirtualClock('2026-03-01T00:00:00Z');
  const scopeOf = (workflowDefinitionId: string) => ({ facts: { workflowDefinitionId } }) as ExpressionScope;

  it.each([
    ['invoicing', 'stripe', true],
    ['invoicing', 'sap-user', true],
    ['invoicing', 'mail', false],
    ['invoicing-2', 'stripe', false],
    ['newsletter-may', 'mail', true],
    ['a.newsletter-may', 'mail', false],
    ['other', 'stripe', false],
    ['xinvoicing', 'stripe', false],
  ])('decides whether %s may use %s: %s', (definitionId, name, isAllowed) => {
    const allowed = { invoicing: ['stripe', 'sap-*'], 'newsletter-*': ['mail'] };
    const find = () => new NamedSecrets(providers, allowed, clock).find(name, scopeOf(definitionId));
    if (isAllowed) expect(find()).toBe(`value-of-${name}`);
    else expect(find).toThrow(`Workflow '${definitionId}' may not use the secret '${name}'.`);
  });

  it('takes dots and other signs of patterns for themselves', () => {
    const secrets = new NamedSecrets(providers, { 'a.b': ['x.y'] }, clock);
    expect(secrets.find('x.y', scopeOf('a.b'))).toBe('value-of-x.y');
    expect(() => secrets.find('x.y', scopeOf('aXb'))).toThrow('may not use');
  });
});

describe('providers of secrets', () => {
  it('providers of secrets in the environment need a prefix', () => {
    expect(() => new EnvironmentSecrets('')).toThrow(/'prefix' must be a non-empty string/);
  });
});

describe('the option redaction', () => {
  it.each([[{ add: ['-'] }], [{ remove: [''] }], [{ add: [7 as unknown as string] }]])('refuses %j', (redaction) => {
    expect(() => resolveRuntimeOptions({ redaction })).toThrow(/option 'redaction\.(add|remove)\[0\]' must be a name/);
  });
});
