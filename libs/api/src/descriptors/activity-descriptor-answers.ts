import type { ActivityDescriptor, InputDescriptor, OutputDescriptor } from '@waymark/core';
import { withoutNulls } from '../requests/json-values.js';
import { referenceType } from './reference-types.js';

/** An activity type as tools get it. */
export function activityDescriptorAnswer(descriptor: ActivityDescriptor): object {
  const isWorkflow = typeof descriptor.constructionProperties.WorkflowDefinitionId === 'string';
  const { typeName, namespace, name, version, category, displayName, description, kind } = descriptor;
  const { runAsynchronously, constructionProperties, customProperties, isContainer, isBrowsable, isStart, isTerminal } =
    descriptor;
  const clrType = referenceType(typeName, isWorkflow);
  return withoutNulls({
    tenantId: isWorkflow ? '' : undefined,
    typeName,
    clrType,
    namespace: isWorkflow ? undefined : namespace,
    name,
    version,
    category,
    displayName,
    description,
    inputs: descriptor.inputs.map((input) => inputAnswer(input, isWorkflow)),
    outputs: descriptor.outputs.map((output) => outputAnswer(output, isWorkflow)),
    kind,
    runAsynchronously,
    ports: descriptor.ports.map(({ name, displayName, type, isBrowsable }) => ({
      name,
      displayName,
      type,
      isBrowsable,
    })),
    customProperties: isWorkflow
      ? { RootType: 'WorkflowDefinitionActivity', ...customProperties }
      : { Type: clrType ?? typeName, ...customProperties },
    constructionProperties,
    isContainer,
    isBrowsable,
    isStart,
    isTerminal,
  });
}

function inputAnswer(input: InputDescriptor, ofWorkflow: boolean): object {
  const { isWrapped, uiHint, category, isReadOnly, isSensitive, autoEvaluate, uiSpecifications, defaultValue } = input;
  const { defaultSyntax, name, typeName, displayName, description, order, isBrowsable, isSerializable, isSynthetic } =
    input;
  return withoutNulls({
    isWrapped,
    uiHint,
    category,
    defaultValue,
    defaultSyntax,
    isReadOnly: ofWorkflow ? undefined : isReadOnly,
    isSensitive,
    storageDriverType: input.storageDriverType,
    autoEvaluate,
    uiSpecifications: ofWorkflow ? undefined : uiSpecifications,
    name,
    typeName,
    displayName,
    description: description === '' && !ofWorkflow ? undefined : description,
    order,
    isBrowsable,
    isSerializable: ofWorkflow ? undefined : isSerializable,
    isSynthetic,
  });
}

function outputAnswer(output: OutputDescriptor, ofWorkflow: boolean): object {
  const { name, typeName, displayName, description, order, isBrowsable, isSerializable, isSynthetic } = output;
  return withoutNulls({
    name,
    typeName,
    displayName,
    description: description === '' && !ofWorkflow ? undefined : description,
    order,
    isBrowsable,
    isSerializable: ofWorkflow ? undefined : isSerializable,
    isSynthetic,
  });
}
