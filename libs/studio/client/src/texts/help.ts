/** What a room is for, and where the documentation says more. `page` is below the address of the documentation. */
export const helpTexts = {
  open: (title: string) => `Help: ${title}`,
  more: 'Read more in the documentation',
  topics: {
    home: {
      text: 'What runs, waits and fails now. Every figure leads to the list behind it. The last hour counts instances that began and ended; queues are what the runtime still has to do; a node is a process that runs workflows of this database.',
      page: 'studio#operations',
    },
    workflows: {
      text: 'A workflow definition is a blueprint. Drafts can be changed at will; instances are started from the published version.',
      page: 'studio#workflows',
    },
    instances: {
      text: 'An instance is one execution of a workflow. Find it by anything you know of it; filters are in the address, which you can share. Select several to repair them together.',
      page: 'studio#instances',
    },
    instance: {
      text: 'The picture shows what the instance did at each activity, and where it stands now. Select an activity, in the picture or in the journal, to see each of its executions. What failed can be run again or skipped.',
      page: 'studio#instances',
    },
    standing: {
      text: 'Where all instances of the workflow stand now: activities at which many wait or failed are coloured more strongly. A container includes everything inside it.',
      page: 'studio#where-instances-stand',
    },
    tasks: {
      text: 'What workflows wait for people to do. Claim a task, fill in its form, and complete it with an outcome: the workflow continues.',
      page: 'user-tasks',
    },
    schedules: {
      text: 'What starts or resumes workflows at times: triggers of published workflows, and schedules set in the code of the application. Overlap says what happens while an instance runs that the schedule has started; jitter, by how much later it fires.',
      page: 'activities/scheduling#schedules',
    },
    deadLetters: {
      text: 'Work that failed all attempts. Fix the cause, then replay it; or delete it, when it is no longer needed.',
      page: 'operations#dead-letters',
    },
    audit: {
      text: 'Who changed what, when and from where: by Studio, by the API, or in code. Entries are never changed, and are kept as long as the application says.',
      page: 'api#audit-trail',
    },
    settings: {
      text: 'The server of this page, and the others of its database. A pause affects requests, timers and messages alike.',
      page: 'studio#operations',
    },
  },
} as const;

export type HelpTopic = keyof typeof helpTexts.topics;
