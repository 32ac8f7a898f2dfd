import { jest } from '@jest/globals';
import { AnswerLimit } from '../../api/answer-limit.js';
import { ApiError, noDefinition } from '../../api/api-error.js';
import type { Design } from '../model/change.js';
import { setMember } from '../model/commands.js';
import { DesignStore } from './design-store.js';
import { fingerprint, LocalDrafts } from './local-drafts.js';
import { Saver, type Shelf } from './saver.js';

const NEVER = { saveMs: 2 ** 30, keepMs: 2 ** 30, retryMs: 2 ** 30 };

/** Until all that has been answered is dealt with. */
const turn = () => new Promise<void>((done) => setImmediate(done));

/** A server that keeps one definition. */
class Server implements Shelf {
  error: ApiError | undefined;
  saves = 0;
  /** Another person, between a look at what is there and the save that follows. */
  meanwhile: (() => void) | undefined;
  constructor(public design: Design) {}
  private answer<T>(value: T): Promise<T> {
    return this.error ? Promise.reject(this.error) : Promise.resolve(value);
  }
  /** Another person has deleted it. */
  isGone = false;
  load = () => (this.isGone ? Promise.reject(noDefinition('d')) : this.answer(this.design));
  private refusal(over: Design | undefined): ApiError | undefined {
    this.meanwhile?.();
    this.meanwhile = undefined;
    if (this.isGone) return over && noDefinition('d');
    return this.error ?? (over === this.design ? undefined : new ApiError({ status: 412 }));
  }
  save = (design: Design, over: Design | undefined) => {
    const refusal = this.refusal(over);
    if (refusal) return Promise.reject(refusal);
    this.saves += 1;
    this.isGone = false;
    // It fills in what is missing, and sorts members in its own way.
    this.design = { ...design, id: 'v1', options: { autoUpdateConsumingWorkflows: false } } as Design;
    return this.answer(this.design);
  };
  publish = (over: Design) => {
    const refusal = this.refusal(over);
    return refusal ? Promise.reject(refusal) : this.answer((this.design = { ...this.design, isPublished: true }));
  };
}

const stored = {
  definitionId: 'd',
  id: 'v1',
  version: 1,
  name: 'Old',
  root: { id: 'F', type: 'Elsa.Flowchart', activities: [], connections: [] },
} as unknown as Design;

