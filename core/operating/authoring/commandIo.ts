/** The environment and the output of a subcommand. */
export interface PluginCommandIo {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes a line to the standard output. */
  readonly write: (line: string) => void;
  /** Writes a line for people that is not part of a report. */
  readonly note: (line: string) => void;
}
