/** The surroundings of a subcommand. */
export interface PluginCommandIo {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes a line for the standard output. */
  readonly write: (line: string) => void;
  /** Takes a line for people, which is not part of a report. */
  readonly note: (line: string) => void;
}
