import type { CodeWorkflow } from '../code-workflow.js';
import type { CodeWorkflowStore } from '../code-workflow-store.js';
import type { WorkflowEngine } from '../../engine/workflow-engine.js';
import { WorkflowLogger } from '../../logging/workflow-logger.js';
import { readDefinitions } from '../../definitions/readable-definitions.js';
import type { LoadedDefinition } from '../../persistence/definition-store.js';
import type { WorkflowPersistence } from '../../persistence/workflow-persistence.js';
import { DefinitionFileError } from './definition-file-errors.js';
import { FILE_PROVIDER } from './file-provider.js';
import { type FileWorkflow, inFile, readFileWorkflow } from './file-workflow.js';
import { findDefinitionFiles } from './find-definition-files.js';

/** Workflows that one warning names. */
const MOST_NAMED = 10;

/** The definition files of the option `definitionFolders`. */
export class DefinitionFiles {
  private readonly logger = new WorkflowLogger('Workflow');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly engine: WorkflowEngine,
    private readonly folders: readonly string[],
    private readonly maxActivities: number,
  ) {}

  /**
   * Reads all files. @param classes the workflow classes of this node, whose definitions no file may have
   * @throws DefinitionFileError (`WM1050`)
   */
  async readAll(classes: readonly CodeWorkflow[]): Promise<FileWorkflow[]> {
    const { activities: registry, types, expressions, newId } = this.engine;
    const ctx = { registry, types, expressions, newId: () => newId(), maxActivities: this.maxActivities };
    const files: FileWorkflow[] = [];
    for (const file of await findDefinitionFiles(this.folders)) files.push(await readFileWorkflow(file, ctx));
    for (const { source, definitionId } of files) {
      const others = [...files, ...classes].filter((w) => w.definitionId === definitionId && w.source !== source);
      if (others.length > 0)
        throw new DefinitionFileError(
          source,
          'definitionId',
          `'definitionId' is '${definitionId}', as in ${others.map((w) => w.source).join(', ')}. Keep one of them: earlier versions need no ` +
            'file, since the database has them.',
        );
    }
    return files;
  }

  /** Stores and publishes a file, after the workflows that it uses. @throws DefinitionFileError (`WM1050`) */
  async ensure(file: FileWorkflow, store: CodeWorkflowStore): Promise<void> {
    for (const warning of file.warnings) this.logger.warn(`Definition file ${file.source}: ${warning}`);
    try {
      await store.ensure(file.after.length > 0 ? await file.reread() : file, true);
    } catch (error) {
      throw inFile(file.source, error);
    }
  }

  /** Retracting them at start would stop workflows whose files only a newer deployment has. */
  async reportRemoved(files: readonly FileWorkflow[]): Promise<void> {
    const filter = { isReadonly: true, materializerName: 'Json', versionOptions: 'Published' } as const;
    const { definitions } = this.persistence;
    const present = new Set(files.map((file) => file.definitionId));
    const absent = (await definitions.findVersions(filter)).filter((d) => !present.has(d.definitionId));
    const removed: LoadedDefinition[] = [];
    // A version that cannot be read must not keep the node from starting. Its error is reported where it is used.
    await readDefinitions(definitions, absent, (d) => {
      if (d.providerName === FILE_PROVIDER) removed.push(d);
    });
    if (removed.length === 0) return;
    const names = removed
      .slice(0, MOST_NAMED)
      .map(({ definitionId, version }) => `'${definitionId}', version ${version}`);
    const more = removed.length > MOST_NAMED ? ` and ${removed.length - MOST_NAMED} more` : '';
    this.logger.warn(
      `${removed.length === 1 ? 'Workflow' : 'Workflows'} ${names.join('; ')}${more}: published, from files that this node does not have. ` +
        `They continue running. If a file was removed on purpose, call retract('${removed[0]!.definitionId}') of IWorkflowDefinitionPublisher.`,
    );
  }
}
