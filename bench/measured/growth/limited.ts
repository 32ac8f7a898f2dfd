import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase } from '@waymark/core';
import { openNode, serveNode } from './node.js';

/** Keeps its place until its process is killed. */
@Injectable()
@Activity({ namespace: 'Bench', type: 'Bench.Stuck' })
class Stuck extends ActivityBase {
  execute(): Promise<void> {
    return new Promise(() => {});
  }
}

serveNode(await openNode({}, { providers: [Stuck] }));
