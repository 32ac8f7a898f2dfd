type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The storage of the browser, asked for at each use: where people do not allow it, its mention alone throws. */
export const shelfOf = (storage: () => Storage): Shelf => ({
  getItem: (name) => storage().getItem(name),
  setItem: (name, text) => storage().setItem(name, text),
  removeItem: (name) => storage().removeItem(name),
});

/** The same where Studio can do without: nothing is found there, and what has no room or is not allowed is not written. */
export const lenientShelfOf = (storage: () => Storage): Shelf => {
  const shelf = shelfOf(storage);
  const tried = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch {
      return otherwise;
    }
  };
  return {
    getItem: (name) => tried(() => shelf.getItem(name), null),
    setItem: (name, text) => tried(() => shelf.setItem(name, text), undefined),
    removeItem: (name) => tried(() => shelf.removeItem(name), undefined),
  };
};

/** Of all tabs. */
export const ofBrowser = lenientShelfOf(() => localStorage);
/** Of this tab. */
export const ofTab = lenientShelfOf(() => sessionStorage);
