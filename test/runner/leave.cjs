// How a worker ends when all tests are over.

/** What Jest says to its workers then. */
const END = 2;

/**
 * At once when nothing is open: giving back a heap like a worker's takes Node half a second and more. Else soon, and says what is
 * open: Jest would wait ten seconds (`workerGracefulExitTimeout`), and not say it.
 */
exports.leaveAtTheEnd = (patienceMs = 1000) => {
  if (!process.send || !process.env.JEST_WORKER_ID) return;
  process.once('beforeExit', () => process.exit());
  process.on('message', function leave([kind]) {
    if (kind !== END) return;
    // A listener keeps the channel to Jest open, and with it the process.
    process.removeListener('message', leave);
    setTimeout(() => {
      const open = process.getActiveResourcesInfo().join(', ');
      // Nothing: the machine is too busy to have come to the end by itself.
      if (open !== '')
        process.stderr.write(
          `Left open when all tests had ended: ${open}. WAYMARK_TEST_COST=file finds the specification.\n`,
        );
      process.exit();
    }, patienceMs).unref();
  });
};
