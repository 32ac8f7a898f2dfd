import { SetMetadata } from '@nestjs/common';

/** Metadata of routes that answer with a charset. */
export const JSON_CHARSET = 'waymark:json-charset';

/** For routes whose answer has a charset in the reference as well: Fastify and Express add it on their own. */
export const JsonWithCharset = (): MethodDecorator => SetMetadata(JSON_CHARSET, true);

/** What Fastify's reply has and Express's response has not. */
interface WithSerializer {
  header(name: string, value: string): unknown;
  serializer(serialize: (payload: unknown) => string): unknown;
}

/**
 * Sends JSON under exactly this content type, as the reference does. Fastify adds a charset, which means nothing for JSON,
 * unless other code serializes; Express always does.
 */
export function sendAsJson(reply: unknown, contentType = 'application/json'): void {
  if (!isFastify(reply)) return;
  reply.header('Content-Type', contentType);
  reply.serializer(JSON.stringify);
}

export const isFastify = (reply: unknown): reply is WithSerializer =>
  typeof (reply as Partial<WithSerializer> | undefined)?.serializer === 'function';
