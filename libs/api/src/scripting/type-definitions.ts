import { type VariableDefinition, type WorkflowDefinition, type WorkflowGraph } from '@waymark/core';
import { camelCase, pascalCase, pascalize } from '@waymark/core/adapter';
import { HOST_TYPES } from './host-type-definitions.js';

/** What every script can call, whatever the workflow. */
const COMMON = `declare function getWorkflowDefinitionId(): string;
declare function getWorkflowDefinitionVersionId(): string;
declare function getWorkflowDefinitionVersion(): number;
declare function getWorkflowInstanceId(): string;
declare function getCorrelationId(): string;
declare function setCorrelationId(value: string): void;
declare function getWorkflowInstanceName(): string;
declare function setWorkflowInstanceName(value: string): void;
declare function setVariable(name: string, value: any): void;
declare function getVariable(name: string): any;
declare function getInput(name: string): any;
declare function getOutputFrom(activityIdOrName: string, outputName?: string): any;
declare function getLastResult(): any;
declare function isNullOrWhiteSpace(value: string): boolean;
declare function isNullOrEmpty(value: string): boolean;
declare function parseGuid(value: string): string;
declare function newGuid(): string;
declare function newGuidString(): string;
declare function newShortGuid(): string;
declare function toJson(value: any): string;
declare function bytesToString(value: Uint8Array): string;
declare function bytesFromString(value: string): Uint8Array;
declare function bytesToBase64(value: Uint8Array): string;
declare function bytesFromBase64(value: string): Uint8Array;
declare function stringFromBase64(value: string): string;
declare function stringToBase64(value: string): string;
declare function createEventTriggerUrl(eventName: string, lifetimeOrExpiry?: any): string;
`;

const OUTCOMES = `declare function setOutcome(name: string): void;
declare function setOutcomes(names: string[]): void;
`;

/** Declarations for the script editor of one input. @param graph left out while the definition does not compile */
export function typeDefinitions(
  definition: WorkflowDefinition,
  graph: WorkflowGraph | undefined,
  activityTypeName?: string,
): string {
  const { variables, inputs } = definition;
  return [
    COMMON,
    HOST_TYPES,
    activityTypeName === 'Elsa.RunJavaScript' ? OUTCOMES : '',
    ...variables.map((v) => {
      const [name, type] = [pascalize(v.name), typeOf(v)];
      return `declare function get${name}(): ${type};\ndeclare function set${name}(value: ${type}): void;\n`;
    }),
    ...inputs.map(
      (i) => `declare function get${pascalize(i.name)}(): ${typeOf({ typeName: i.type, isArray: i.isArray })};\n`,
    ),
    ...outputFunctions(graph),
    `declare class WorkflowVariables {\n${variables.map((v) => `${memberName(v.name)}: ${typeOf(v)};\n`).join('')}}\n`,
    'declare var variables: WorkflowVariables;\n',
  ].join('');
}

function outputFunctions(graph: WorkflowGraph | undefined): string[] {
  return (graph?.nodes ?? []).flatMap((node) =>
    node.name === undefined || node.nestedWorkflow
      ? []
      : node.registration.descriptor.outputs.map(
          (o) => `declare function get${pascalCase(o.name)}From${pascalize(node.name!)}(): any;\n`,
        ),
  );
}

const memberName = (name: string): string => (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name));

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  guid: 'string',
  uri: 'string',
  boolean: 'boolean',
  int16: 'number',
  int32: 'number',
  int64: 'number',
  long: 'number',
  single: 'number',
  double: 'number',
  decimal: 'number',
  byte: 'number',
  datetime: 'Date',
  datetimeoffset: 'Date',
  timespan: 'string',
  bytearray: 'Uint8Array',
  stringdictionary: '{ [name: string]: string }',
};

function typeOf({ typeName, isArray }: Pick<VariableDefinition, 'typeName' | 'isArray'>): string {
  const isList = isArray || typeName.endsWith('[]');
  const type = SCALARS[camelCase(typeName.replace(/\[\]$/, '')).toLowerCase()] ?? 'any';
  return isList ? `${type}[]` : type;
}
