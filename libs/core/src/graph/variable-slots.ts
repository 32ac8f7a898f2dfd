import type { Variable, VariableSlot } from './variable.js';

/** Up to here it is faster to look at them one by one. */
const FEW = 32;

interface SlotIndex {
  /** How many of the slots are in it. */
  size: number;
  readonly byName: Map<string, VariableSlot>;
  readonly byId: Map<string, VariableSlot>;
}

/** Of the lists of scopes with many variables: a definition may declare tens of thousands, and scripts read them all. */
const indexes = new WeakMap<readonly VariableSlot[], SlotIndex>();

/** With their initial values. */
export function newSlots(variables: readonly Variable[]): VariableSlot[] {
  return variables.map((variable) => ({ variable, value: variable.initial(), dynamic: false }));
}

/** The first of that name: it hides the others. */
export function slotNamed(slots: readonly VariableSlot[], name: string): VariableSlot | undefined {
  if (slots.length > FEW) return indexOf(slots).byName.get(name);
  for (let i = 0; i < slots.length; i++) if (slots[i]!.variable.name === name) return slots[i];
  return undefined;
}

/** The first with that id. */
export function slotOfId(slots: readonly VariableSlot[], id: string): VariableSlot | undefined {
  if (slots.length > FEW) return indexOf(slots).byId.get(id);
  for (let i = 0; i < slots.length; i++) if (slots[i]!.variable.id === id) return slots[i];
  return undefined;
}

function indexOf(slots: readonly VariableSlot[]): SlotIndex {
  let index = indexes.get(slots);
  if (!index) indexes.set(slots, (index = { size: 0, byName: new Map(), byId: new Map() }));
  // Those that were declared since then stand before the others, and hide them.
  for (let i = slots.length - index.size - 1; i >= 0; i--) {
    const slot = slots[i]!;
    index.byName.set(slot.variable.name, slot);
    index.byId.set(slot.variable.id, slot);
  }
  index.size = slots.length;
  return index;
}
