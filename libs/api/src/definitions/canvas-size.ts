import { type ActivityDescriptor, type ActivityJson } from '@waymark/core';

// As Elsa Studio 3.8 draws nodes: an icon beside two lines of text, below them a button for each embedded port, and the names of
// outcomes to the right of the node.
const NODE_WIDTH = 200;
const NODE_HEIGHT = 54;
const BUTTONS_HEIGHT = 54;
const AROUND_TITLE = 100;
const PER_CHARACTER = 8;
const AROUND_BUTTON = 34;
const PER_BUTTON_CHARACTER = 7;
const BEFORE_OUTCOME = 20;
/** What a request has besides the status codes that are expected. */
const OF_REQUESTS = 'Unmatched status code';

/** The room that a node takes on a canvas. */
export interface NodeSize {
  readonly width: number;
  readonly height: number;
  /** Of the names of its outcomes, beside it. */
  readonly outcomesWidth: number;
}

/** An estimate: the size of a node is known when a browser has drawn it. */
export function nodeSize(node: ActivityJson, descriptor: ActivityDescriptor | undefined): NodeSize {
  const ports = (descriptor?.ports ?? []).filter(({ isBrowsable }) => isBrowsable);
  const named = (type: 'Embedded' | 'Flow') =>
    ports.filter((port) => port.type === type).map((port) => port.displayName);
  const embedded = named('Embedded');
  const listed = listedPorts(node);
  const buttons = embedded.length > 0 ? [...embedded, ...listed] : [];
  const outcomes = [...named('Flow'), ...(embedded.length > 0 ? [] : listed)];
  if (embedded.length === 0 && descriptor?.inputs.some(({ name }) => name === 'ExpectedStatusCodes'))
    outcomes.push(OF_REQUESTS);
  return {
    width: Math.max(NODE_WIDTH, titleWidth(node, descriptor), sum(buttons.map(buttonWidth))),
    height: NODE_HEIGHT + (buttons.length > 0 ? BUTTONS_HEIGHT : 0),
    outcomesWidth: Math.max(0, ...outcomes.map((name) => name.length * PER_BUTTON_CHARACTER + BEFORE_OUTCOME)),
  };
}

function titleWidth({ name, metadata }: ActivityJson, descriptor: ActivityDescriptor | undefined): number {
  const { displayText, description } = (metadata ?? {}) as Record<string, unknown>;
  const texts = [name, displayText, description, descriptor?.displayName];
  return Math.max(...texts.map((text) => (typeof text === 'string' ? text.length : 0))) * PER_CHARACTER + AROUND_TITLE;
}

/** Names of ports that a node itself lists: the cases of a switch, the status codes of a request. */
const listedPorts = (node: ActivityJson): string[] =>
  Object.values(node)
    .flatMap((member) => (Array.isArray(member) ? (member as unknown[]) : []))
    .flatMap((item) => {
      const { label, statusCode } = (item ?? {}) as Record<string, unknown>;
      return typeof label === 'string' ? [label] : typeof statusCode === 'number' ? [String(statusCode)] : [];
    });

const buttonWidth = (name: string): number => name.length * PER_BUTTON_CHARACTER + AROUND_BUTTON;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
