import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { WaymarkError, WorkflowDefinition } from '@waymark/core';
import type { DefinitionVersion } from '@waymark/runtime';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';
import { withoutNulls } from '../requests/json-values.js';
import { DefinitionContexts } from './definition-contexts.js';
import { definitionLinks, listLinks, type Link } from './definition-links.js';

/** Definitions as the API shows them. */
@Injectable()
export class DefinitionAnswers {
  constructor(
    private readonly contexts: DefinitionContexts,
    @Inject(API_OPTIONS) private readonly options: ResolvedApiOptions,
  ) {}

  /** The whole definition with its links. @param isLaidOut as in `DefinitionContexts.modelOf` */
  async model(definition: WorkflowDefinition, isLaidOut?: boolean): Promise<object> {
    const model = await this.contexts.modelOf(definition, isLaidOut);
    // Sending a large one takes as long again: other requests get their turn before.
    await setImmediate();
    return { links: this.linksOf(definition), ...model };
  }

  /** A row of the list. */
  row(definition: WorkflowDefinition): object {
    return { links: this.linksOf(definition), isMaterializerAvailable: true, ...this.summary(definition) };
  }

  /** A row of the list whose content was damaged: what its other columns say, and how to repair it. */
  damagedRow(
    { id, definitionId, name, version, ...flags }: DefinitionVersion,
    { code, message }: WaymarkError,
  ): object {
    const { isLatest, isPublished, isReadonly } = flags;
    const known = withoutNulls({ id, definitionId, name, version, isLatest, isPublished, isReadonly });
    const links = this.linksOf({ definitionId, isReadonly });
    return { links, isMaterializerAvailable: false, ...known, unreadable: { code, message } };
  }

  summary(definition: WorkflowDefinition): object {
    const { id, definitionId, name, description, version, toolVersion, isLatest, isPublished } = definition;
    const { providerName, materializerName, createdAt, isReadonly } = definition;
    return withoutNulls({
      id,
      definitionId,
      name,
      description,
      version,
      toolVersion,
      isLatest,
      isPublished,
      providerName,
      materializerName,
      createdAt,
      isReadonly,
    });
  }

  /** A version as it is stored: the tree stands in it as text. */
  async entity(definition: WorkflowDefinition): Promise<object> {
    const { id, definitionId, name, description, toolVersion, providerName, materializerName } = definition;
    const { isReadonly, isSystem, createdAt, version, isLatest, isPublished } = definition;
    const { options, variables, inputs, outputs, outcomes, customProperties, root } =
      await this.contexts.modelOf(definition);
    return withoutNulls({
      definitionId,
      name,
      description,
      toolVersion,
      options,
      variables,
      inputs,
      outputs,
      outcomes,
      customProperties,
      providerName,
      materializerName,
      stringData: JSON.stringify(root),
      isReadonly,
      isSystem,
      createdAt,
      version,
      isLatest,
      isPublished,
      id,
      tenantId: '',
    });
  }

  listLinks(): Link[] {
    return listLinks(!this.options.readOnly);
  }

  private linksOf({ definitionId, isReadonly }: Pick<WorkflowDefinition, 'definitionId' | 'isReadonly'>): Link[] {
    return definitionLinks(definitionId, !this.options.readOnly && !isReadonly);
  }
}
