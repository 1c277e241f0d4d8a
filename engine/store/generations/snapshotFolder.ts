/**
 * The folder within a store that contains the second names of its files. If a crash leaves the folder behind, it is
 * removed when the store is opened again.
 */
export const snapshotFolder = "snapshot";
