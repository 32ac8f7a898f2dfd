import { foldTemplate } from './template-case.js';

describe('case of templates', () => {
  it.each([
    ['/Orders/{Id}', '/orders/{id}'],
    ['/a/{Id:INT}', '/a/{id:int}'],
    ['/a/{Id:Regex(^\\D+$)}/B', '/a/{id:regex(^\\D+$)}/b'],
    ['/a/{Id:regex(^(A|\\()\\W{{2}}$):Length(3)=Default}', '/a/{id:regex(^(A|\\()\\W{{2}}$):length(3)=Default}'],
    ['/{{A}}/{*Rest}', '/{{a}}/{*rest}'],
    ['/{A}-{B:regex(\\S)}.{Ext?}', '/{a}-{b:regex(\\S)}.{ext?}'],
    ['/{A:regex([)', '/{a:regex([)'],
    ['/{A:regex([)}', '/{a:regex([)}'],
    ['/İ/{A=İ}', '/i̇/{a=İ}'],
    ['/PLAIN', '/plain'],
  ])('%s is folded to %s', (template, folded) => {
    expect(foldTemplate(template)).toBe(folded);
    expect(foldTemplate(folded)).toBe(folded);
  });
});
