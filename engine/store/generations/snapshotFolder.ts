/**
 * The folder within a store for the second names of its files. If a crash left it behind, it is removed the next time
 * the store is opened.
 */
export const snapshotFolder = "snapshot";
