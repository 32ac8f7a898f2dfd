import { faultsAtEveryPoint } from './every-point.js';

await faultsAtEveryPoint('memory');
