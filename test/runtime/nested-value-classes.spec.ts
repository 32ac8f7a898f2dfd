import 'reflect-metadata';
import { afterAll, expect, it } from '@jest/globals';
import { activity, inline, setVariable, type WorkflowDefinitionBuilder } from '@waymark/core';
import { IEventPublisher, IWorkflowRuntime, Workflow, type WorkflowBuilder } from '@waymark/runtime';
import { Exclude, Type } from 'class-transformer';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { startNode } from '../support/runtime-node.js';

class Pet {
  name = '';
  friend?: Pet;
  get greeting(): string {
    return `${this.name}!`;
  }
}

class Owner {
  pet?: Pet;
  pets: Pet[] = [];
  byName: Record<string, Pet> = {};
  @Type(() => Pet) named?: Pet;
  @Exclude() secret?: Pet;
}

const pet = (name: string, friend?: Pet): Pet => Object.assign(new Pet(), { name, friend });
const owner = (): Owner =>
  Object.assign(new Owner(), {
    pet: pet('Rex', pet('Max')),
    pets: [pet('Tom'), pet('Kit')],
    byName: { Ida: pet('Ida') },
    named: pet('Bo', pet('Al')),
    secret: pet('Eve'),
  });

const seen: Owner[] = [];

@Workflow({ id: 'pets' })
class Pets implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const row = w.variable<Owner>('row');
    w.root([
      setVariable(row, owner),
      activity('Elsa.Event', { eventName: 'go' }),
      inline((scope) => void seen.push(row.get(scope))),
    ]);
  }
}

describeOn(await testBackends(), 'instances of registered classes within others on $name', (backend) => {
  afterAll(() => backend.drop());

  it('instances of registered classes within others come back as such where no @Type names their class, at any depth', async () => {
    seen.length = 0;
    const node = await startNode(await backend.create(), { types: [Owner, Pet], providers: [Pets] });
    try {
      const client = await node.get(IWorkflowRuntime).createClient();
      const { incidents } = await client.createAndRunInstance({ definition: 'pets' });
      expect(incidents).toEqual([]);
      await node.get(IEventPublisher).publish('go');
      expect(seen).toHaveLength(1);
      const [again] = seen as [Owner];
      expect(again).toBeInstanceOf(Owner);
      const all = [again.pet, again.pet?.friend, ...again.pets, again.byName.Ida, again.named, again.named?.friend];
      expect(all.map((each) => each?.greeting)).toEqual(['Rex!', 'Max!', 'Tom!', 'Kit!', 'Ida!', 'Bo!', 'Al!']);
      expect(again.secret).toBeUndefined();
    } finally {
      await node.close();
    }
  });
});
