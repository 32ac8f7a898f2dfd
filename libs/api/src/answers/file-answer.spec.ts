import { dispositionOf } from './file-answer.js';

describe('dispositionOf', () => {
  it('names plain files as the reference does', () => {
    expect(dispositionOf('workflow-definitions.zip')).toBe(
      "attachment; filename=workflow-definitions.zip; filename*=UTF-8''workflow-definitions.zip",
    );
  });

  it('names no folders', () => {
    expect(dispositionOf('../../etc/passwd')).toBe("attachment; filename=passwd; filename*=UTF-8''passwd");
    expect(dispositionOf('..')).toBe("attachment; filename=file; filename*=UTF-8''file");
  });

  it('names files with unpaired surrogates', () => {
    expect(dispositionOf('a\ud800b\udc00.json')).toBe(
      "attachment; filename=a_b_.json; filename*=UTF-8''a%EF%BF%BDb%EF%BF%BD.json",
    );
    expect(dispositionOf('\u{1f600}.json')).toContain("UTF-8''%F0%9F%98%80.json");
  });

  it('escapes quotes and line breaks', () => {
    expect(dispositionOf('a"; x=é\r\n.json')).toBe(
      `attachment; filename="a__ x=___.json"; filename*=UTF-8''a%22%3B%20x%3D%C3%A9%0D%0A.json`,
    );
  });
});
