import { bag, flag, integer, listed, listOf, object, ref, text, texts } from '../schemas/words.js';
import {
  answers,
  file,
  json,
  noContent,
  nothing,
  PLANNED,
  plannedAs,
  type RouteGroup,
  UPLOAD,
} from './route-description.js';
import { creating, expecting, expectingOnly, tagged } from './tagged-operations.js';

const definition = ref('WorkflowDefinition');
const importedDefinition = ref('ImportedDefinition');
const model = { content: json(ref('WorkflowDefinitionModel')), isRequired: true };
const saved = { content: json(object({ model: ref('WorkflowDefinitionModel'), 'publish?': flag })), isRequired: true };
const validated = { content: json(object({ model: ref('WorkflowDefinitionModel') })), isRequired: true };
const created = { status: 201, description: 'A new definition.', content: json(importedDefinition) };
const imported = { answers: [created], body: model, query: { publish: flag } };
const archive = ['application/octet-stream', 'application/zip'];
const nothingFound = { status: 204, description: 'None of them is known.' };
/** Definitions in `failed` keep the triggers that they had. */
const refreshed = object({
  refreshed: texts,
  notFound: texts,
  failed: listOf(object({ definitionId: text, 'code?': text, message: text, 'activityId?': text })),
  'planId?': text,
});
const planned = { answers: [PLANNED] };
const consumersMoved = object({
  affectedWorkflows: texts,
  'planId?': text,
  'failures?': listOf(ref('BulkFailure')),
});

/** A route that is answered with a plan, or with nothing. */
const deletion = (id: string, summary: string) => expectingOnly(noContent(id, summary, planned));

