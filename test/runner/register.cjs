const nodeModule = require('node:module');
const { pathToFileURL } = require('node:url');
const { useCache } = require('./transform.cjs');

let isRegistered = false;

/** From now on this process imports TypeScript. @param cacheDirectory where what has been compiled is kept */
exports.registerHooks = (cacheDirectory) => {
  if (isRegistered) return;
  isRegistered = true;
  useCache(cacheDirectory);
  // Since Node 22.15 in the thread itself; before in one of their own.
  if (nodeModule.registerHooks) nodeModule.registerHooks(require('./hooks.cjs'));
  else nodeModule.register('./hooks.cjs', pathToFileURL(__filename), { data: { cacheDirectory } });
};
