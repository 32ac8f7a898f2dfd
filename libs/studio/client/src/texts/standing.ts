export const standingTexts = {
  title: (workflow: string) => `Where ${workflow} stands`,
  version: 'Version',
  versionOf: (version: number, running: number, faulted: number) =>
    `Version ${version}: ${running.toLocaleString('en')} running, ${faulted.toLocaleString('en')} faulted`,
  nodes: 'By activity',
  waiting: (count: string) => `${count} wait`,
  faulted: (count: string) => `${count} failed`,
  longest: 'the longest for',
  newest: 'the newest',
  unknownPlace: 'Place not known',
  unknownHint: 'Instances that a server of an older version has stored. It becomes known when they continue.',
  elsewhere: (count: string) => `${count} execute now, or wait for work in the background.`,
  partly: 'There are more instances than were looked at: these are a part of them.',
  faultedPartly: 'Of those that failed, the newest 100 are shown.',
  empty: {
    title: 'No instance stands anywhere',
    lead: 'None is running, and none has faulted. Start the workflow, and its instances appear here, where they wait.',
  },
  gone: 'This version of the workflow has been deleted: there is no picture of it.',
  instances: 'Running instances',
  failures: 'Faulted instances',
} as const;
