import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { IWorkflowDefinitionPublisher, IWorkflowRuntime, WorkflowModule } from '@waymark/nestjs';

const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../docs/definition-files.md'), 'utf8');

it('shows a definition that runs from its folder, and how it is retracted', async () => {
  const [, example] = /^```json\n(\{\n {2}"definitionId".*?)^```$/ms.exec(PAGE)!;
  const folder = mkdtempSync(path.join(tmpdir(), 'definition-files-'));
  writeFileSync(path.join(folder, 'greeting.json'), example!);
  const lines: string[] = [];
  const options = { definitionFolders: [folder], writeLine: (text: string) => void lines.push(text) };
  const app = await Test.createTestingModule({ imports: [WorkflowModule.forRoot(options)] }).compile();
  try {
    await app.init();
    const client = await app.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: 'greeting', input: { who: 'Mia' } });
    expect(lines).toEqual(['Hello, Mia']);
    await app.get(IWorkflowDefinitionPublisher).retract('greeting');
    await expect(client.createAndRunInstance({ definition: 'greeting' })).rejects.toMatchObject({ code: 'WM1020' });
  } finally {
    await app.close();
    rmSync(folder, { recursive: true });
  }
});
