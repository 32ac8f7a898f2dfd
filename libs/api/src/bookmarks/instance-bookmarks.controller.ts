import { Param } from '@nestjs/common';
import { IBookmarkResumer } from '@waymark/runtime';
import { Audited } from '../audit/audited.js';
import { ApiController, ApiPost } from '../module/api-controller.js';
import { FromOptionalBody } from '../requests/bind.js';
import * as read from '../requests/readers.js';

const resumeRequest = read.members({ input: read.dictionary });
type ResumeRequest = read.ReadBy<typeof resumeRequest>;

/** Resumes one instance at a bookmark that is shown to a user who repairs it. The reference knows signed links only. */
@ApiController('workflow-instances/:id/bookmarks')
export class InstanceBookmarksController {
  constructor(private readonly resumer: IBookmarkResumer) {}

  @Audited('instances.resume', {
    target: 'instance',
    param: 'id',
    note: ({ params }) => ({ details: { bookmarkId: params.bookmarkId } }),
  })
  @ApiPost(':bookmarkId/resume', 'resume:workflow-instances')
  async resume(
    @Param('id') workflowInstanceId: string,
    @Param('bookmarkId') bookmarkId: string,
    @FromOptionalBody(resumeRequest) { input }: ResumeRequest,
  ) {
    const { status, subStatus } = await this.resumer.resumeById(bookmarkId, { workflowInstanceId, input });
    return { workflowInstanceId, status, subStatus };
  }
}
