import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { ROOT } from './code-blocks.js';

/** What readers of the API reference open first, by the file that declares it: each shows how it is used. */
const ENTRY_POINTS: Readonly<Record<string, readonly string[]>> = {
  'core/src/activities/decorators.ts': ['Activity', 'Trigger', 'Input', 'Output', 'Port'],
  'core/src/execution/activity-base.ts': ['ActivityBase', 'TriggerBase'],
  'core/src/builder/activity.ts': ['activity', 'trigger'],
  'core/src/builder/containers.ts': ['sequence', 'parallel', 'fork'],
  'core/src/builder/loops.ts': ['forEach', 'parallelForEach', 'forLoop', 'whileLoop'],
  'core/src/builder/branches.ts': ['ifElse', 'switchOn', 'when'],
  'core/src/builder/scopes.ts': ['tryCatch', 'catchError', 'compensable', 'timeout'],
  'core/src/builder/flowchart.ts': ['flowchart'],
  'runtime/src/code-first/workflow-decorator.ts': ['Workflow'],
  'runtime/src/services/instance-services.ts': ['IWorkflowRuntime', 'IWorkflowStarter'],
  'runtime/src/services/bookmark-services.ts': ['IBookmarkResumer', 'IBookmarkQueue'],
  'runtime/src/services/stimulus-services.ts': [
    'IStimulusSender',
    'IStimulusDispatcher',
    'IEventPublisher',
    'ITaskReporter',
  ],
  'runtime/src/services/user-task-services.ts': ['IUserTaskService', 'UserTaskAuthorizer'],
  'runtime/src/services/scheduler-services.ts': ['IWorkflowScheduler'],
  'runtime/src/services/dispatch-services.ts': ['IWorkflowDispatcher'],
  'runtime/src/services/definition-services.ts': ['IWorkflowDefinitionPublisher'],
  'runtime/src/services/transaction-services.ts': ['IWorkflowTransactions'],
  'nestjs/src/workflow.module.ts': ['WorkflowModule'],
  'api/src/module/workflow-api.module.ts': ['WorkflowApiModule'],
  'studio/src/module/studio.module.ts': ['StudioModule'],
  'typeorm/src/typeorm-persistence.ts': ['TypeOrmPersistence'],
  'testing/src/test-bed/workflow-test-bed.ts': ['WorkflowTestBed'],
};

/** An `@example`, a fenced or indented block, or code that calls it in the text: of the declaration, or of one of its members. */
const EXAMPLE = /@example|```ts|^ \* {5}\S|`[\w.]+\([^`]{8,}\)`/m;

describe.each(Object.entries(ENTRY_POINTS))('the TSDoc of %s', (file, names) => {
  const full = path.join(ROOT, 'libs', file);
  const source = ts.createSourceFile(full, readFileSync(full, 'utf8'), ts.ScriptTarget.Latest, true);

  it.each(names)('shows how %s is used', (name) => {
    const found = source.statements.filter(
      (node) => (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) && node.name?.text === name,
    );
    const members = found.flatMap((node) => (ts.isClassDeclaration(node) ? [...node.members] : []));
    const comments = [...found, ...members]
      .flatMap((node) => ts.getJSDocCommentsAndTags(node))
      .map((doc) => doc.getText());
    expect(comments.join('\n')).toMatch(EXAMPLE);
  });
});
