import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase } from '@waymark/core';
import { openNode, serveNode } from './node.js';

/** Does nothing: what it costs is what the runtime costs. */
@Injectable()
@Activity({ namespace: 'Bench', type: 'Bench.Background', kind: 'Job' })
class Background extends ActivityBase {
  execute(): void {}
}

serveNode(await openNode({}, { providers: [Background] }));
