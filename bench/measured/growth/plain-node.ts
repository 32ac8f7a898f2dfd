import { openNode, serveNode } from './node.js';

/** A node for dimensions that need no calls of their own. */
serveNode(await openNode());
