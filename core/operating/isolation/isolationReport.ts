import type { Members } from "../../base/index.ts";
import type { Ask } from "./asker.ts";

/** A dataset, a dashboard or a column, as someone lists it. */
export interface KnownRecord {
  readonly id: string;
  readonly resource: "securable" | "column";
  readonly type: string;
  readonly names: readonly string[];
  /** The dataset of a column; the record itself otherwise. */
  readonly datasetId: string;
  /** Keys of the tokens that list it. */
  readonly seenBy: ReadonlySet<string>;
}

/** One leak, with the smallest question that shows it. */
export interface Leak {
  /** The key of the token that sees too much. */
  readonly key: string;
  readonly what: string;
  readonly question: { readonly resource: string; readonly body: Members };
  /** Some of what was seen and is not allowed. */
  readonly seen: readonly unknown[];
}

/** A dataset that could not be compared. */
export interface Gap {
  readonly key: string;
  readonly datasetId: string;
  readonly reason: string;
}

export interface IsolationReport {
  /** `issuer`: with the rows that the record allows; `tokens`: with what the two tokens prove of each other. */
  readonly comparedBy: "issuer" | "tokens";
  readonly seed: number;
  readonly questionCount: number;
  readonly datasetCount: number;
  readonly recordCount: number;
  readonly leaks: readonly Leak[];
  readonly gaps: readonly Gap[];
}

export interface IsolationOptions {
  /** Whoever issued both tokens; without it only what the tokens prove is compared. */
  readonly admin?: Ask;
  readonly tokens: readonly { readonly key: string; readonly ask: Ask }[];
  readonly seed: number;
  /** Random questions of each dataset and token, beside those of every column. */
  readonly questionCount: number;
  /** Datasets with more rows are not compared. */
  readonly rowCount: number;
}
