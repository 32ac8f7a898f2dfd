import type { Server, ServerResponse } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

const LOOK_MS = 100;

/**
 * While the host closes, only answers that are under way are waited for. Node would wait for every connection that is not idle: for that of
 * a client which has sent half of a request, or continues sending one that was answered, for as long as it likes. Call it before the
 * host listens.
 * @returns waits for no answer any more, if the host is closing or as soon as it does
 */
export function endConnections(app: NestFastifyApplication): () => void {
  const server = app.getHttpServer() as Server;
  const answers = new Set<ServerResponse>();
  server.on('request', (_request, response: ServerResponse) => {
    answers.add(response);
    response.once('close', () => answers.delete(response));
  });
  let isImpatient = false;
  const close = (done: () => void): void => {
    const look = setInterval(() => {
      if (isImpatient || answers.size === 0) server.closeAllConnections();
    }, LOOK_MS);
    server.once('close', () => clearInterval(look));
    done();
  };
  app.getHttpAdapter().getInstance().addHook('preClose', close);
  return () => {
    isImpatient = true;
  };
}
