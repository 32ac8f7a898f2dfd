interface Framework {
  initialize(options: { readonly sendMessageToJest?: () => void; readonly testPath: string }): unknown;
}

/** @returns the framework; unless a terminal shows the tests of a file while it runs, one that sends no messages about them */
export function withoutMessages(framework: Framework): Framework;
