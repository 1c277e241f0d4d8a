import type { Members } from "../../base/index.ts";
import type { Call } from "./createCall.ts";

/** A dataset, a dashboard or a column that one of the callers lists. */
export interface KnownRecord {
  readonly id: string;
  readonly resource: "securable" | "column";
  readonly type: string;
  readonly names: readonly string[];
  /** The dataset of a column; otherwise the record itself. */
  readonly datasetId: string;
  /** Keys of the tokens that list it. */
  readonly seenBy: ReadonlySet<string>;
}

/** One leak, with the smallest query that shows it. */
export interface Leak {
  /** The key of the token that sees too much. */
  readonly key: string;
  readonly what: string;
  readonly question: { readonly resource: string; readonly body: Members };
  /** Some of the rows or records seen that are not allowed. */
  readonly seen: readonly unknown[];
}

/** A dataset that could not be compared. */
export interface Gap {
  readonly key: string;
  readonly datasetId: string;
  readonly reason: string;
}

export interface IsolationReport {
  /**
   * Compared by the `issuer` with the rows that the record allows, or by the `tokens` with what they show of each
   * other.
   */
  readonly comparedBy: "issuer" | "tokens";
  readonly seed: number;
  readonly questionCount: number;
  readonly datasetCount: number;
  readonly recordCount: number;
  readonly leaks: readonly Leak[];
  readonly gaps: readonly Gap[];
}

export interface IsolationOptions {
  /** Sends calls as the issuer of both tokens. Without it, the tokens are only compared with each other. */
  readonly admin?: Call;
  readonly tokens: readonly { readonly key: string; readonly call: Call }[];
  readonly seed: number;
  /** Number of random queries per dataset and token, in addition to those of every column. */
  readonly questionCount: number;
  /** Datasets with more rows are not compared. */
  readonly rowCount: number;
}