export const DEFINITION_OPERATIONS: RouteGroup = {
  tag: 'Workflow definitions',
  description: 'Drafts and published versions of workflows.',
  routes: {
    'GET workflow-definitions': answers(
      'listWorkflowDefinitions',
      'Lists definitions',
      object({
        items: listOf(ref('WorkflowDefinitionRow')),
        totalCount: integer,
        links: listOf(ref('Link')),
      }),
    ),
    'POST workflow-definitions': creating(
      answers('saveWorkflowDefinition', 'Saves a draft, and publishes it if asked to', ref('PublishedDefinition'), {
        body: saved,
      }),
    ),
    'GET workflow-definitions/:definitionId': tagged(
      answers('getWorkflowDefinition', 'A definition with its activities', definition),
    ),
    'DELETE workflow-definitions/:definitionId': deletion(
      'deleteWorkflowDefinition',
      'Deletes a definition with its versions and instances',
    ),
    'GET workflow-definitions/by-id/:id': tagged(
      answers('getWorkflowDefinitionVersion', 'One version by its id', definition),
    ),
    'GET workflow-definitions/by-definition-id/:definitionId': tagged(
      answers('getWorkflowDefinitionByDefinitionId', 'A definition with its activities', definition),
    ),
    'GET workflow-definitions/many-by-id': answers(
      'getWorkflowDefinitionsById',
      'Versions by their ids',
      listed(definition),
    ),
    'GET workflow-definitions/query/count': answers(
      'countWorkflowDefinitions',
      'How many definitions there are',
      object({ count: integer }),
    ),
    'GET workflow-definitions/validation/is-name-unique': answers(
      'isWorkflowNameUnique',
      'Whether no other definition has that name',
      object({ isUnique: flag }),
    ),
    'GET workflow-definitions/:definitionId/versions': answers(
      'listWorkflowDefinitionVersions',
      'All versions of a definition, the newest first',
      listOf(ref('WorkflowDefinitionVersion')),
    ),
    'GET workflow-definitions/:definitionId/consumers': answers(
      'listConsumingWorkflows',
      'Definitions that use this one as an activity',
      object({ consumingWorkflowDefinitionIds: texts }),
    ),
    'GET workflow-definitions/subgraph/:id': answers(
      'getActivityNode',
      'A part of a version, by the id of its node',
      ref('ActivityNode'),
    ),
    'GET workflow-definitions/subgraph/segments/:id': answers(
      'getPathSegments',
      'The path from the root canvas to a node',
      object({
        childNode: ref('ActivityNode'),
        container: ref('ActivityNode'),
        pathSegments: listOf(ref('PathSegment')),
      }),
    ),
    'POST workflow-definitions/validate': answers(
      'validateWorkflowDefinition',
      'Lists what prevents publishing, and what may fail at run time',
      object({
        isValid: flag,
        validationErrors: listOf(ref('DefinitionProblem')),
        warnings: listOf(ref('DefinitionProblem')),
      }),
      { body: validated },
    ),
    'POST workflow-definitions/:definitionId/publish': expecting(
      answers('publishWorkflowDefinition', 'Publishes the draft', ref('PublishedDefinition'), {
        body: { content: json(bag) },
      }),
    ),
    'POST workflow-definitions/:definitionId/retract': expecting(
      answers('retractWorkflowDefinition', 'Ends the publication', definition, { body: { content: json(bag) } }),
    ),
    'POST workflow-definitions/:definitionId/update-references': answers(
      'updateWorkflowReferences',
      'Updates workflows that use this one as an activity to its published version',
      consumersMoved,
      { body: { content: json(bag) }, answers: [plannedAs(consumersMoved)] },
    ),
    'POST workflow-definitions/:definitionId/revert/:version': expecting({
      id: 'revertWorkflowDefinition',
      summary: 'Makes a draft of an older version',
      answers: [{ status: 201, description: 'The new draft.', content: json(ref('WorkflowDefinitionSummary')) }],
    }),
    'DELETE workflow-definitions/:definitionId/version/:version': expectingOnly(
      nothing(
        'deleteWorkflowDefinitionVersionByNumber',
        'Deletes one version with its instances, by its number',
        planned,
      ),
    ),
    'DELETE workflow-definition-versions/:id': deletion(
      'deleteWorkflowDefinitionVersion',
      'Deletes one version with its instances, by its id',
    ),
    'POST workflow-definitions/import': creating(
      answers('importWorkflowDefinition', 'Imports a definition as a draft', importedDefinition, imported),
    ),
    'PUT workflow-definitions/import': creating(
      answers('putWorkflowDefinition', 'Imports a definition as a draft', importedDefinition, imported),
    ),
    'POST workflow-definitions/:definitionId/import': creating(
      answers(
        'importWorkflowDefinitionAs',
        'Imports a definition as a draft of this one',
        importedDefinition,
        imported,
      ),
    ),
    'PUT workflow-definitions/:definitionId/import': creating(
      answers('putWorkflowDefinitionAs', 'Imports a definition as a draft of this one', importedDefinition, imported),
    ),
    'POST workflow-definitions/import-files': answers(
      'importWorkflowDefinitionFiles',
      'Imports files and zip files of definitions',
      object({
        count: integer,
        'warnings?': { type: 'object', additionalProperties: listOf(ref('DefinitionProblem')) },
        'failures?': listOf(ref('FailedImport')),
        'keptDrafts?': listOf(ref('KeptDraft')),
      }),
      {
        body: UPLOAD,
        answers: [{ status: 204, description: 'The files do not contain a definition.' }],
      },
    ),
    'GET workflow-definitions/:definitionId/export': file(
      'downloadWorkflowDefinition',
      'A definition as a file',
      archive,
    ),
    'POST workflow-definitions/:definitionId/export': file(
      'exportWorkflowDefinition',
      'A definition as a file',
      archive,
    ),
    'GET bulk-actions/export/workflow-definitions': file(
      'downloadWorkflowDefinitions',
      'Versions as files in a zip file',
      archive,
      { answers: [nothingFound] },
    ),
    'POST bulk-actions/export/workflow-definitions': file(
      'exportWorkflowDefinitions',
      'Versions as files in a zip file',
      archive,
      { answers: [nothingFound] },
    ),
    'POST bulk-actions/publish/workflow-definitions/by-definition-ids': answers(
      'publishWorkflowDefinitions',
      'Publishes several drafts',
      ref('BulkPublished'),
      { answers: [plannedAs(ref('BulkPublished'))] },
    ),
    'POST bulk-actions/retract/workflow-definitions/by-definition-ids': answers(
      'retractWorkflowDefinitions',
      'Ends several publications',
      ref('BulkRetracted'),
      { answers: [plannedAs(ref('BulkRetracted'))] },
    ),
    'POST bulk-actions/delete/workflow-definitions/by-definition-id': answers(
      'deleteWorkflowDefinitions',
      'Deletes definitions with their versions and instances',
      ref('BulkAnswer'),
      planned,
    ),
    'POST bulk-actions/delete/workflow-definitions/by-id': answers(
      'deleteWorkflowDefinitionVersions',
      'Deletes versions with their instances',
      ref('BulkAnswer'),
      planned,
    ),
    'POST actions/workflow-definitions/refresh': answers(
      'refreshWorkflowDefinitions',
      'Recomputes the triggers of published definitions',
      refreshed,
      { answers: [plannedAs(refreshed)] },
    ),
    'POST actions/workflow-definitions/reload': answers(
      'reloadWorkflowDefinitions',
      'Clears the caches of this node and recomputes all triggers',
      refreshed,
      { answers: [plannedAs(refreshed)] },
    ),
  },
};
