import type {
  Filter,
  Pushdown,
  Query,
  WriteColumn,
  Level,
  ColumnFilter,
  OperatorWith,
} from "../../plugins/protocol/index.ts";
import type { QueriedDataset } from "./queriedDataset.ts";

/**
 * A clause of a query, whether the plugin does it, and if not, why. Pushed filters of an unverified
 * plugin are tested again.
 */
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
  /** The plugin is unverified: the host does this clause again over its answer. */
  readonly checked?: true;
  /** The part that the plugin does not offer; absent for pushed clauses. */
  readonly reason?: string;
}

/** How one filter is carried out. Holds no value. */
export interface PlannedFilter {
  /** Index of the join whose rows it tests before the join; absent for a filter of the query. */
  readonly join?: number;
  /** Its tests, groups taken apart; columns have their ids in the query, or in the joined dataset. */
  readonly tests: readonly Pick<ColumnFilter, "column_id" | "expression">[];
  /** Every filter that is not `exact` is tested by the host. */
  readonly pushdown: Pushdown;
  /** Why it is not `exact`. */
  readonly reason?: string;
}

/** The part of a query that the scratch plugin computes from the plugin's answer. */
export interface Residual {
  readonly columns: readonly WriteColumn[];
  /** For each column, the index of its vector in the plugin's answer. */
  readonly vectors: readonly number[];
  /** The query of the temporary dataset, whose `id` is set once it exists. */
  readonly query: Query;
}

/**
 * The plugin's part of a query and the residual.
 * `whole`: the plugin answers everything. `grouped`: the plugin filters, groups and aggregates;
 * having, cumulative sums, order and limit are residual over the groups. `frequencies`: the plugin
 * counts how often each value occurs in each group; the query is residual over rows that
 * `repeatRows` expands. `rows`: the plugin sends plain rows; the whole query, all filters included,
 * is residual.
 */
export interface QueryPlan {
  readonly mode: "whole" | "grouped" | "frequencies" | "rows";
  readonly pushed: Query;
  /** All filters: of the query in their order, then of its joins. */
  readonly filters: readonly PlannedFilter[];
  /** For each filter of `pushed`, its index in `filters`. */
  readonly sent: readonly number[];
  /** Filters for a plugin that promises none, as a hint. */
  readonly hints?: readonly Filter[];
  /** How to check the groups of an unverified plugin. */
  readonly check?: GroupsCheck;
  /**
   * Merges such groups into the groups of the query, before the residual. `counts` are its columns
   * that are 0, not null, over no rows.
   */
  readonly merge?: Residual & { readonly counts: readonly number[] };
  /** Present in the mode `frequencies`. */
  readonly frequencies?: Frequencies;
  readonly residual: Residual | undefined;
  readonly steps: readonly PlanStep[];
}

/** A test that passes the numbers on one side of a bound. */
export interface RangeFilter extends ColumnFilter {
  readonly expression: OperatorWith<"tests", "order">;
}

/**
 * Conditions for the groups of an unverified plugin. Numbers are indexes of columns of its answer.
 */
export interface GroupsCheck {
  /** The number of rows of each group. */
  readonly rowCount: number;
  readonly periods: readonly {
    readonly vector: number;
    readonly level: GroupedLevel;
    /** Instants before it need plain rows: the level is too coarse there. */
    readonly fromMs?: number;
  }[];
  /** Sums and extremes, each with the count of its values. */
  readonly folds: readonly {
    readonly vector: number;
    readonly valueCount: number;
    readonly part: "sum" | "min" | "max";
  }[];
  /** Filters that all rows of a group pass when its extremes do. */
  readonly ranges: readonly {
    readonly filter: RangeFilter;
    readonly least: number;
    readonly greatest: number;
    readonly valueCount: number;
  }[];
}

/** How to expand groups into rows. Vectors are indexes into the columns of the groups. */
export interface Frequencies {
  /** The number of rows of each group. */
  readonly count: number;
  readonly columns: readonly RepeatedColumn[];
}

/**
 * A column of the expanded rows. `value`: the same in all rows of a group. `once`: in the first
 * row, null in the others.
 * `spread`: values that add up to `sum`, as many as `count` says (without `count`: one).
 */
export type RepeatedColumn =
  | { readonly kind: "value" | "once"; readonly vector: number }
  | { readonly kind: "spread"; readonly sum?: number; readonly count?: number };

/**
 * UTC periods by which an unverified plugin is asked to group. No weeks: some plugins start them on
 * Sunday.
 */
export type GroupedLevel = Exclude<Level, "week">;

/** The part of a joined query that one dataset plays. */
export interface JoinedPart {
  readonly dataset: QueriedDataset;
  /**
   * The query for plain rows, which are loaded into a temporary dataset. Absent for a dataset that
   * is already in the scratch plugin.
   */
  readonly pushed: Query | undefined;
  /** For each filter of `pushed`, its index in the plan's `filters`. */
  readonly sent: readonly number[];
  /** Filters for a plugin that promises none, as a hint. */
  readonly hints?: readonly Filter[];
  /** The columns of the temporary dataset. */
  readonly columns: readonly WriteColumn[];
  /** For each column, the index of its vector in the plugin's answer. */
  readonly vectors: readonly number[];
}

/**
 * A plan in which each plugin sends plain rows, and the scratch plugin answers the whole query, all
 * filters included.
 */
export interface JoinedPlan {
  readonly mode: "joined";
  /** The root, then the joined datasets in their order. */
  readonly parts: readonly JoinedPart[];
  /** Its ids become those of the temporary datasets once these exist. */
  readonly residual: { readonly query: Query };
  /** As of `QueryPlan`. */
  readonly filters: readonly PlannedFilter[];
  readonly steps: readonly PlanStep[];
}
