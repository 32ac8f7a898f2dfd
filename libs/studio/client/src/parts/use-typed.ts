import { useState } from 'react';

/**
 * What is typed into a field for date and time stays as it is typed while it is the value. Written anew from the value, it changes below the
 * hand: on its way to 2026 a year is 2, 20 and 202, in which clocks were apart by seconds that the field does not show.
 * @param textOf of a value that comes from elsewhere
 */
export function useTyped<V>(value: V, textOf: (value: V) => string) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: V }>();
  return {
    text: typed !== undefined && Object.is(typed.value, value) ? typed.text : textOf(value),
    type: (text: string, next: V) => setTyped({ text, value: next }),
  };
}
