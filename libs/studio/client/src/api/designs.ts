import { isNoDefinition, noDefinition } from './api-error.js';
import type {
  DefinitionDraft,
  DefinitionModel,
  DefinitionSummary,
  PlanAnswer,
  SavedDefinition,
} from './definitions.js';
import { ONLY_NEW, onlyOver, tagged } from './design-tags.js';
import { withHidden } from './hidden-activities.js';
import { part, post, remove, send } from './request.js';

// Definitions as the designer takes and gives them: number by number as they are written.

export interface DefinitionProblem {
  readonly message: string;
  readonly activityId?: string;
  /** Its place in the definition, such as `root.activities[0].text`. */
  readonly path?: string;
}

/** Reads the JSON of an answer. */
export type Parse = (text: string) => unknown;

const ROUTE = 'workflow-definitions';

export async function loadDesign(definitionId: string, parse: Parse, signal?: AbortSignal): Promise<DefinitionModel> {
  const path = `${ROUTE}/by-definition-id/${part(definitionId)}`;
  const query = { versionOptions: 'Latest' };
  const response = await send('GET', path, { query, signal }).catch((error: unknown) => {
    // The server names its question.
    throw isNoDefinition(error) ? noDefinition(definitionId) : error;
  });
  return tagged(withHidden(parse(await response.text()) as DefinitionModel, parse), response);
}

export async function loadVersion(id: string, parse: Parse, signal?: AbortSignal): Promise<DefinitionModel> {
  const response = await send('GET', `${ROUTE}/by-id/${part(id)}`, { signal });
  return tagged(withHidden(parse(await response.text()) as DefinitionModel, parse), response);
}

/** As a draft. @param over what the server has, as it answered it; undefined: nothing of this id @throws ApiError; 412 when it has something else by now */
export async function saveDesign(
  model: DefinitionDraft,
  over: DefinitionModel | undefined,
  parse: Parse,
  signal?: AbortSignal,
): Promise<DefinitionModel> {
  const headers = over ? onlyOver(over) : ONLY_NEW;
  const response = await send('POST', ROUTE, { body: { model, publish: false }, headers, signal });
  const { workflowDefinition } = parse(await response.text()) as SavedDefinition;
  return tagged(withHidden(workflowDefinition, parse), response);
}

/**
 * @param over what the server has, as it answered it: what another person has saved since is not published unseen
 * @param onPlan is given the id of the plan that moves the workflows that use it, where they are many
 * @throws ApiError as `saveDesign` does
 */
export async function publishDesign(
  definitionId: string,
  over: DefinitionModel | undefined,
  parse: Parse,
  onPlan: (planId: string) => void,
  signal?: AbortSignal,
): Promise<DefinitionModel> {
  const path = `${ROUTE}/${part(definitionId)}/publish`;
  const response = await send('POST', path, { body: {}, headers: over && onlyOver(over), signal });
  const { workflowDefinition, consumerPlanId } = parse(await response.text()) as SavedDefinition;
  if (consumerPlanId !== undefined) onPlan(consumerPlanId);
  return tagged(withHidden(workflowDefinition, parse), response);
}

/** @param over as of `publishDesign`; undefined: whatever is there */
export const retractDesign = (definitionId: string, over: DefinitionModel | undefined): Promise<DefinitionModel> =>
  post(`${ROUTE}/${part(definitionId)}/retract`, {}, { headers: over && onlyOver(over) });

/** The old version becomes a new draft, in the place of the one there is. @param over as of `retractDesign` */
export const revertDesign = (
  definitionId: string,
  version: number,
  over: DefinitionModel | undefined,
): Promise<DefinitionSummary> =>
  post(`${ROUTE}/${part(definitionId)}/revert/${part(version)}`, {}, { headers: over && onlyOver(over) });

/** With all versions and instances. @param over the latest version, as of `retractDesign` */
export const deleteDesign = (
  definitionId: string,
  over: DefinitionModel | undefined,
): Promise<PlanAnswer | undefined> => remove(`${ROUTE}/${part(definitionId)}`, { headers: over && onlyOver(over) });

/** With its instances. @param over the same version, as of `retractDesign` */
export const deleteVersion = (id: string, over: DefinitionModel | undefined): Promise<PlanAnswer | undefined> =>
  remove(`workflow-definition-versions/${part(id)}`, { headers: over && onlyOver(over) });

/** What the server has found in a definition. */
export interface CheckedDesign {
  /** What keeps it from being published. */
  readonly problems: readonly DefinitionProblem[];
  /** What goes wrong when it runs, or may surprise then. */
  readonly warnings: readonly DefinitionProblem[];
}

export async function checkDesign(model: DefinitionDraft, signal: AbortSignal): Promise<CheckedDesign> {
  type Answer = {
    readonly validationErrors: readonly DefinitionProblem[];
    // A server of the version before names none.
    readonly warnings?: readonly DefinitionProblem[];
  };
  const { validationErrors, warnings = [] } = await post<Answer>(`${ROUTE}/validate`, { model }, { signal });
  return { problems: validationErrors, warnings };
}

/** What came of one activity that was run by itself. */
export interface ActivityTest {
  readonly status: string;
  readonly activityState?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly exception?: { readonly type: string; readonly message: string };
}

/** Runs one activity of the draft as it is stored. Nothing of it is kept. */
export const testActivity = (definitionId: string, activityId: string): Promise<ActivityTest> =>
  post('tests/activities', {
    workflowDefinitionHandle: { definitionId, versionOptions: 'Latest' },
    activityHandle: { activityId },
  });
