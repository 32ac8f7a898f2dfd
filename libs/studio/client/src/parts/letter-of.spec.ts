import { letterOf } from './letter-of.js';

describe('the letter of a shortcut', () => {
  it.each([
    ['z', 'KeyZ', 'z'],
    ['Z', 'KeyZ', 'z'],
    // A German keyboard: the letter that is written on it counts.
    ['z', 'KeyY', 'z'],
    ['я', 'KeyZ', 'z'],
    ['Я', 'KeyZ', 'z'],
    ['ζ', 'KeyZ', 'z'],
    ['ı', 'KeyI', 'i'],
    // Letters at places that have none elsewhere.
    ['х', 'BracketLeft', 'х'],
    ['é', 'Digit2', 'é'],
    ['?', 'Slash', '?'],
    ['+', 'Equal', '+'],
    ['Insert', 'Insert', 'Insert'],
    ['Dead', 'KeyE', 'Dead'],
  ])('is, for the key %s at %s, %s', (key, code, letter) => {
    expect(letterOf({ key, code })).toBe(letter);
  });
});
