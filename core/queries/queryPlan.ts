import type {
  Filter,
  Query,
  WriteColumn,
  Level,
  ColumnFilter,
} from "../../plugins/protocol/index.ts";
import type { QueriedDataset } from "./queriedDataset.ts";

/** One clause of a query: whether the plugin does it, and why it does not. Filters that rows were sent through are tested again. */
export interface PlanStep {
  readonly clause:
    | "joins"
    | "columns"
    | "filters"
    | "grouping"
    | "having"
    | "average"
    | "cumulativesum"
    | "frequencies"
    | "order"
    | "limit";
  readonly pushed: boolean;
  /** The plugin is not verified: what it did is done again by the host over its answer. */
  readonly checked?: true;
  /** What the plugin does not promise; absent when the clause is pushed. */
  readonly reason?: string;
}

/** What the scratch plugin does with the plugin's answer. */
export interface Residual {
  readonly columns: readonly WriteColumn[];
  /** Per column the index of its vector in the plugin's answer. */
  readonly vectors: readonly number[];
  /** Asked of the temporary dataset; its `id` is set when that exists. */
  readonly query: Query;
}

/**
 * Who does what of a query. `whole`: the plugin everything. `grouped`: the plugin filters, groups
 * and aggregates; having, cumulative sums, order and limit are residual over the groups. `frequencies`: the plugin filters and tells how often
 * each value occurs in each group; the query is residual over the rows that are made again of that. `rows`: the
 * plugin sends plain rows, and the whole query, all filters included, is residual.
 */
export interface QueryPlan {
  readonly mode: "whole" | "grouped" | "frequencies" | "rows";
  readonly pushed: Query;
  /** What a plugin without filters is told of them. */
  readonly hints?: readonly Filter[];
  /** Of groups of a plugin that is not verified. */
  readonly check?: GroupsCheck;
  /** Merges such groups into those of the query, before the residual; `counts` are the columns of it that are 0 in no rows at all. */
  readonly merge?: Residual & { readonly counts: readonly number[] };
  /** Of the mode `frequencies` alone. */
  readonly frequencies?: Frequencies;
  readonly residual: Residual | undefined;
  readonly steps: readonly PlanStep[];
}

/** What is known of the groups of a plugin that is not verified. Numbers are indexes of columns of its answer. */
export interface GroupsCheck {
  /** The number of rows of each group. */
  readonly rowCount: number;
  readonly periods: readonly {
    readonly vector: number;
    readonly level: GroupedLevel;
    /** Before this instant the level is too coarse. */
    readonly fromMs?: number;
  }[];
  /** Sums and extremes, each with the number of values that it is made of. */
  readonly folds: readonly {
    readonly vector: number;
    readonly valueCount: number;
    readonly part: "sum" | "min" | "max";
  }[];
  /** Filters of numbers and instants that all rows of a group pass when its extremes do. */
  readonly ranges: readonly {
    readonly filter: ColumnFilter;
    readonly least: number;
    readonly greatest: number;
    readonly valueCount: number;
  }[];
}

/** How rows are made again of groups that tell how often each occurs; vectors are indexes into the columns of the groups. */
export interface Frequencies {
  /** The number of rows of each group. */
  readonly count: number;
  readonly columns: readonly RepeatedColumn[];
}

/**
 * A column of the rows that are made of a group: `value` is the same in all of them, `once` stands in the first and is null in the others, and
 * `spread` has `sum` as its sum and `count` as the number of its values (without `count`: one).
 */
export type RepeatedColumn =
  | { readonly kind: "value" | "once"; readonly vector: number }
  | { readonly kind: "spread"; readonly sum?: number; readonly count?: number };

/**
 * Periods of UTC by which a plugin that is not verified is asked to group. Weeks are left out: some plugins start them
 * on Sunday.
 */
export type GroupedLevel = Exclude<Level, "week">;

/** What becomes of one dataset of a query with joins. */
export interface JoinedPart {
  readonly dataset: QueriedDataset;
  /** Plain rows, which are loaded into a temporary dataset; absent where the dataset lies in the scratch plugin and stays there. */
  readonly pushed: Query | undefined;
  /** What a plugin without filters is told of them. */
  readonly hints?: readonly Filter[];
  /** Of the temporary dataset. */
  readonly columns: readonly WriteColumn[];
  /** Per column the index of its vector in the plugin's answer. */
  readonly vectors: readonly number[];
}

/** Each plugin sends plain rows of its datasets, and the whole query, all filters included, is asked of the scratch plugin. */
export interface JoinedPlan {
  readonly mode: "joined";
  /** The dataset that is asked, then the joined ones in their order. */
  readonly parts: readonly JoinedPart[];
  /** Its ids are those of the temporary datasets once they exist. */
  readonly residual: { readonly query: Query };
  readonly steps: readonly PlanStep[];
}
