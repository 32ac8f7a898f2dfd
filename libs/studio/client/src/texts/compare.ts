export const compareTexts = {
  title: 'Compare versions',
  from: 'From',
  to: 'To',
  version: (version: number) => `Version ${version}`,
  same: 'There is no difference in what they do.',
  picture: 'Differences on the picture',
  list: 'Differences',
  kinds: { added: 'Added', removed: 'Removed', changed: 'Changed', moved: 'Moved' },
  counts: (added: number, removed: number, changed: number) =>
    `${added} added, ${removed} removed, ${changed} changed activities`,
  connections: 'Connections',
  connection: (source: string, port: string, target: string) => `${source} · ${port} → ${target}`,
  settings: 'Workflow',
  before: 'Before',
  after: 'After',
  nothing: 'nothing',
  onlyOne: 'There is only one version. A second one begins with the first change after publishing.',
} as const;
