/** Where backups are kept: named bytes, in folders divided by "/". */
export interface Place {
  /** For people; holds no credentials. */
  readonly title: string;
  /** Undefined when there is nothing of that name. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Writes whole or not at all; what it wrote survives a crash. Replaces what has the name. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Writes parts one after another, as one piece. It is there, and survives a crash, once `settle` has returned. The
   * bytes may change after the call.
   */
  stage(name: string, parts: readonly Uint8Array[]): Promise<void>;
  /** Waits until all that was staged is there. */
  settle(): Promise<void>;
  /** Removes what writers that died a day ago or earlier have left behind. */
  clean(): Promise<void>;
  /** The names below a folder, with the folder. */
  list(folder: string): Promise<readonly string[]>;
  /** Removes what has the name, if there is something. */
  remove(name: string): Promise<void>;
}
