import type { ActivityJson } from '../../api/definitions.js';
import type { ActivityDescriptor } from '../../api/descriptors.js';
import { ActivityCatalogue } from '../model/descriptors.js';
import { type CanvasNode, nodeFor } from './picture.js';

const activity = { id: 'S', type: 'Elsa.FlowSwitch', name: 'Which' } as unknown as ActivityJson;
const type = { typeName: 'Elsa.FlowSwitch', version: 1, ports: [], inputs: [] } as unknown as ActivityDescriptor;
const options = {
  catalogue: new ActivityCatalogue([type]),
  kind: 'flowchart',
  problem: undefined,
  ran: undefined,
  position: { x: 0, y: 0 },
  isSelected: false,
  isReadonly: false,
} as const;
const draw = (taken: readonly string[], before?: CanvasNode) => nodeFor(activity, before, { ...options, taken });

describe('the node of an activity', () => {
  it('has a place for each connection, also for one at an outcome that the activity does not have', () => {
    const { data, handles, ariaLabel } = draw(['Done', 'Big']);
    expect([data.outcomes, data.strange]).toEqual([['Done', 'Big'], ['Big']]);
    expect(handles?.map(({ id }) => id)).toEqual(['In', 'Done', 'Big']);
    expect(ariaLabel).toMatch(/connected at an outcome that it does not have: Big$/);
  });

  it('is drawn again only when that is different', () => {
    const before = draw(['Done']);
    expect(draw(['Done'], before)).toBe(before);
    expect(draw([], before)).toBe(before);
    const strange = draw(['Big'], before);
    expect(strange.data.strange).toEqual(['Big']);
    expect(draw(['Big'], strange)).toBe(strange);
    expect(draw(['Done'], strange).data.strange).toEqual([]);
  });

  it('has the outcomes that its connections name where the server does not know its type', () => {
    const unknown = { ...activity, type: 'Acme.Teleport' };
    const { data } = nodeFor(unknown, undefined, { ...options, taken: ['Landed', 'Lost'] });
    expect([data.outcomes, data.strange]).toEqual([['Landed', 'Lost'], []]);
    expect(nodeFor(unknown, undefined, options).data.outcomes).toEqual(['Done']);
  });
});
