import type { ActivityJson } from '../api/definitions.js';
import { childrenOf, containersAround, findByNodeId, isAt, type PictureNode, pictureOf } from './picture.js';
import { countsOfParts, stateOfParts, tellingPart } from './states-of-machine.js';
import { toneOf } from './tone.js';
import type { NodeState } from './workflow-graph.js';

const line = (id: string, more: object = {}): ActivityJson => ({
  id,
  nodeId: `W:${id}`,
  type: 'Elsa.WriteLine',
  ...more,
});
const at = (x: number, y: number) => ({ metadata: { designer: { position: { x, y } } } });

describe('the picture of a definition', () => {
  it('shows a flowchart by its connections', () => {
    const flowchart: ActivityJson = {
      id: 'Flow',
      type: 'Elsa.Flowchart',
      activities: [line('A', at(1, 2)), line('B')],
      connections: [{ source: { activity: 'A', port: 'True' }, target: { activity: 'B', port: 'In' } }],
    };
    const { nodes, edges, hasPositions } = pictureOf(flowchart);
    expect(nodes.map(({ id, position, outcomes }) => ({ id, position, outcomes }))).toEqual([
      { id: 'A', position: { x: 1, y: 2 }, outcomes: ['True'] },
      { id: 'B', position: undefined, outcomes: [] },
    ]);
    expect(edges).toEqual([{ id: '0:A-B', source: 'A', target: 'B', outcome: 'True' }]);
    expect(hasPositions).toBe(false);
  });

  it('shows a sequence in its order', () => {
    const sequence: ActivityJson = { id: 'S', type: 'Elsa.Sequence', activities: [line('A'), line('B'), line('C')] };
    expect(pictureOf(sequence).edges.map(({ source, target }) => `${source}>${target}`)).toEqual(['A>B', 'B>C']);
  });

  it('shows a single step, and an empty flowchart as empty', () => {
    expect(pictureOf(line('A')).nodes.map(({ id }) => id)).toEqual(['A']);
    expect(pictureOf({ id: 'F', type: 'Elsa.Flowchart', activities: [] }).nodes).toEqual([]);
  });

  it('finds the activities in the ports of an activity, and does not confuse expressions with them', () => {
    const branch: ActivityJson = {
      id: 'If',
      nodeId: 'W:If',
      type: 'Elsa.If',
      condition: { typeName: 'Boolean', expression: { type: 'Literal', value: true } },
      then: line('Yes'),
      else: line('No'),
    };
    expect(childrenOf(branch).map(({ port, activity }) => [port, activity.id])).toEqual([
      ['then', 'Yes'],
      ['else', 'No'],
    ]);
    expect(findByNodeId(branch, 'W:No')?.id).toBe('No');
    expect(findByNodeId(branch, 'W:Other')).toBeUndefined();
    const steps = { id: 'Steps', nodeId: 'W:Steps', type: 'Elsa.Sequence', activities: [line('First'), branch] };
    expect(containersAround(steps, 'W:No')).toEqual(['W:If']);
    expect(containersAround(steps, 'W:First')).toEqual([]);
    expect(containersAround(steps, 'W:Other')).toBeUndefined();
  });

  it('shows no connection that leads nowhere, which the engine does not follow', () => {
    const link = (source: string, target: string) => ({ source: { activity: source }, target: { activity: target } });
    const flowchart: ActivityJson = {
      id: 'F',
      type: 'Elsa.Flowchart',
      activities: [line('A'), line('B')],
      connections: [link('A', 'B'), link('A', 'gone'), link('gone', 'B')],
    };
    expect(pictureOf(flowchart).edges.map(({ target }) => target)).toEqual(['B']);
  });

  describe('of a state machine', () => {
    const machine: ActivityJson = {
      id: 'M',
      nodeId: 'W:M',
      type: 'Elsa.StateMachine',
      states: [{ name: 'Open', exit: line('Tidy') }, { name: 'Done', entry: line('Bye') }, { name: 'Lost' }],
      transitions: [
        { from: 'Open', to: 'Done', trigger: line('Close'), action: line('Pay') },
        { from: 'Done', to: 'Open', trigger: null },
        { from: 'Open', to: 'Nowhere', trigger: line('Other') },
      ],
      metadata: { designer: { states: { Open: { x: 1, y: 2 } } } },
    };
    const [open, done, lost] = pictureOf(machine).nodes;
    const ran = (more: object = {}) => ({ started: 1, completed: 1, isWaiting: false, isFaulted: false, ...more });
    const toneIn = (node: PictureNode, of: Record<string, NodeState>) =>
      toneOf(stateOfParts(node.parts!, new Map(Object.entries(of))));

    it('shows its states, each by what it waits for, what its ways out do, and what it begins and ends with', () => {
      const { nodes, edges, hasPositions } = pictureOf(machine);
      expect(nodes.map(({ id, nodeId, position }) => [id, nodeId, position])).toEqual([
        ['Open', 'W:Close', { x: 1, y: 2 }],
        ['Done', 'W:Bye', undefined],
        ['Lost', 'W:M#Lost', undefined],
      ]);
      expect(edges.map(({ source, target }) => `${source}>${target}`)).toEqual(['Open>Done', 'Done>Open']);
      expect(hasPositions).toBe(false);
      expect(findByNodeId(machine, 'W:Other')?.id).toBe('Other');
      expect(['W:Close', 'W:Other', 'W:Pay', 'W:Tidy'].filter((nodeId) => isAt(open!, nodeId))).toHaveLength(4);
      expect(isAt(lost!, undefined)).toBe(false);
    });

    it('says where an instance failed or waits, whichever part of the state that is', () => {
      expect(toneIn(open!, { 'W:Close': ran(), 'W:Pay': ran({ completed: 0, isFaulted: true }) })).toBe('faulted');
      expect(
        toneIn(open!, { 'W:Close': ran({ completed: 0 }), 'W:Other': ran({ completed: 0, isWaiting: true }) }),
      ).toBe('waiting');
      expect(toneIn(open!, { 'W:Close': ran({ cancelled: 1 }), 'W:Other': ran() })).toBe('finished');
      expect(toneIn(open!, { 'W:Close': ran({ cancelled: 1 }), 'W:Other': ran({ cancelled: 1 }) })).toBe('cancelled');
      expect(toneIn(done!, {})).toBeUndefined();
      const states = new Map([
        ['W:Close', ran()],
        ['W:Pay', ran({ isFaulted: true })],
      ]);
      expect(tellingPart(open!.parts!, states)).toBe('W:Pay');
      expect(tellingPart(open!.parts!, undefined)).toBe('W:Close');
    });

    it('counts an instance once that waits at several triggers', () => {
      const at = (waiting: number, faulted = 0) => ({ waiting, faulted, share: waiting / 10 });
      const counts = new Map([
        ['W:Close', at(3)],
        ['W:Other', at(3)],
        ['W:Pay', at(2, 1)],
      ]);
      expect(countsOfParts(open!.parts!, counts)).toEqual({ waiting: 5, faulted: 1, share: 0.5 });
      expect(countsOfParts(lost!.parts!, counts)).toBeUndefined();
    });

    it('opens a state that has more than one activity', () => {
      expect([open, done, lost].map((node) => node!.isContainer)).toEqual([true, false, false]);
      const level = findByNodeId({ id: 'S', type: 'Elsa.Sequence', activities: [machine] }, 'W:M#Open')!;
      const { nodes, edges } = pictureOf(level);
      expect(nodes.map(({ nodeId }) => nodeId)).toEqual(['W:Close', 'W:Other', 'W:Pay', 'W:Tidy']);
      expect(edges).toEqual([]);
    });
  });
});
