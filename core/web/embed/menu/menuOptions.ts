import type { AlertSubject } from "./alertSubject.ts";
import type { FileType } from "./fileTypes.ts";

/** What a menu offers, and how it creates files. The functions are called when the menu needs their values. */
export interface MenuOptions {
  /** Whether the button shows its name; otherwise it shows three dots. */
  readonly isNamed: boolean;
  localeId(): string;
  /** Title of the dashboard or item: part of the button's name, and name of the files. */
  title(): string;
  /** The types of files to offer. */
  types(): readonly FileType[];
  /** Creates a file. If it rejects, the menu shows the reason. */
  create(type: FileType): Promise<Blob>;
  /** Returns the subject of a new alert; undefined if the reader cannot create one here. */
  alert(): AlertSubject | undefined;
  /** Returns how to tell which rows are shown, as sentences; undefined if nothing shows rows here. */
  rows(): (() => Promise<readonly string[]>) | undefined;
  /** Returns the message that readers see for a failure. */
  explain(failure: unknown): string;
  /** Called when the script of the menu cannot be loaded. The button then says "Try again". */
  onFailure(failure: unknown): void;
}
