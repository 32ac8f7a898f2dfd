import type { ActivityJson } from '../../api/definitions.js';
import type { ActivityDescriptor } from '../../api/descriptors.js';
import type { Design } from './change.js';
import { ActivityCatalogue } from './descriptors.js';
import { levelAt } from './level.js';
import { startOf } from './start.js';

const catalogue = new ActivityCatalogue([{ typeName: 'Elsa.Start', version: 1, isStart: true } as ActivityDescriptor]);
const step = (id: string, type = 'Elsa.WriteLine', more: object = {}): ActivityJson => ({ id, type, ...more });
const link = (source: string, target: string) => ({ source: { activity: source }, target: { activity: target } });
const startIn = (root: ActivityJson) => startOf(levelAt({ root } as Design, []), catalogue);
const flowchart = (activities: readonly ActivityJson[], more: object = {}) =>
  startIn({ id: 'Flow', type: 'Elsa.Flowchart', activities, ...more });

describe('the activity that a level begins with', () => {
  it('is that of a flowchart to which no connection leads, unless another one is named, is a Start, or a trigger', () => {
    const [first, second] = [step('A'), step('B')];
    const connections = [link('B', 'A')];
    expect(flowchart([first, second], { connections })).toBe('B');
    const trigger = step('C', 'Elsa.Cron', { customProperties: { canStartWorkflow: true } });
    expect(flowchart([first, second, trigger], { connections })).toBe('C');
    expect(flowchart([first, second, trigger, step('D', 'Elsa.Start')], { connections })).toBe('D');
    expect(flowchart([first, second, trigger], { connections, start: 'A' })).toBe('A');
    expect(flowchart([first, second], { connections: [...connections, link('A', 'B')] })).toBe('A');
    expect(flowchart([])).toBeUndefined();
  });

  it('is the first of a sequence, and the state in which a machine begins', () => {
    const sequence = { id: 'Steps', type: 'Elsa.Sequence', activities: [step('A'), step('B')] };
    expect(startIn(sequence)).toBe('A');
    const machine = { id: 'M', type: 'Elsa.StateMachine', states: [{ name: 'Closed' }, { name: 'New' }] };
    expect(startIn(machine)).toBe('state:Closed');
    expect(startIn({ ...machine, initialState: 'New' })).toBe('state:New');
  });
});
