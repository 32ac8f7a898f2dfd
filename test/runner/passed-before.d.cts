interface Block {
  readonly children: readonly object[];
}

/** @returns what listens to the events of Jest's framework for that file; undefined when nothing is left out */
export function leaveOutPassed(
  file: string,
): ((event: { readonly name: string }, state: { readonly rootDescribeBlock: Block }) => void) | undefined;