describe('the saver of the designer', () => {
  let server: Server;
  let store: DesignStore;
  let saver: Saver;
  const kept = new Map<string, string>();
  const drafts = new LocalDrafts(
    {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, text) => void kept.set(name, text),
      removeItem: (name) => void kept.delete(name),
    },
    'me',
  );
  const rename = (name: string) => store.perform(setMember(store.design, [], 'name', name));
  beforeEach(() => {
    kept.clear();
    server = new Server(stored);
    store = new DesignStore(stored);
    saver = new Saver(store, server, drafts, stored, undefined, NEVER);
  });
  afterEach(() => saver.end());

  it('is not held up by a request that is never answered', async () => {
    const ends: (() => void)[] = [];
    const limit = new AnswerLimit((_ms, end) => {
      ends.push(end);
      return () => {};
    });
    let isLost = true;
    const shelf: Shelf = {
      load: server.load,
      publish: server.publish,
      save: (design, over) => limit.ask(() => (isLost ? new Promise(() => {}) : server.save(design, over))),
    };
    const own = new Saver(store, shelf, drafts, stored, undefined, NEVER);
    rename('New');
    const lost = own.flush();
    await turn();
    expect(store.state.save.kind).toBe('saving');
    ends[0]!();
    expect(await lost).toBe(false);
    expect(store.state.save).toEqual({ kind: 'offline', isKept: true });
    isLost = false;
    expect(await own.flush()).toBe(true);
    expect([server.design.name, store.state.save.kind]).toEqual(['New', 'saved']);
    own.end();
  });

  it('saves changes, and sends nothing without changes', async () => {
    expect(await saver.flush()).toBe(true);
    expect(server.saves).toBe(0);
    rename('New');
    expect(store.state.save.kind).toBe('unsaved');
    expect(await saver.flush()).toBe(true);
    expect([server.design.name, server.saves, store.state.save.kind]).toEqual(['New', 1, 'saved']);
    // What the server filled in is no work of another person.
    rename('Newer');
    expect(await saver.flush()).toBe(true);
    expect(server.design.name).toBe('Newer');
  });

  it('keeps unsaved changes in the browser until the server has stored them', async () => {
    rename('New');
    saver.keep();
    expect(drafts.read('d')?.design.name).toBe('New');
    server.error = new ApiError({ status: 0 });
    expect(await saver.flush()).toBe(false);
    expect(store.state.save.kind).toBe('offline');
    server.error = undefined;
    await saver.flush();
    expect([drafts.read('d'), store.state.save.kind]).toEqual([undefined, 'saved']);
  });

  it('says why the server refuses, and tries the next change again', async () => {
    server.error = new ApiError({ status: 400, messages: ['No.'] });
    rename('New');
    await saver.flush();
    expect(store.state.save).toMatchObject({ kind: 'refused', error: { detail: 'No.' } });
    server.error = undefined;
    rename('Newer');
    await saver.flush();
    expect(store.state.save.kind).toBe('saved');
  });

  it('makes one save at a time, of what is there by then', async () => {
    const answers: (() => void)[] = [];
    const { save } = server;
    let [now, most] = [0, 0];
    server.save = async (design, over) => {
      most = Math.max(most, ++now);
      await new Promise<void>((answer) => answers.push(answer));
      now--;
      return save(design, over);
    };
    rename('1');
    const first = saver.flush();
    await turn();
    rename('2');
    const others = [saver.flush(), saver.flush()];
    while (answers.length > 0) {
      answers.shift()!();
      await turn();
    }
    expect(await Promise.all([first, ...others])).toEqual([false, true, true]);
    expect([most, server.design.name, server.saves]).toEqual([1, '2', 2]);
  });

  it('overwrites nothing of another person before the user has chosen', async () => {
    server.design = { ...stored, name: 'Theirs' };
    rename('Mine');
    expect(await saver.flush()).toBe(false);
    expect(store.state.save).toMatchObject({ kind: 'conflict', theirs: { name: 'Theirs' } });
    expect(await saver.publish()).toBe(false);
    expect(server.design.name).toBe('Theirs');
    await saver.resolve('mine');
    expect([server.design.name, store.state.save.kind]).toEqual(['Mine', 'saved']);
  });

  it('accepts the version of the other person, which undo can revert', async () => {
    server.design = { ...stored, name: 'Theirs' };
    rename('Mine');
    await saver.flush();
    await saver.resolve('theirs');
    expect([store.design.name, store.state.save.kind, server.saves]).toEqual(['Theirs', 'saved', 0]);
    store.undo();
    expect(store.design.name).toBe('Mine');
    await saver.flush();
    expect(server.design.name).toBe('Mine');
  });

  it('keeps what is drawn when another person deletes the definition, and creates it again when asked to', async () => {
    rename('Mine');
    server.isGone = true;
    expect(await saver.flush()).toBe(false);
    expect([store.state.save.kind, drafts.read('d')?.design.name, server.saves]).toEqual(['deleted', 'Mine', 0]);
    rename('Mine, later');
    expect(await saver.publish()).toBe(false);
    expect(store.state.save.kind).toBe('deleted');
    expect(await saver.restore()).toBe(true);
    expect([server.design.name, store.state.save.kind, drafts.read('d')]).toEqual(['Mine, later', 'saved', undefined]);
  });

  it('says that the definition is deleted, also without local changes, and when it is published', async () => {
    server.isGone = true;
    expect(await saver.refresh()).toBe(false);
    expect(store.state.save.kind).toBe('deleted');
    await saver.restore();
    server.isGone = true;
    expect(await saver.publish()).toBe(false);
    expect(store.state.save.kind).toBe('deleted');
  });

  it('takes the 404 of a proxy, such as while the server is deployed, for no deletion', async () => {
    server.error = new ApiError({ status: 404, messages: ['default backend - 404'] });
    expect(await saver.refresh()).toBe(false);
    expect(store.state.save.kind).toBe('saved');
    rename('Mine');
    expect(await saver.flush()).toBe(false);
    expect([store.state.save.kind, drafts.read('d')?.design.name]).toEqual(['refused', 'Mine']);
    await expect(saver.publish()).resolves.toBe(false);
    server.error = undefined;
    expect(await saver.flush()).toBe(true);
    expect(server.design.name).toBe('Mine');
  });

  it('overwrites nothing that another person has created anew', async () => {
    rename('Mine');
    server.isGone = true;
    await saver.flush();
    server.isGone = false;
    server.design = { ...stored, name: 'Theirs' };
    expect(await saver.restore()).toBe(false);
    expect([server.design.name, store.state.save]).toMatchObject(['Theirs', { kind: 'conflict' }]);
  });

  it('shows the work of another person when there are no local changes', async () => {
    server.design = { ...stored, name: 'Theirs' };
    expect(await saver.refresh()).toBe(true);
    expect([store.design.name, store.state.save.kind, saver.hasChanges]).toEqual(['Theirs', 'saved', false]);
    rename('Mine');
    expect(await saver.refresh()).toBe(false);
  });

  it('publishes what has been saved', async () => {
    rename('New');
    expect(await saver.publish()).toBe(true);
    expect([server.design.isPublished, store.state.standing.isPublished, server.design.name]).toEqual([
      true,
      true,
      'New',
    ]);
  });

  it('overwrites nothing that comes between its look and its save', async () => {
    rename('Mine');
    server.meanwhile = () => (server.design = { ...server.design, name: 'Theirs' } as Design);
    expect(await saver.flush()).toBe(false);
    expect([server.design.name, store.state.save]).toMatchObject([
      'Theirs',
      { kind: 'conflict', theirs: server.design },
    ]);
    await saver.resolve('mine');
    expect([server.design.name, store.state.save.kind]).toEqual(['Mine', 'saved']);
    // Equal in content: nothing to choose between.
    rename('Same');
    server.meanwhile = () => (server.design = { ...server.design });
    expect(await saver.flush()).toBe(true);
    expect(server.design.name).toBe('Same');
  });

  it('saves what is drawn during a publish after it, whichever answer would come first', async () => {
    const { publish } = server;
    let answer = () => {};
    server.publish = async (over) => {
      const published = await publish(over);
      await new Promise<void>((resolve) => (answer = resolve));
      return published;
    };
    const publishing = saver.publish();
    await turn();
    rename('Drawn meanwhile');
    const saving = saver.flush();
    await turn();
    answer();
    expect(await publishing).toBe(true);
    expect(await saving).toBe(true);
    rename('And later');
    expect(await saver.flush()).toBe(true);
    expect([server.design.name, store.state.save.kind]).toEqual(['And later', 'saved']);
  });

  it('does not say that all is saved when it could not be published', async () => {
    server.publish = () => {
      rename('Drawn meanwhile');
      return Promise.reject(new ApiError({ status: 400 }));
    };
    await expect(saver.publish()).rejects.toThrow(ApiError);
    expect(store.state.save.kind).toBe('unsaved');
  });

  it('takes no old answer for the work of another person', async () => {
    let answer = () => {};
    const { load } = server;
    server.load = () => {
      const asked = server.design;
      return new Promise((resolve) => (answer = () => resolve(asked)));
    };
    const refreshing = saver.refresh();
    server.load = load;
    rename('Mine');
    expect(await saver.flush()).toBe(true);
    answer();
    expect([await refreshing, store.design.name, store.state.save.kind]).toEqual([false, 'Mine', 'saved']);
  });

  it('asks whose it shall be until that is answered, also after the page was loaded again', async () => {
    saver.end();
    const theirs = { ...stored, name: 'Theirs' } as Design;
    store = new DesignStore(theirs);
    rename('Mine');
    store.setSave({ kind: 'conflict', theirs });
    saver = new Saver(store, server, drafts, theirs, 'of what mine was made from', NEVER);
    saver.keep();
    expect(drafts.read('d')).toMatchObject({ base: 'of what mine was made from', design: { name: 'Mine' } });
    server.error = new ApiError({ status: 0 });
    await saver.resolve('mine');
    // Chosen: from now on it is made of theirs.
    expect(drafts.read('d')?.base).toBe(fingerprint(theirs));
  });

  it('takes all of the version of the other person, and keeps nothing that they have taken away', async () => {
    store.perform(setMember(store.design, [], 'description', 'Mine'));
    server.design = { ...stored, name: 'Theirs' };
    await saver.flush();
    await saver.resolve('theirs');
    expect(store.design).toMatchObject({ name: 'Theirs' });
    expect('description' in store.design).toBe(false);
  });

  it('tries again where the server limits how often it is asked, and says when nothing is kept meanwhile', async () => {
    server.error = new ApiError({ status: 429 });
    rename('Mine');
    await saver.flush();
    expect(store.state.save).toEqual({ kind: 'offline', isKept: true });
    const full = jest.spyOn(drafts, 'write').mockReturnValue(false);
    await saver.flush();
    expect(store.state.save).toEqual({ kind: 'offline', isKept: false });
    full.mockRestore();
  });

  it('sends nothing more once it is stopped, and leaves what is not saved in the browser', async () => {
    rename('Mine');
    await saver.stop();
    expect([await saver.flush(), server.saves, drafts.read('d')?.design.name]).toEqual([false, 0, 'Mine']);
  });

  it('does not take back what another person has saved when one undoes a change of before', async () => {
    rename('Mine');
    await saver.flush();
    server.design = { ...server.design, name: 'Theirs' } as Design;
    expect(await saver.refresh()).toBe(true);
    store.undo();
    await saver.flush();
    expect([server.design.name, store.design.name, store.state.save.kind]).toEqual(['Theirs', 'Theirs', 'saved']);
  });

  it('takes its own save for no work of another person when the answer was lost', async () => {
    const { save } = server;
    server.save = (design) => {
      server.design = { ...design };
      return Promise.reject(new ApiError({ status: 0 }));
    };
    rename('Arrived');
    expect(await saver.flush()).toBe(false);
    server.save = save;
    rename('Arrived, and more');
    expect(await saver.flush()).toBe(true);
    expect([server.design.name, store.state.save.kind]).toEqual(['Arrived, and more', 'saved']);
  });

  it('says that all is saved once everything is undone, and forgets the draft in the browser', async () => {
    const change = { patches: [{ path: [], from: stored, to: { ...stored, name: 'Mine' } as Design }] };
    store.perform(change);
    saver.keep();
    expect([store.state.save.kind, drafts.read('d')?.design.name]).toEqual(['unsaved', 'Mine']);
    store.undo();
    expect([store.state.save.kind, drafts.read('d'), await saver.flush()]).toEqual(['saved', undefined, true]);
    // Also after the server has refused it; the undone one is not sent.
    server.error = new ApiError({ status: 413 });
    store.redo();
    await saver.flush();
    expect([store.state.save.kind, drafts.read('d')?.design.name]).toEqual(['refused', 'Mine']);
    store.undo();
    expect([store.state.save.kind, drafts.read('d'), server.saves]).toEqual(['saved', undefined, 0]);
  });

  it('does not say that all is saved when what was undone may have arrived', async () => {
    const { save } = server;
    server.save = (design) => {
      server.design = { ...design };
      return Promise.reject(new ApiError({ status: 0 }));
    };
    store.perform({ patches: [{ path: [], from: stored, to: { ...stored, name: 'Mine' } as Design }] });
    await saver.flush();
    store.undo();
    expect(store.state.save.kind).not.toBe('saved');
    server.save = save;
    expect(await saver.flush()).toBe(true);
    expect([server.design.name, store.state.save.kind]).toEqual(['Old', 'saved']);
  });

  it('ends the conflict of a restored draft that is undone, and asks again when it is redone', async () => {
    saver.end();
    const theirs = { ...stored, name: 'Theirs' } as Design;
    server.design = theirs;
    store = new DesignStore(theirs);
    const mine = { ...theirs, name: 'Mine' } as Design;
    store.perform({ patches: [{ path: [], from: theirs, to: mine }] });
    store.setSave({ kind: 'conflict', theirs });
    saver = new Saver(store, server, drafts, theirs, 'of what mine was made from', NEVER);
    rename('Mine, and more');
    saver.keep();
    store.undo();
    store.undo();
    expect([store.design.name, store.state.save.kind, drafts.read('d')]).toEqual(['Theirs', 'saved', undefined]);
    store.redo();
    saver.keep();
    expect(store.state.save).toMatchObject({ kind: 'conflict', theirs: { name: 'Theirs' } });
    expect(drafts.read('d')).toMatchObject({ base: 'of what mine was made from', design: { name: 'Mine' } });
    expect([await saver.flush(), server.saves]).toEqual([false, 0]);
    store.undo();
    rename('Drawn anew');
    expect([await saver.flush(), server.design.name]).toEqual([true, 'Drawn anew']);
  });

  it('publishes nothing that comes between the save and the publish', async () => {
    rename('Mine');
    await saver.flush();
    server.meanwhile = () => (server.design = { ...server.design, name: 'Theirs' } as Design);
    expect(await saver.publish()).toBe(false);
    expect([server.design.isPublished, store.state.save.kind]).toEqual([undefined, 'conflict']);
    await saver.resolve('theirs');
    server.meanwhile = () => (server.design = { ...server.design });
    expect(await saver.publish()).toBe(true);
    expect([server.design.name, server.design.isPublished]).toEqual(['Theirs', true]);
  });

  it('gives up when the server finds that something else is there each time', async () => {
    server.error = new ApiError({ status: 412 });
    server.load = () => Promise.resolve(server.design);
    rename('Mine');
    expect(await saver.flush()).toBe(false);
    expect(store.state.save).toMatchObject({ kind: 'refused', error: { status: 412 } });
    expect(drafts.read('d')?.design.name).toBe('Mine');
  });

  describe('for users who may not change definitions', () => {
    beforeEach(() => {
      saver.end();
      store = new DesignStore(stored, false);
      saver = new Saver(store, server, drafts, stored, undefined, NEVER);
    });

    it('shows the work of another person, which undo does not take away', async () => {
      server.design = { ...stored, name: 'Theirs', isReadonly: false } as Design;
      expect(await saver.refresh()).toBe(true);
      expect([store.design.name, store.state.save.kind, saver.hasChanges]).toEqual(['Theirs', 'saved', false]);
      store.undo();
      expect([store.design.name, saver.hasChanges]).toEqual(['Theirs', false]);
      expect(await saver.refresh()).toBe(false);
    });

    it('publishes what they see, and shows what another person has saved meanwhile instead of asking whose it should be', async () => {
      server.meanwhile = () => (server.design = { ...server.design, name: 'Theirs' } as Design);
      expect(await saver.publish()).toBe(false);
      expect([server.design.isPublished, store.design.name, store.state.save.kind]).toEqual([
        undefined,
        'Theirs',
        'saved',
      ]);
      expect(await saver.publish()).toBe(true);
      expect([server.design.isPublished, store.state.standing.isPublished, server.saves]).toEqual([true, true, 0]);
    });
  });
});
