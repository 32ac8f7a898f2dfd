import {
  catches,
  flowSwitchCases,
  states,
  statusCodeCases,
  switchCases,
  transitions,
  variableReference,
  type SpecialMember,
} from './special-members.js';

/** What a descriptor does not say about the JSON of an activity type. */
export interface NodeShape {
  /** Members that the reference writes before the others. Only looks: readers do not mind the order. */
  readonly first?: readonly string[];
  /** Values written for inputs that a node does not mention: those that the reference's classes are constructed with. */
  readonly initial?: Readonly<Record<string, unknown>>;
  readonly special?: Readonly<Record<string, SpecialMember>>;
  /** Outputs that get a memory of their own when they are not mentioned. */
  readonly ownOutputs?: readonly string[];
  /** Members that are read elsewhere, or not at all. */
  readonly ignored?: readonly string[];
  /** Members kept as they are, null when missing. */
  readonly plain?: readonly string[];
}

const NONE: NodeShape = {};
const FALSE_CONDITION: NodeShape = { initial: { condition: false } };
const HTTP_REQUEST = { method: 'GET', requestHeaders: '{}' };

const SHAPES: Readonly<Record<string, NodeShape>> = {
  'Elsa.BulkDispatchWorkflows': {
    initial: { defaultItemInputKey: 'Item', waitForCompletion: true, startNewTrace: false },
  },
  'Elsa.DownloadHttpFile': { initial: HTTP_REQUEST },
  // Which activity starts a flowchart is worked out from its connections; a start written out is not read.
  'Elsa.Flowchart': { ignored: ['start', 'startPort', 'connections'] },
  'Elsa.FlowDecision': FALSE_CONDITION,
  'Elsa.FlowJoin': { initial: { mode: 'WaitAny' } },
  'Elsa.FlowSendHttpRequest': { initial: HTTP_REQUEST },
  'Elsa.FlowSwitch': { first: ['cases'], initial: { mode: 'MatchFirst' }, special: { cases: flowSwitchCases } },
  'Elsa.For': { initial: { start: 0, end: 0, step: 1, outerBoundInclusive: true }, ownOutputs: ['currentValue'] },
  'Elsa.ForEach': { initial: { items: '[]' } },
  'Elsa.Fork': { initial: { joinMode: 'WaitAll' } },
  'Elsa.HttpEndpoint': { initial: { supportedMethods: '["GET"]', authorize: false, policy: null } },
  'Elsa.If': FALSE_CONDITION,
  'Elsa.ParallelForEach': { initial: { items: '[]' } },
  'Elsa.RunJavaScript': { initial: { script: '' } },
  'Elsa.SendHttpRequest': {
    first: ['expectedStatusCodes', 'unmatchedStatusCode', 'failedToConnect', 'timeout'],
    initial: HTTP_REQUEST,
    special: { expectedStatusCodes: statusCodeCases },
  },
  'Elsa.SetName': { initial: { value: '' } },
  'Elsa.SetVariable': { first: ['variable'], initial: { value: null }, special: { variable: variableReference } },
  'Elsa.StateMachine': { special: { states, transitions }, plain: ['initialState', 'currentState'] },
  'Elsa.Switch': { first: ['output', 'cases'], initial: { mode: 'MatchFirst' }, special: { cases: switchCases } },
  'Elsa.Timer': { initial: { interval: '00:01:00' } },
  'Elsa.While': FALSE_CONDITION,
  'Waymark.Try': { special: { catches } },
  'Elsa.WriteHttpResponse': { initial: { statusCode: 'OK', responseHeaders: '{}' } },
};

export const shapeOf = (type: string): NodeShape => (Object.hasOwn(SHAPES, type) ? SHAPES[type]! : NONE);
