import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext, type ActivityJson, Input } from '@waymark/core';
import { canary } from './canaries.js';

/** Secrets of the host, as providers give them: at once, and later. */
export const hostSecrets = [
  { find: (name: string) => (name.startsWith('now') ? canary(name.replace('-', '')) : undefined) },
  { find: (name: string) => Promise.resolve(name.startsWith('late') ? canary(name.replace('-', '')) : undefined) },
];

/** What the activities below were given, burst by burst. */
export const seenByKeeper: unknown[] = [];

abstract class Waiting extends ActivityBase {
  abstract code: string;

  execute(ctx: ActivityExecutionContext): void {
    ctx.log('Kept', `code ${this.code}`, { code: this.code });
    ctx.createBookmark({ callback: this.onResumed, name: 'Keeper', stimulus: { of: ctx.getVariable('card') } });
    this.see(ctx);
  }

  onResumed(ctx: ActivityExecutionContext): unknown {
    this.see(ctx);
    return ctx.complete();
  }

  private see(ctx: ActivityExecutionContext): void {
    seenByKeeper.push([this.code, ctx.getVariable('card'), ctx.getVariable('note'), ctx.getInput('pin')]);
  }
}

@Injectable()
@Activity({ type: 'Test.Keeper' })
export class Keeper extends Waiting {
  @Input({ isEncrypted: true }) code: string;
}

/** The same without encryption. */
@Injectable()
@Activity({ type: 'Test.Holder' })
export class Holder extends Waiting {
  @Input() code: string;
}

const input = (type: string, value: unknown, typeName = 'String') => ({ typeName, expression: { type, value } });
const script = (value: string, typeName = 'Object') => input('JavaScript', value, typeName);
const template = (value: string) => input('Liquid', value);
const set = (id: string, name: string, value: object): ActivityJson => ({
  type: 'Elsa.SetVariable',
  id,
  variable: { id: name, name, typeName: 'Object' },
  value,
});
const variable = (name: string, storageDriverTypeName: string, typeName = 'Object') => ({
  id: name,
  name,
  typeName,
  isArray: false,
  storageDriverTypeName,
});

/** A definition whose variables and inputs are kept by that driver, and whose expressions ask for secrets by name. */
export function keptDefinition(driver: string, keeper: string, partner: string) {
  const inputs = [{ name: 'pin', type: 'String', isArray: false, storageDriverType: driver }];
  const variables = [
    variable('card', driver, 'ObjectDictionary'),
    variable('note', 'WorkflowInstanceStorageDriver'),
    variable('result', 'WorkflowInstanceStorageDriver'),
  ];
  const child = {
    definitionId: 'kept-child',
    name: 'kept-child',
    inputs,
    root: { type: 'Elsa.Event', id: 'Wait', eventName: input('Literal', 'never') },
  };
  const root: ActivityJson = {
    type: 'Elsa.Sequence',
    id: 'Root',
    activities: [
      set('Card', 'card', input('Test.Canary', { number: '{card}', owner: '{owner}' }, 'Object')),
      set('Note', 'note', script(`({ text: 'Bearer ' + secret('now-script') })`)),
      {
        type: 'Elsa.WriteLine',
        id: 'Line',
        text: template(
          `{{ 'now-template' | secret }}, {{ 'late-template' | secret }}, {{ Variables.card.number }}, {{ Input.pin }}`,
        ),
      },
      {
        type: 'Elsa.DispatchWorkflow',
        id: 'Child',
        workflowDefinitionId: input('Literal', 'kept-child'),
        input: script(`({ pin: getInput('pin'), key: secret('late-script') })`),
        waitForCompletion: input('Literal', false, 'Boolean'),
      },
      {
        type: 'Elsa.SendHttpRequest',
        id: 'Send',
        url: input('Literal', `http://${partner}/kept`),
        authorization: script(`'Bearer ' + secret('now-script')`, 'String'),
        requestHeaders: input(
          'Object',
          '{"X-Key":{"type":"Liquid","value":"{{ \'late-template\' | secret }}"}}',
          'HttpHeaders',
        ),
      },
      {
        type: 'Elsa.RunJavaScript',
        id: 'Run',
        script: input(
          'Literal',
          `let all = []; for (const part of [secret('now-script'), getInput('pin')]) all.push('x ' + part); all`,
        ),
        result: { typeName: 'Object', memoryReference: { id: 'result' } },
      },
      { type: keeper, id: 'Keep', code: script(`getVariable('card').number`, 'String') },
      {
        type: 'Elsa.WriteLine',
        id: 'Fails',
        text: script(`throw new Error('no ' + secret('late-script') + getVariable('card').number)`),
      },
    ],
  };
  return { child, main: { definitionId: 'kept', name: 'kept', inputs, variables, root } };
}
