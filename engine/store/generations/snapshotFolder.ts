/** The folder of a store with the second names of its files; one that a crash left is removed at the next open. */
export const snapshotFolder = "snapshot";
