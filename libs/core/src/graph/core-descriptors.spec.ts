import { ActivityRegistry } from '../activities/activity-registry.js';
import { registerCoreActivities } from '../builder/core-activities.js';

const registry = new ActivityRegistry();
registerCoreActivities(registry);

/** type | display name | category | flags (container, terminal, start, hidden) | inputs (name type hint) | outputs | ports */
const EXPECTED = `
Workflow | Workflow | Workflows | hidden | | Result | Root
Flowchart | Flowchart | Flow | container hidden | | | Start
Sequence | Sequence | Workflows | container hidden | | |
Parallel | Parallel | Workflows | container hidden | | |
Fork | Fork | Control Flow | hidden | JoinMode dropdown | |
If | If | Branching | | Condition singleline | Result | Then Else
Switch | Switch | Branching | | Cases switch-editor, Mode dropdown | Output | Default
For | For | Looping | | Start singleline, End singleline, Step singleline, OuterBoundInclusive checkbox | CurrentValue | Body
ForEach | For Each | Looping | | Items dropdown | CurrentValue | Body
ParallelForEach | Parallel for Each | Looping | | Items singleline | | Body
While | While | Looping | | Condition singleline | | Body
Break | Break | Looping | terminal | | |
FlowNode | Container | Flow | | | | Body
FlowDecision | Decision | Branching | | Condition singleline | | True False
FlowSwitch | Switch (flow) | Branching | | Cases flow-switch-editor, Mode dropdown | | Default
FlowFork | Fork (flow) | Branching | | Branches dynamic-outcomes | |
FlowJoin | Join | Branching | | Mode dropdown | |
Start | Start | Flow | start | | |
End | End | Flow | terminal | | |
Finish | Finish | Primitives | terminal | | |
Complete | Complete | Composition | terminal | Outcomes outcome-picker | |
Fault | Fault | Primitives | | Code singleline, Category singleline, FaultType singleline, Message singleline | |
SetVariable | Set Variable | Primitives | | Variable variable-picker, Value singleline | |
SetName | Set Name | Primitives | | Value singleline | |
SetOutput | Set Output | Composition | | OutputName output-picker, OutputValue singleline | |
Correlate | Correlate | Primitives | | CorrelationId singleline | |
WriteLine | Write Line | Console | | Text singleline | |
ReadLine | Read Line | Console | | | Result |
Inline | Inline | Primitives | hidden | | Result |
StateMachine | State Machine | Flow | | | |
Waymark.Try | Try | Control Flow | | Catches catch-editor | Error | Body Catch Finally
Waymark.Timeout | Timeout | Control Flow | | TimeSpan singleline | | Body
Waymark.Compensable | Compensable | Control Flow | | Keep dropdown | | Body Undo Confirm
Waymark.Compensate | Compensate | Control Flow | | CompensableId singleline | |
Waymark.Confirm | Confirm | Control Flow | | CompensableId singleline | |
NotFoundActivity | Not Found Activity | System | hidden | | |
`;

describe('descriptors of the core activities', () => {
  it.each(
    EXPECTED.trim()
      .split('\n')
      .map((line) => [line.split(' | ')[0], line] as const),
  )('%s', (type, line) => {
    const typeName = type!.includes('.') ? type! : `Elsa.${type}`;
    const d = registry.find(typeName)!.descriptor;
    const flags = [
      d.isContainer && 'container',
      d.isTerminal && 'terminal',
      d.isStart && 'start',
      !d.isBrowsable && 'hidden',
    ];
    const columns = [
      type,
      d.displayName,
      d.category,
      flags.filter(Boolean).join(' '),
      d.inputs.map((i) => `${i.name} ${i.uiHint}`).join(', '),
      d.outputs.map((o) => o.name).join(' '),
      d.ports.map((p) => p.name).join(' '),
    ];
    expect(columns.map((c) => c!.trim())).toEqual(`${line} `.split('|').map((c) => c.trim()));
    expect(d).toMatchObject({
      kind: 'Action',
      version: 1,
      typeName,
      description: expect.stringMatching(/^[A-Z].*\.$/) as string,
    });
  });

  it('descriptors of the core activities are all listed here', () => {
    expect(registry.list()).toHaveLength(EXPECTED.trim().split('\n').length + 1);
  });

  it('descriptors of the core activities say which inputs are plain JSON, evaluated late or have defaults', () => {
    const inputs = registry
      .list()
      .flatMap(({ descriptor: d }) => d.inputs.map((i) => ({ ...i, name: `${d.name}.${i.name}` })));
    const names = (selects: (i: (typeof inputs)[number]) => boolean) => inputs.filter(selects).map((i) => i.name);
    expect(names((i) => !i.isWrapped).toSorted()).toEqual([
      'Compensable.Keep',
      'FlowSwitch.Cases',
      'Fork.JoinMode',
      'SetVariable.Variable',
      'Switch.Cases',
      'Try.Catches',
    ]);
    expect(names((i) => !i.autoEvaluate)).toEqual(['While.Condition']);
    expect(names((i) => i.defaultValue !== undefined).toSorted()).toEqual(['FlowJoin.Mode', 'For.OuterBoundInclusive']);
    expect(names((i) => i.defaultSyntax !== undefined)).toEqual(['Complete.Outcomes']);
    expect(names((i) => i.order !== 0)).toEqual([]);
  });
});
