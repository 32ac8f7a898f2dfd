import { Param } from '@nestjs/common';
import { listAnswer } from '../answers/lists.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';
import { FromBody } from '../requests/bind.js';
import * as read from '../requests/readers.js';
import { InstanceEditor } from './instance-editor.js';
import { changeVariables, listVariables } from './instance-variables.js';

const changeRequest = read.members({
  variables: read.withDefault(read.list(read.members({ id: read.required(read.text), value: read.anything })), []),
});
type ChangeRequest = read.ReadBy<typeof changeRequest>;

/** Variables of an instance. */
@ApiController('workflow-instances/:id/variables')
export class InstanceVariablesController {
  constructor(private readonly editor: InstanceEditor) {}

  @ApiGet('', 'read:workflow-instances')
  async list(@Param('id') id: string) {
    return listAnswer(listVariables(await this.editor.open(id)));
  }

  @ApiPost('', 'write:workflow-instances')
  async change(@Param('id') id: string, @FromBody(changeRequest) { variables }: ChangeRequest) {
    if (variables.length > 0) await this.editor.change(id, (wec) => changeVariables(wec, variables));
    return this.list(id);
  }
}
