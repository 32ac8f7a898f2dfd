import type { ActivityJson } from '../../api/definitions.js';
import { useDesign, useDesigner } from '../designer-context.js';
import { setMember } from '../model/commands.js';
import { setInput } from '../model/outcomes.js';
import type { Path } from '../model/json-path.js';
import { activityOf, activityPath } from '../model/level.js';

/** The activity whose properties are shown. */
export function useSelected(): ActivityJson | undefined {
  return useDesign(({ level, selection }) =>
    selection.nodes.size === 1 ? activityOf(level, [...selection.nodes][0]) : undefined,
  );
}

/** Changes members of the selected activity. */
export function useEditActivity({ id }: ActivityJson) {
  const { store, catalogue } = useDesigner();
  const path = (): Path => activityPath(store.state.level, id) ?? [];
  // A field that does not show the rest of the activity was drawn with an older state of that.
  const now = () => activityOf(store.state.level, id);
  return {
    set: (member: string, value: unknown) => {
      const activity = now();
      if (!activity) return;
      store.perform(
        setInput(store.design, store.state.level, activity, { member, value, descriptor: catalogue.of(activity) }),
      );
    },
    /** Of an object in it, such as `customProperties`. */
    setIn: (inner: string, member: string, value: unknown) =>
      store.perform(
        setMember(store.design, path(), inner, withMember(now()?.[inner] as object | undefined, member, value)),
      ),
  };
}

/** Changes members of the definition itself. */
export function useEditWorkflow() {
  const { store } = useDesigner();
  return {
    set: (member: string, value: unknown) => store.perform(setMember(store.design, [], member, value)),
    setIn: (inner: 'options' | 'customProperties', member: string, value: unknown) =>
      store.perform(setMember(store.design, [], inner, withMember(store.design[inner], member, value))),
  };
}

function withMember(object: object | null | undefined, member: string, value: unknown): object {
  const { [member]: _old, ...rest } = (object ?? {}) as Record<string, unknown>;
  if (value === undefined) return rest;
  return { ...object, [member]: value };
}
