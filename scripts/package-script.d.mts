export function packageScript(
  root: string,
  name: string,
  options?: {
    readonly args?: readonly string[];
    readonly isPrepared?: boolean;
    readonly env?: Readonly<NodeJS.ProcessEnv>;
  },
): { readonly command: string; readonly args: string[]; readonly env: NodeJS.ProcessEnv };
