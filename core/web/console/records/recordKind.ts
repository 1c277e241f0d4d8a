import type { nothing, TemplateResult } from "lit";
import type { Found } from "../api/index.ts";
import type { AnswerOf, Calls } from "../../client/index.ts";
import type { Route } from "../navigation/index.ts";
import { type ConsoleContext, type TableColumn } from "../parts/index.ts";

/** A record of a resource, in the form in which a search returns it. */
export type RecordOf<Resource extends keyof Calls> =
  AnswerOf<Resource, "get"> extends { readonly rows: ReadonlyArray<infer Row> } ? Row : never;

/** Anything that a template can render. */
export type Content = TemplateResult | string | typeof nothing;

/** The page that lists the records of a kind, as the declaration of the kind uses it. */
export interface RecordPage {
  readonly context: ConsoleContext;
  readonly route: Route;
  /** Changes the query of the address; "" and undefined remove a member. */
  go(changes: Readonly<Record<string, string | undefined>>): void;
  /** Loads the list again. */
  reload(): void;
}

/** The record that is open on the page. */
export interface OpenRecord {
  readonly context: ConsoleContext;
  /** Shows content below the head; `nothing` removes it. */
  readonly show: (content: Content) => void;
  /** Runs a change and loads the record again, unless the change returns false. A failure is shown as a notice. */
  readonly change: (work: () => Promise<unknown>) => Promise<void>;
}

/** A button, or a link to another page. */
export type RecordAction =
  | { readonly label: string; readonly href: string }
  | {
      readonly label: string;
      readonly look?: "primary" | "danger";
      /** Runs the action. Resolves to false if the record need not be loaded again. */
      run(): Promise<unknown>;
    };

/** How one record is shown: its head with actions, and its content. */
export interface RecordViewKind<Shown = unknown> {
  /** Address of the list. */
  readonly path: string;
  readonly words: {
    /** Title of the list, for the link back to it. */
    readonly title: string;
    /** The text that is shown if no record that the reader can see has the id in the address. */
    readonly absent: string;
    readonly absentText?: string;
  };
  read(context: ConsoleContext, id: string, signal: AbortSignal): Promise<Shown | undefined>;
  nameOf(shown: Shown): string;
  /** Returns content that is shown next to the name, such as a badge. */
  mark?(shown: Shown): Content;
  note?(shown: Shown): Content;
  actions(shown: Shown, record: OpenRecord): readonly RecordAction[];
  body(shown: Shown, record: OpenRecord): TemplateResult;
}

/** A kind of records: the labels and columns of the list, how records are found, and how one record is shown. */
export interface RecordKind<Row extends { readonly id: string } = { readonly id: string }> {
  /** Id of the kind, unique on the page. */
  readonly id: string;
  readonly words: {
    readonly title: string;
    /** Label of the search box; absent for a list without search. */
    readonly search?: string;
    readonly none: string;
    readonly noneText: string;
    readonly nothingFound?: string;
    count(count: number): string;
  };
  columns(page: RecordPage): readonly TableColumn<Row>[];
  find(page: RecordPage, search: string, offset: number, signal?: AbortSignal): Promise<Found<Row>>;
  /** The action that is offered if there are no records. */
  readonly begin?: TemplateResult;
  /** Content above the list. */
  above?(page: RecordPage): Content;
  /** Content next to the search box. */
  tools?(page: RecordPage): Content;
  /** The view of one record. Without it, rows cannot be opened. */
  readonly view?: RecordViewKind;
  /** Opens the form for a new record. The list opens it when its address has `new=1`. */
  add?(page: RecordPage): Promise<void>;
  /** The page for a new record, at `new` below the list. */
  create?(page: RecordPage): TemplateResult;
}
