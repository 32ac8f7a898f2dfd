// Written by scripts/app-versions.mjs from the manifest of the repository; part of the build.

/** Version of all packages of Waymark. */
export const WAYMARK_VERSION = '0.1.0';

/** Packages of others in the versions that Waymark is tested with. */
export const VERSIONS = {
  '@jest/globals': '30.5.2',
  '@nestjs/common': '12.5.1',
  '@nestjs/core': '12.5.1',
  '@nestjs/event-emitter': '12.0.1',
  '@nestjs/platform-express': '12.5.1',
  '@nestjs/platform-fastify': '12.5.0',
  '@nestjs/schedule': '12.0.2',
  '@nestjs/testing': '12.1.1',
  '@swc/core': '1.16.18',
  '@swc/jest': '0.2.39',
  '@types/jest': '30.0.0',
  '@types/node': '20.19.43',
  'better-sqlite3': '12.11.1',
  jest: '30.5.2',
  mysql2: '3.24.5',
  pg: '8.23.1',
  'reflect-metadata': '0.2.2',
  rxjs: '7.8.2',
  typeorm: '1.1.1',
  typescript: '6.0.3',
} as const;

/** What differs for an application on NestJS 11. */
export const NEST_11_VERSIONS = {
  '@nestjs/event-emitter': '3.1.0',
  '@nestjs/schedule': '6.1.3',
} as const;

/** Versions that Waymark's packages accept of the packages of an application, as ranges that all have to hold. */
export const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  '@elsa-workflows/elsa-studio-wasm': ['^3.8.0'],
  '@nestjs/common': ['^11.0.0 || ^12.0.0'],
  '@nestjs/core': ['^11.0.0 || ^12.0.0'],
  '@nestjs/event-emitter': ['^3.0.0 || ^12.0.0'],
  '@nestjs/schedule': ['^5.0.0 || ^6.0.0 || ^12.0.0'],
  '@nestjs/throttler': ['^6.7.0'],
  '@nestjs/typeorm': ['^11.0.3 || ^12.0.0'],
  'better-sqlite3': ['^12.0.0'],
  'class-transformer': ['^0.5.1'],
  'class-validator': ['^0.14.0 || ^0.15.0'],
  mysql2: ['^3.0.0'],
  pg: ['^8.0.0'],
  'reflect-metadata': ['^0.2.0'],
  rxjs: ['^7.8.0'],
  typeorm: ['^1.1.0'],
  typescript: ['>=5.0.0'],
};
