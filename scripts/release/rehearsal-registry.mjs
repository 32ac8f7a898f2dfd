import { createServer } from 'node:http';

/** A registry that has nothing and takes nothing, so that `npm publish --dry-run` asks none outside. */
export async function rehearsalRegistry() {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(request.method === 'GET' ? 404 : 405, { 'content-type': 'application/json' });
    response.end('{"error":"this registry is a rehearsal"}');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    /** Requests that would have changed something. */
    writes: () => asked.filter((line) => !line.startsWith('GET ')),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}
