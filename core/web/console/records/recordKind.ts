import type { nothing, TemplateResult } from "lit";
import type { Found } from "../api/index.ts";
import type { AnswerOf, Calls } from "../../client/index.ts";
import type { Place } from "../navigation/index.ts";
import { type ConsoleContext, type TableColumn } from "../parts/index.ts";

/** A record of a resource, as searches answer it. */
export type RecordOf<Resource extends keyof Calls> =
  AnswerOf<Resource, "get"> extends { readonly rows: ReadonlyArray<infer Row> } ? Row : never;

export type Content = TemplateResult | string | typeof nothing;

/** The list of records that is open. */
export interface RecordPage {
  readonly context: ConsoleContext;
  readonly place: Place;
  /** Changes the query of the address; "" and undefined remove a member. */
  go(changes: Readonly<Record<string, string | undefined>>): void;
  /** Reads the list again. */
  reload(): void;
}

/** The record that is open. */
export interface OpenRecord {
  readonly context: ConsoleContext;
  /** Shows something below the head; `nothing` takes it away. */
  readonly show: (content: Content) => void;
  /** Carries out a change and reads the record again, unless it returns false. A failure is a notice. */
  readonly change: (work: () => Promise<unknown>) => Promise<void>;
}

/** A button, or a link to another page. */
export type RecordAction =
  | { readonly label: string; readonly href: string }
  | {
      readonly label: string;
      readonly look?: "primary" | "danger";
      /** Returns false when the record need not be read again. */
      run(): Promise<unknown>;
    };

/** One record: its head with actions, and what is below. */
export interface RecordViewKind<Shown = unknown> {
  /** The address of the list. */
  readonly path: string;
  readonly words: {
    /** Names the list. */
    readonly title: string;
    /** Said of an id that names no record which the reader sees. */
    readonly absent: string;
    readonly absentText?: string;
  };
  read(context: ConsoleContext, id: string, signal: AbortSignal): Promise<Shown | undefined>;
  nameOf(shown: Shown): string;
  /** Beside the name, such as a badge. */
  mark?(shown: Shown): Content;
  note?(shown: Shown): Content;
  actions(shown: Shown, record: OpenRecord): readonly RecordAction[];
  body(shown: Shown, record: OpenRecord): TemplateResult;
}

/** Records of a kind: the words and columns of their list, where they are found, and the view of one. */
export interface RecordKind<Row extends { readonly id: string } = { readonly id: string }> {
  /** Unique on the page. */
  readonly id: string;
  readonly words: {
    readonly title: string;
    /** Names the search; there is none when left out. */
    readonly search?: string;
    readonly none: string;
    readonly noneText: string;
    readonly nothingFound?: string;
    count(count: number): string;
  };
  columns(page: RecordPage): readonly TableColumn<Row>[];
  find(page: RecordPage, search: string, offset: number, signal?: AbortSignal): Promise<Found<Row>>;
  /** The action where there is no record. */
  readonly begin?: TemplateResult;
  /** Above the list. */
  above?(page: RecordPage): Content;
  /** Beside the search. */
  tools?(page: RecordPage): Content;
  /** Rows are opened only with it. */
  readonly view?: RecordViewKind;
  /** The page of a new record, at `new` below the list. */
  create?(page: RecordPage): TemplateResult;
}
