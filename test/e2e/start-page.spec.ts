import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Logger, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { StartPage } from '../../src/start-page/start-page.js';
import { OwnHost } from './own-host.js';

const START_MS = 120_000;

describe('the start page of the host', () => {
  let host: OwnHost;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    host = new OwnHost();
    await host.start();
  }, START_MS);
  afterAll(async () => {
    await host?.remove();
    Logger.overrideLogger(undefined as never);
  });

  const get = (path: string) => fetch(host.url + path);

  it('is found at the address that the host prints, and each of its links leads somewhere', async () => {
    const answer = await get('/');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const links = [...(await answer.text()).matchAll(/href="([^"]+)"/g)].map(([, link]) => link!);
    expect(links).toEqual(['/studio', '/workflows/hello/Ann?from=tour', '/docs', '/health']);
    for (const link of links) expect([link, (await get(link)).status]).toEqual([link, 200]);
  });

  it('leaves all other paths as they are', async () => {
    expect((await get('/nothing')).status).toBe(404);
    expect((await fetch(`${host.url}/`, { method: 'POST' })).status).toBe(404);
  });
});

@Controller()
class OwnPage {
  @Get() get(): string {
    return 'mine';
  }
}
@Controller()
class OwnPages {
  @Get('*') get(): string {
    return 'mine';
  }
}

describe('the start page in an application with pages of its own', () => {
  it.each<[string, Type]>([
    ['at that path', OwnPage],
    ['at every path', OwnPages],
  ])('the start page gives way to a route %s', async (_, controller) => {
    @Module({ controllers: [controller], providers: [StartPage] })
    class OwnModule {}
    const app = await NestFactory.create<NestFastifyApplication>(OwnModule, new FastifyAdapter(), { logger: false });
    await app.init();
    expect((await app.inject({ method: 'GET', url: '/' })).body).toBe('mine');
    await app.close();
  });
});
