import type { Total } from '../api/definitions.js';
import { listTexts } from './lists.js';
import { number } from './lists.js';

export const workflowTexts = {
  title: 'Workflows',
  search: 'Search by name, description or id',
  filters: {
    state: 'State',
    states: { published: 'Published', draft: 'With a draft' },
    origin: 'Origin',
    origins: { stored: 'Drawn or imported', code: 'From code' },
    any: 'Any',
    clear: 'Clear filters',
  },
  columns: {
    select: 'Selection',
    name: 'Name',
    state: 'State',
    version: 'Version',
    created: 'Changed',
    actions: 'Actions',
  },
  selectAll: 'Select all on this page',
  select: (name: string) => `Select ${name}`,
  selected: (count: number) => `${number(count)} selected`,
  states: {
    draft: 'Draft',
    published: 'Published',
    changed: (published: number) => `Published ${published}, draft is newer`,
  },
  fromCode: 'From code',
  actionsOf: (name: string) => `Actions for ${name}`,
  actions: {
    open: 'Open',
    run: 'Run',
    instances: 'Show instances',
    standing: 'Where instances stand',
    versions: 'Versions',
    publish: 'Publish',
    retract: 'Retract',
    rename: 'Rename',
    duplicate: 'Duplicate',
    export: 'Export',
    delete: 'Delete',
  },
  empty: {
    title: 'No workflow yet',
    none: 'There is no workflow yet.',
    lead: 'Start with a template and change it, or import definitions of Elsa or Waymark.',
    nothingFound: 'No workflow matches.',
  },
  create: {
    action: 'New workflow',
    title: 'New workflow',
    name: 'Name',
    id: 'Id',
    idHint: 'The name that programs use. It cannot be changed later.',
    template: 'Start with',
    submit: 'Create',
    templates: {
      empty: { name: 'Empty', about: 'An empty canvas for a flowchart.' },
      sequence: { name: 'Sequence', about: 'Activities that run one after the other.' },
      http: { name: 'HTTP answer', about: 'Answers a request at an address of its own.' },
      approval: { name: 'Approval', about: 'Waits for a decision, then goes one of two ways.' },
      nightly: { name: 'Nightly job', about: 'Starts by itself every night at two.' },
      machine: { name: 'State machine', about: 'An order that goes from state to state as events come.' },
    },
  },
  import: {
    action: 'Import',
    title: 'Import workflows',
    lead: 'Drop definition files (JSON) or archives (ZIP) here. They become drafts; a definition that is there gets a new draft.',
    choose: 'Choose files',
    submit: (count: number) => (count === 1 ? 'Import 1 file' : `Import ${number(count)} files`),
    remove: (name: string) => `Leave out ${name}`,
    done: (count: number) => (count === 1 ? '1 workflow imported.' : `${number(count)} workflows imported.`),
    nothing: 'The files do not contain a definition.',
    failed: (count: number) => (count === 1 ? 'One could not be imported:' : `${number(count)} could not be imported:`),
    failedOf: (file: string, definitionId: string | undefined) =>
      definitionId === undefined ? file : `${definitionId} in ${file}`,
    kept: (count: number) =>
      count === 1
        ? 'One was not imported, because it has an unpublished draft:'
        : `${number(count)} were not imported, because they have unpublished drafts:`,
    keptDraft: (version: number) => `draft of version ${version}`,
    keptLead: 'A draft is in no version: replaced, it cannot be brought back.',
    replace: (count: number) => (count === 1 ? 'Replace the draft' : `Replace ${number(count)} drafts`),
    close: 'Close',
    dropHere: 'Drop to import',
  },
  rename: { title: 'Rename', submit: 'Rename', done: 'Renamed.' },
  duplicate: {
    title: 'Duplicate',
    submit: 'Duplicate',
    copyOf: (name: string) => `${name} (copy)`,
    lead: 'The copy is a draft with its own id. Instances stay with the original.',
    done: 'Duplicated.',
  },
  publish: {
    title: 'Publish',
    submit: 'Publish',
    lead: (count: number) =>
      count === 1
        ? 'New instances use the draft from now on. Running instances stay on their version. Its triggers start listening.'
        : `New instances of ${number(count)} workflows use their drafts from now on. Instances that run stay on their versions.`,
    done: (count: number) => (count === 1 ? 'Published.' : `${number(count)} published.`),
    unchanged: (count: number) => `${number(count)} had no draft to publish.`,
    failed: (name: string, others: number) =>
      others > 0 ? `${name} and ${others} more were not published. ${name}` : `${name} was not published`,
  },
  retract: {
    title: 'Retract',
    submit: 'Retract',
    lead: (count: number) =>
      `${count === 1 ? 'Nothing starts it' : `Nothing starts these ${number(count)} workflows`} any more: triggers stop listening. Running instances continue.`,
    done: (count: number) => (count === 1 ? 'Retracted.' : `${number(count)} retracted.`),
    unchanged: (count: number) => `${number(count)} were not published.`,
    failed: (name: string, others: number) =>
      others > 0 ? `${name} and ${others} more were not retracted. ${name}` : `${name} was not retracted`,
  },
  delete: {
    title: (count: number) => (count === 1 ? 'Delete workflow' : `Delete ${number(count)} workflows`),
    submit: 'Delete',
    lead: 'This cannot be undone. It deletes',
    versions: 'all versions',
    instances: (total: Total) =>
      total.totalCount === 0
        ? 'no instances: there are none'
        : total.totalCount === 1
          ? '1 instance with its journal'
          : `${listTexts.count(total)} instances with their journals`,
    running: (total: Total) =>
      `${listTexts.count(total)} of them ${total.totalCount === 1 ? 'runs or waits' : 'run or wait'}, and will be cancelled first`,
    more: (count: number) => ` and ${count.toLocaleString('en')} more`,
    consumers: (names: string) => `Other workflows use it and will fail: ${names}`,
    consumersOf: (count: number) => `Which other workflows use them was looked up for the first ${number(count)} only.`,
    done: (count: number) => (count === 1 ? 'Deleted.' : `${number(count)} deleted.`),
    plan: 'There are many instances: the server deletes them in the background, the workflows after them.',
  },
  overtaken: {
    title: 'Another person has saved this workflow',
    publishedTitle: 'Another person has published this workflow',
    unchanged: 'Nothing was changed.',
    notDeleted: 'It was not deleted.',
    lead: 'What they have saved since this question was asked:',
    published: 'It has been published since this question was asked.',
    anyway: (action: string) => `${action} anyway`,
  },
  skipped: (count: number) =>
    `${number(count)} from code ${count === 1 ? 'was' : 'were'} left as ${count === 1 ? 'it is' : 'they are'}.`,
  exported: (count: number) => (count === 1 ? 'Exported 1 workflow.' : `Exported ${number(count)} workflows.`),
  page: {
    overview: 'Overview',
    versions: 'Versions',
    id: 'Id',
    description: 'Description',
    noDescription: 'No description.',
    latest: 'Latest',
    published: 'Published',
    version: 'Version',
    changed: 'Changed',
    older: (count: number) => `Older versions (${number(count)})`,
    rollback: 'Roll back',
    rollbackTitle: (version: number) => `Roll back to version ${version}`,
    rollbackLead: (version: number) =>
      `Version ${version} becomes the new draft. What is published stays until you publish the draft.`,
    rolledBack: (version: number) => `Version ${version} is the draft now.`,
    deleteVersion: 'Delete version',
    deleteVersionTitle: (version: number) => `Delete version ${version}`,
    deleteVersionLead: 'Instances of this version are cancelled and deleted with it. This cannot be undone.',
    deletedVersion: 'Version deleted.',
    deleteVersionPlan: 'It has many instances: the server deletes them in the background, the version after them.',
    exportVersion: 'Export',
    readonly: 'This workflow is from code: it is changed there.',
    showInstances: 'Instances',
  },
} as const;
