import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase } from '@waymark/core';
import { CALL_TYPE } from '../../workflows/calling.js';
import { openNode, serveNode } from './node.js';

const ANSWER_MILLIS = 50;

/** Takes as long as the answer of another service, and no processor time. */
@Injectable()
@Activity({ namespace: 'Bench', type: CALL_TYPE })
class Call extends ActivityBase {
  async execute(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MILLIS));
  }
}

serveNode(await openNode({}, { providers: [Call] }));
