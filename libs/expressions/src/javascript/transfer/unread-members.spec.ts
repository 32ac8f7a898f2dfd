import { describe, expect, it, jest } from '@jest/globals';
import { withUnreadMember } from '@waymark/core/adapter';
import { KeptContents } from './kept-contents.js';
import { packAsText as pack } from './pack.js';
import { unpack } from './unpack.js';

describe('members that are read when they are asked for', () => {
  const content = new Uint8Array([1, 2, 3]);
  const make = () => {
    const read = jest.fn(() => content);
    return { read, file: withUnreadMember({ name: 'a' }, 'bytes', read) };
  };

  it('members that are read when they are asked for cross without being read, and are read when the script reads them', () => {
    const { read, file } = make();
    const contents = new KeptContents();
    const packed = pack({ file, same: file, more: new Date(0) }, contents);
    expect(read).not.toHaveBeenCalled();
    // A member that has changed is told by its number.
    expect(pack({ file, same: file, more: new Date(0) }, contents)).toEqual(packed);
    expect(unpack(packed, contents)).toMatchObject({ file: { name: 'a', bytes: content } });
    expect(contents.find(1)).toBeUndefined();
  });

  it('members that are read when they are asked for cross with their object where nothing keeps them', () => {
    const { file } = make();
    expect(unpack(pack(file))).toEqual({ name: 'a', bytes: content });
  });
});
