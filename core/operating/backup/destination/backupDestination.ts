/** Where backups are stored: named bytes, in folders separated by "/". */
export interface BackupDestination {
  /** The name shown to people. It contains no credentials. */
  readonly title: string;
  /** Returns the bytes with a name; undefined if there are none. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Writes all bytes or none, and replaces existing bytes with the name. Once written, they survive a crash. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Writes parts one after another as one file. The file exists, and survives a crash, once `settle` has returned. The
   * bytes may change after the call.
   */
  stage(name: string, parts: readonly Uint8Array[]): Promise<void>;
  /** Waits until all staged files exist. */
  settle(): Promise<void>;
  /** Removes files left by writers that crashed at least a day ago. */
  clean(): Promise<void>;
  /** Lists the names below a folder, including the folder. */
  list(folder: string): Promise<readonly string[]>;
  /** Removes the bytes with a name, if there are any. */
  remove(name: string): Promise<void>;
}
