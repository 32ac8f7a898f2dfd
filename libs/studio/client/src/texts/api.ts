interface StatusText {
  readonly title: string;
  readonly wayOn: string;
}

/** What went wrong between the browser and the server. */
export const apiTexts = {
  statuses: {
    [-1]: { title: 'Something went wrong in this page.', wayOn: 'Load the page again.' },
    0: { title: 'The server does not answer.', wayOn: 'Check that it runs and that you are online, then try again.' },
    400: { title: 'The server rejected this.', wayOn: 'Correct the problem, then try again.' },
    401: { title: 'You are not logged in.', wayOn: 'Log in, then try again.' },
    403: {
      title: 'You do not have permission to do this.',
      wayOn: 'Ask an administrator for the permission, or log in as another user.',
    },
    404: {
      title: 'This does not exist, or no longer exists.',
      wayOn: 'Go back to the list: it may have been deleted.',
    },
    409: { title: 'It has changed in the meantime.', wayOn: 'Load it again, look at what changed, then decide.' },
    412: { title: 'It has changed in the meantime.', wayOn: 'Load it again, look at what changed, then decide.' },
    413: { title: 'This is too large for the server.', wayOn: 'Send less at once, or raise the limit that it names.' },
    429: { title: 'Too many attempts.', wayOn: 'Wait a while, then try again.' },
    501: { title: 'This application does not support this.', wayOn: 'Ask its developers to enable it.' },
    503: { title: 'The server cannot answer now.', wayOn: 'Try again in a moment.' },
  } as Readonly<Record<number, StatusText>>,
  /** By the code of the server, where the status says too little. */
  codes: {
    WM1054: {
      title: 'What is stored here is damaged.',
      wayOn: 'Nothing else is affected. Once the row is repaired, try again.',
    },
  } as Readonly<Record<string, StatusText>>,
  noDefinition: (id: string) => `There is no workflow “${id}”.`,
  serverError: {
    title: 'The server failed to do this.',
    wayOn: 'Try again; if it fails again, the log of the server has the details.',
  },
  refused: { title: 'The server refused this.', wayOn: 'Load the page again, then try again.' },
  retryAfter: (seconds: number) => `Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
} as const;
