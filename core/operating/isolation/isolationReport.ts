import type { Members } from "../../base/index.ts";
import type { Call } from "./createCall.ts";

/** A dataset, dashboard or column that at least one of the callers lists. */
export interface KnownRecord {
  readonly id: string;
  readonly resource: "securable" | "column";
  readonly type: string;
  readonly names: readonly string[];
  /** The dataset of a column, and otherwise the record itself. */
  readonly datasetId: string;
  /** Keys of the tokens that list the record. */
  readonly seenBy: ReadonlySet<string>;
}

/** A leak, with the smallest query that shows it. */
export interface Leak {
  /** The key of the token that sees too much. */
  readonly key: string;
  readonly what: string;
  readonly question: { readonly resource: string; readonly body: Members };
  /** Some of the rows or records that the token sees although it may not. */
  readonly seen: readonly unknown[];
}

/** A dataset that could not be compared, with the reason. */
export interface Gap {
  readonly key: string;
  readonly datasetId: string;
  readonly reason: string;
}

export interface IsolationReport {
  /**
   * `issuer` if the rows were compared with those that the token's record allows, and `tokens` if the two tokens were
   * only compared with each other.
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
  /** Sends calls as the issuer of both tokens. If absent, the tokens are only compared with each other. */
  readonly admin?: Call;
  readonly tokens: readonly { readonly key: string; readonly call: Call }[];
  readonly seed: number;
  /** Number of random queries per dataset and token, in addition to the queries of every column. */
  readonly questionCount: number;
  /** Maximum number of rows of a dataset. Larger datasets are not compared. */
  readonly rowCount: number;
}
