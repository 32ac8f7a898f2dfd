import { WaymarkError } from '@waymark/core';

/** Thrown when a task does not exist, or the person may not see it; the error is the same. */
export class UserTaskNotFoundError extends WaymarkError {
  readonly code = 'WM2070';
  constructor(
    /** Id of the task. */
    readonly taskId: string,
  ) {
    super(
      `There is no task "${taskId}" that you may see. It may have been deleted together with its workflow instance.`,
    );
  }
}

/** Thrown when the person may see the task, but is not allowed to perform the action. */
export class UserTaskForbiddenError extends WaymarkError {
  readonly code = 'WM2071';
  constructor(
    /** Id of the task. */
    readonly taskId: string,
    /** The person. */
    readonly user: string,
    /** The action that was refused. */
    readonly action: string,
  ) {
    super(
      `User "${user}" may not ${action} task "${taskId}". Its assignee and managers of tasks may; an unclaimed task may also be ` +
        'claimed or completed by its candidates.',
    );
  }
}

/** Thrown when the task has already been completed or cancelled. Nothing was changed. */
export class UserTaskEndedError extends WaymarkError {
  readonly code = 'WM2072';
  constructor(
    /** Id of the task. */
    readonly taskId: string,
    /** How it ended. */
    readonly status: string,
    /** Who completed it. */
    readonly completedBy?: string,
  ) {
    const by = completedBy ? ` by "${completedBy}"` : '';
    super(`Task "${taskId}" was already ${status === 'Completed' ? `completed${by}` : 'cancelled'}. Reload the list.`);
  }
}

/** Thrown when another person has claimed the task. Nothing was changed. */
export class UserTaskClaimedError extends WaymarkError {
  readonly code = 'WM2073';
  constructor(
    /** Id of the task. */
    readonly taskId: string,
    /** Who has it. */
    readonly assignee: string,
  ) {
    super(`Task "${taskId}" is claimed by "${assignee}". Ask for it to be released or delegated.`);
  }
}

/** What is wrong with one field of a form. */
export interface FormProblem {
  /** Path of the field, such as `address.street`; empty for the whole form. */
  readonly field: string;
  /** What is wrong, in a sentence. */
  readonly message: string;
}

/** Thrown when the submitted values do not satisfy the form. The task remains open. */
export class UserTaskFormError extends WaymarkError {
  readonly code = 'WM2074';
  constructor(
    /** Id of the task. */
    readonly taskId: string,
    /** What is wrong, field by field. */
    readonly formProblems: readonly FormProblem[],
  ) {
    const told = formProblems.map(({ field, message }) => (field === '' ? message : `"${field}" ${message}`));
    super(`The form of task "${taskId}" is not filled in correctly: ${told.join(', ')}.`);
  }

  /** Problems by field, as in answers of the management API. */
  get errors(): Readonly<Record<string, readonly string[]>> {
    const byField = new Map<string, string[]>();
    for (const { field, message } of this.formProblems)
      byField.set(`values${field && `.${field}`}`, [...(byField.get(`values${field && `.${field}`}`) ?? []), message]);
    return Object.fromEntries(byField);
  }
}

/** Thrown when a task cannot be completed with the given outcome. */
export class UserTaskOutcomeError extends WaymarkError {
  readonly code = 'WM2075';
  constructor(
    /** Id of the task. */
    readonly taskId: string,
    /** The outcome that was given. */
    readonly outcome: string | undefined,
    /** Outcomes that the task has. */
    readonly outcomes: readonly string[],
  ) {
    super(
      `Task "${taskId}" ${outcome === undefined ? 'needs an outcome' : `has no outcome "${outcome}"`}. ` +
        `Complete it with one of: ${outcomes.map((name) => `"${name}"`).join(', ')}.`,
    );
  }
}

/** Thrown when others changed the task at the same time, in several attempts. Nothing was changed. */
export class UserTaskChangedError extends WaymarkError {
  readonly code = 'WM2076';
  constructor(
    /** Id of the task. */
    readonly taskId: string,
  ) {
    super(`Task "${taskId}" was concurrently modified. Load it again and repeat the change.`);
  }
}

/** Thrown for invalid inputs of a `UserTask` activity. */
export class InvalidUserTaskError extends WaymarkError {
  readonly code = 'WM2077';
}

/** Thrown for an invalid request about tasks: a cursor of another list, a text that is too long, too many groups. */
export class InvalidUserTaskRequestError extends WaymarkError {
  readonly code = 'WM2078';
}
