/** Where backups are stored. A destination contains named files, in folders separated by "/". */
export interface BackupDestination {
  /** The name to show to people, without credentials. */
  readonly title: string;
  /** Returns the bytes of a file; undefined if it does not exist. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Writes all bytes of a file or none, and replaces an existing file. Once written, the file survives a crash. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Writes parts one after another as one file. After `settle` has resolved, the file exists and survives a crash. The
   * caller may change the bytes after this call.
   */
  stage(name: string, parts: readonly Uint8Array[]): Promise<void>;
  /** Resolves when all staged files exist and survive a crash. Rejects if a file could not be written. */
  settle(): Promise<void>;
  /** Removes incomplete files of writers that crashed at least a day ago. */
  clean(): Promise<void>;
  /** Lists the files below a folder, with the folder in their names. */
  list(folder: string): Promise<readonly string[]>;
  /** Removes a file if it exists. */
  remove(name: string): Promise<void>;
}
