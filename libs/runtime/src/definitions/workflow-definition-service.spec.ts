import type { LoadedDefinition } from '../persistence/definition-store.js';
import { WorkflowDefinitionService } from './workflow-definition-service.js';

const version = (revision: number): LoadedDefinition =>
  ({ id: 'v1', definitionId: 'd', version: 1, isPublished: true, isLatest: true, revision }) as LoadedDefinition;

function setUp() {
  const find = jest.fn(async (): Promise<LoadedDefinition | undefined> => version(1));
  const service = new WorkflowDefinitionService({ definitions: { find } } as never, {} as never, {} as never, {
    maxActivities: 10_000,
  });
  return { find, service };
}

describe('WorkflowDefinitionService', () => {
  it('does not keep what was read before an eviction and came after it', async () => {
    const { find, service } = setUp();
    let answer!: (given: LoadedDefinition) => void;
    find.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    const before = service.find('d');
    service.evict(['another']);
    answer(version(1));
    expect((await before)?.revision).toBe(1);
    find.mockResolvedValue(version(2));
    expect((await service.find('d'))?.revision).toBe(2);
  });

  it('keeps of an evicted definition what is stored at the same revision, if nothing else could be found', async () => {
    const { find, service } = setUp();
    const handles = [
      'd',
      { definitionVersionId: 'v1' },
      { definitionId: 'd', versionOptions: 1 },
      { definitionId: 'd', versionOptions: 'Latest' },
      // A newer version may be found by this one now.
      { definitionId: 'd', versionOptions: 'AllVersions' },
    ] as const;
    const reads = async () => {
      find.mockClear();
      for (const handle of handles) await service.find(handle);
      return find.mock.calls.length;
    };
    expect(await reads()).toBe(5);
    service.evict(['d'], [version(1)]);
    expect(await reads()).toBe(1);
    service.evict(['d'], [version(2)]);
    expect(await reads()).toBe(5);
    service.evict(['d']);
    expect(await reads()).toBe(5);
    service.evict(['another']);
    expect(await reads()).toBe(0);
    service.evict();
    expect(await reads()).toBe(5);
  });

  it('says of which versions it has something cached, however many there are', async () => {
    const { service } = setUp();
    expect(service.cachedVersions(['d'])).toEqual([]);
    await service.find('d');
    await service.find({ definitionVersionId: 'v1' });
    expect(service.cachedVersions(['d', 'another'])).toEqual(['v1']);
    expect(service.cachedVersions(['another'])).toEqual([]);
  });
});
