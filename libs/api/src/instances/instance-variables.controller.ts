import { Param } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { afterCommit, InstanceEditor } from '@waymark/runtime/adapter';
import { ShownValues } from '../answers/hides-secrets.js';
import { listAnswer } from '../answers/lists.js';
import { Audited, type AuditedRequest, type AuditNote, textIn } from '../audit/audited.js';
import { AnswersWhole } from '../answers/whole-answers.interceptor.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';
import { FromBody } from '../requests/bind.js';
import * as read from '../requests/readers.js';
import { changeVariables } from './instance-variables.js';

const changeRequest = read.members({
  variables: read.withDefault(read.list(read.members({ id: read.required(read.text), value: read.anything })), []),
});
type ChangeRequest = read.ReadBy<typeof changeRequest>;

/** Variables of an instance; an unknown instance has none, as in the reference. */
@ApiController('workflow-instances/:id/variables')
export class InstanceVariablesController {
  constructor(
    private readonly editor: InstanceEditor,
    private readonly shown: ShownValues,
  ) {}

  @AnswersWhole()
  @ApiGet('', 'read:workflow-instances')
  async list(@Param('id') id: string) {
    const variables = (await unlessUnknown(this.editor.variables(id))) ?? [];
    return listAnswer(
      variables.map((variable) =>
        variable.value === undefined
          ? variable
          : { ...variable, value: this.shown.named(variable.name, variable.value) },
      ),
    );
  }

  @Audited('instances.change-variables', { target: 'instance', param: 'id', note: variablesChanged })
  @ApiPost('', 'write:workflow-instances')
  async change(@Param('id') id: string, @FromBody(changeRequest) { variables }: ChangeRequest) {
    if (variables.length > 0) await unlessUnknown(this.editor.change(id, (wec) => changeVariables(wec, variables)));
    return afterCommit(() => this.list(id));
  }
}

async function unlessUnknown<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isWaymarkError(error, 'WM3001')) return undefined;
    throw error;
  }
}

/** Which variables, never their values. */
function variablesChanged({ body }: AuditedRequest): AuditNote {
  const { variables } = body;
  if (!Array.isArray(variables)) return {};
  return { details: { count: variables.length, variableIds: variables.map((v) => textIn(v, 'id')).join(', ') } };
}
