import { describe, expect, it } from '@jest/globals';
import { camelCase, pascalCase, pascalize, titleWords } from './names.js';

describe('camelCase', () => {
  it.each([
    ['SupportedMethods', 'supportedMethods'],
    ['supportedMethods', 'supportedMethods'],
    ['URL', 'url'],
    ['URLPath', 'urlPath'],
    ['IOStream', 'ioStream'],
    ['ID', 'id'],
    ['X', 'x'],
    ['XMLHttpRequest', 'xmlHttpRequest'],
    ['HTTP2', 'httP2'],
    ['URL Path', 'url Path'],
    ['I', 'i'],
    ['_Private', '_Private'],
    ['Ärger', 'ärger'],
    ['', ''],
  ])('writes %j as %j, like System.Text.Json', (name, expected) => {
    expect(camelCase(name)).toBe(expected);
  });
});

describe('pascalCase', () => {
  it.each([
    ['supportedMethods', 'SupportedMethods'],
    ['URL', 'URL'],
    ['x', 'X'],
    ['', ''],
  ])('writes %j as %j', (name, expected) => {
    expect(pascalCase(name)).toBe(expected);
  });
});

describe('pascalize', () => {
  it.each([
    ['Atom Activity', 'AtomActivity'],
    ['order-shipped', 'OrderShipped'],
    ['send_the  mail', 'SendTheMail'],
    ['Step 1', 'Step1'],
    ['already Pascal', 'AlreadyPascal'],
    ['keepsINNERCase', 'KeepsINNERCase'],
    [' padded ', 'Padded'],
    ['', ''],
  ])('makes %j into %j', (text, expected) => {
    expect(pascalize(text)).toBe(expected);
  });
});

describe('titleWords', () => {
  it.each([
    ['ForEach', 'For Each'],
    ['WriteHttpResponse', 'Write Http Response'],
    ['HTTPEndpoint', 'HTTP Endpoint'],
    ['ParallelForEach', 'Parallel for Each'],
    ['StartAt', 'Start at'],
    ['ExpectedStatusCodes', 'Expected Status Codes'],
    ['URL', 'URL'],
    ['Http2Server', 'Http2 Server'],
    ['customerId', 'Customer Id'],
    ['snake_case-name', 'Snake Case Name'],
    ['', ''],
  ])('makes %j into %j', (name, expected) => {
    expect(titleWords(name)).toBe(expected);
  });
});
