/** `providerName` of definitions that come from files. */
export const FILE_PROVIDER = 'Files';
