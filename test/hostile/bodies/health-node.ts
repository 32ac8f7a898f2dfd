// Asks a host whether it lives, every few milliseconds, from a process that does nothing else: as a load balancer would.
import { Agent, get } from 'node:http';

export type HealthNodeSettings = { readonly url: string };
/** `longest` answers with the longest time without an answer since it was asked last, in milliseconds. */
export type HealthNodeCommand = { readonly do: 'longest' };

const EVERY_MS = 5;

const { url } = JSON.parse(process.env.NODE_SETTINGS!) as HealthNodeSettings;
const agent = new Agent({ keepAlive: true });
let longest = 0;
let since = performance.now();

function ask(): void {
  since = performance.now();
  const over = (): void => {
    longest = Math.max(longest, performance.now() - since);
    setTimeout(ask, EVERY_MS);
  };
  get(`${url}/health/live`, { agent }, (response) => response.resume().on('end', over)).on('error', over);
}

ask();
process.on('message', ({ id }: { id: number; command: HealthNodeCommand }) => {
  process.send!({ id, answer: longest });
  longest = 0;
});
// Whoever wants to know may fail half-way.
process.on('disconnect', () => process.exit());
process.send!({ ready: true });
