// Jest's framework tells the parent of each test that it begins and that it has ended, in a message each, with the whole result. What a
// terminal shows of it is a number that counts while a file runs. The result of the file has everything again when it ends: without
// a terminal that shows it, workers and their parent do without twenty thousand messages.

/** Set by global-setup.mjs. */
const isShown = () => process.env.WAYMARK_TEST_SHOWN === '1';

/** @param framework what `jest-circus` runs a file with */
exports.withoutMessages = (framework) =>
  isShown()
    ? framework
    : { ...framework, initialize: (options) => framework.initialize({ ...options, sendMessageToJest: undefined }) };
