import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { WorkflowState } from '@waymark/core';
import { withRestingLists } from '@waymark/core/adapter';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { aBurstOf } from '../../../../test/support/a-burst.js';
import { anInstanceOf } from '../../../../test/support/an-instance.js';
import { TypeOrmPersistence } from '../typeorm-persistence.js';
import { type RecentState, RecentStates } from './recent-states.js';

/** From so many on, every writer of a state puts each on a line of its own. */
const BRANCHES = 1000;

/** @param word says who has written it; its text is as long as that of any other of this length */
function instanceSaying(word: string) {
  const instance = anInstanceOf('i');
  const contexts = Array.from({ length: BRANCHES }, (_, i) => ({ id: `c${i}`, properties: { word } }));
  const activityExecutionContexts = contexts as unknown as WorkflowState['activityExecutionContexts'];
  const lists = { activityExecutionContexts, bookmarks: [], completionCallbacks: [] };
  return {
    plain: { ...instance, state: { ...instance.state, activityExecutionContexts } },
    resting: { ...instance, state: withRestingLists({ ...instance.state }, lists) },
  };
}

describe('a state that a node remembers', () => {
  let folder: string;
  let here: TypeOrmPersistence;
  let there: TypeOrmPersistence;

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'waymark-recent-'));
    const open = () => TypeOrmPersistence.fromUrl(`sqlite:${path.join(folder, 'app.db')}`);
    [here, there] = [open(), open()];
    await here.initialize();
    await there.initialize();
  });
  afterEach(async () => {
    await here.close();
    await there.close();
    rmSync(folder, { recursive: true });
  });

  const wordHere = async () => {
    const loaded = (await here.instances.load('i', { mayRest: true }))!;
    return loaded.state.activityExecutionContexts[BRANCHES - 1]!.properties;
  };

  it('is not used for one with the same id and times that was imported on another node in its place', async () => {
    await here.commit(aBurstOf(instanceSaying('mine').resting));
    await there.instances.delete(['i']);
    await there.commit(aBurstOf(instanceSaying('your').plain));
    expect(await wordHere()).toEqual({ word: 'your' });
    // Nor where both have gone on since: a burst has a time of its own.
    const later = { ...instanceSaying('mine').resting, updatedAt: new Date() };
    await here.commit(aBurstOf(later, { expectedRevision: 1 }));
    expect(await wordHere()).toEqual({ word: 'mine' });
  });
});

describe('the states that a node remembers', () => {
  const aState = (chars: number): RecentState => ({
    parts: {
      frame: { json: '{}', notes: '', anyCasing: [] },
      lists: { activityExecutionContexts: [], bookmarks: [], completionCallbacks: [] },
    },
    ...{ revision: 2, createdAt: 0, updatedAt: 0, bytes: chars, chars },
  });

  it('the states that a node remembers are of a bounded size: the one that was used longest ago goes first', () => {
    const states = new RecentStates(100);
    for (const id of ['a', 'b']) states.keep(id, aState(40));
    states.get('a');
    states.keep('c', aState(40));
    expect(['a', 'b', 'c'].map((id) => states.get(id) !== undefined)).toEqual([true, false, true]);
    // A later state of the same instance takes the place of the earlier one.
    states.keep('c', aState(50));
    expect(['a', 'c'].map((id) => states.get(id) !== undefined)).toEqual([true, true]);
    states.keep('d', aState(101));
    expect(['a', 'c', 'd'].map((id) => states.get(id))).toEqual([undefined, undefined, undefined]);
  });
});
