/** The environment of a subcommand, and where its output goes. */
export interface PluginCommandIo {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes a line of the result to the standard output. */
  readonly write: (line: string) => void;
  /** Writes a message for people that is not part of a report. */
  readonly note: (line: string) => void;
  /** Resolves when nobody reads the standard output any more. Absent: the output is read until the end. */
  readonly outputClosed?: Promise<void>;
}
