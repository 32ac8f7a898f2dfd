/**
 * Injected by modules that need the runtime, before any of its services. Where `WorkflowModule` is missing, Nest prints the name of
 * what it cannot inject, so the name says what to do.
 */
export const WORKFLOW_MODULE = 'WorkflowModule.forRoot(…), imported once in the root module,';
