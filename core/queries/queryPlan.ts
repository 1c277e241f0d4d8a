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
 * A clause of a query: whether the plugin carries it out, and the reason if it does not. If the plugin is not
 * trusted, the host tests pushed filters again.
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
    | "grouplimit"
    | "limit";
  readonly pushed: boolean;
  /** Whether the host repeats this clause over the plugin's answer. True if the plugin is not trusted. */
  readonly checked?: true;
  /** The part of the clause that the plugin does not support; absent for pushed clauses. */
  readonly reason?: string;
}

/** How one filter is carried out. Contains no values. */
export interface PlannedFilter {
  /** Index of the part that the filter belongs to, of a query whose measures belong to several datasets. */
  readonly part?: number;
  /** Index of the join whose rows the filter tests before joining; absent for a filter of the query. */
  readonly join?: number;
  /**
   * The tests of the filter as a flat list, without groups. Columns have their ids in the query or in the joined
   * dataset.
   */
  readonly tests: readonly Pick<ColumnFilter, "column_id" | "expression">[];
  /** How the plugin applies the filter. The host tests every filter that is not `exact`. */
  readonly pushdown: Pushdown;
  /** Why the filter is not `exact`. */
  readonly reason?: string;
}

/** The part of a query that the scratch plugin computes from the plugin's answer. */
export interface Residual {
  readonly columns: readonly WriteColumn[];
  /** For each column, the index of its values among the columns of the plugin's answer. */
  readonly vectors: readonly number[];
  /** The query over the temporary dataset. Its `id` is set once the dataset exists. */
  readonly query: Query;
}

/**
 * The plugin's part of a query, and the residual.
 * - `whole`: the plugin answers the whole query.
 * - `grouped`: the plugin filters, groups and aggregates. Having, cumulative sums, order and limit are residual over
 * the groups.
 * - `frequencies`: the plugin counts how often each value occurs in each group. The query is residual over rows that
 * `repeatRows` expands.
 * - `rows`: the plugin sends plain rows. The whole query, including all filters, is residual.
 */
export interface QueryPlan {
  readonly mode: "whole" | "grouped" | "frequencies" | "rows";
  readonly pushed: Query;
  /** All filters: first the filters of the query, then the filters of its joins, in order. */
  readonly filters: readonly PlannedFilter[];
  /** For each filter of `pushed`, its index in `filters`. */
  readonly sent: readonly number[];
  /** Filters sent as hints to a plugin that promises no filters. */
  readonly hints?: readonly Filter[];
  /** How to check the groups of a plugin that is not trusted. */
  readonly check?: GroupsCheck;
  /**
   * Merges the plugin's groups into the groups of the query, before the residual. `counts` lists the columns that must
   * be 0 instead of null if there are no rows.
   */
  readonly merge?: Residual & { readonly counts: readonly number[] };
  /** How to expand the plugin's groups into rows. Present in mode `frequencies`. */
  readonly frequencies?: Frequencies;
  readonly residual: Residual | undefined;
  readonly steps: readonly PlanStep[];
}

/** A filter that numbers on one side of a bound pass and all other numbers fail. */
export interface RangeFilter extends ColumnFilter {
  readonly expression: OperatorWith<"tests", "order">;
}

/**
 * Conditions that the groups of a plugin that is not trusted must meet. Numbers are indexes into the columns of the
 * plugin's answer.
 */
export interface GroupsCheck {
  /** The column with the number of rows of each group. */
  readonly rowCount: number;
  readonly periods: readonly {
    readonly vector: number;
    readonly level: GroupedLevel;
    /**
     * The earliest instant that the groups may contain, in milliseconds. The level of the groups is too coarse for
     * earlier instants; for these, the host needs plain rows.
     */
    readonly fromMs?: number;
  }[];
  /** Columns with sums and extremes, each with the column that counts its values. */
  readonly folds: readonly {
    readonly vector: number;
    readonly valueCount: number;
    readonly part: "sum" | "min" | "max";
  }[];
  /** Filters that all rows of a group pass if the group's minimum and maximum pass. */
  readonly ranges: readonly {
    readonly filter: RangeFilter;
    readonly least: number;
    readonly greatest: number;
    readonly valueCount: number;
  }[];
}

/** How to expand groups into rows. Numbers are indexes into the columns of the groups. */
export interface Frequencies {
  /** The column with the number of rows of each group. */
  readonly count: number;
  readonly columns: readonly RepeatedColumn[];
}

/**
 * A column of the expanded rows.
 * - `value`: the same value in all rows of a group.
 * - `once`: the value in the first row of a group, and null in its other rows.
 * - `spread`: `count` values that add up to `sum`; a single value if `count` is absent.
 */
export type RepeatedColumn =
  | { readonly kind: "value" | "once"; readonly vector: number }
  | { readonly kind: "spread"; readonly sum?: number; readonly count?: number };

/**
 * UTC periods that the host groups by when it queries a plugin that is not trusted. Weeks are excluded, because some
 * plugins start them on Sunday.
 */
export type GroupedLevel = Exclude<Level, "week">;

/** One dataset's part of a joined query. */
export interface JoinedPart {
  readonly dataset: QueriedDataset;
  /**
   * The query for plain rows, which are loaded into a temporary dataset. Absent for a dataset that is already in the
   * scratch plugin.
   */
  readonly pushed: Query | undefined;
  /** For each filter of `pushed`, its index in the plan's `filters`. */
  readonly sent: readonly number[];
  /** Filters sent as hints to a plugin that promises no filters. */
  readonly hints?: readonly Filter[];
  /** The columns of the temporary dataset. */
  readonly columns: readonly WriteColumn[];
  /** For each column, the index of its values among the columns of the plugin's answer. */
  readonly vectors: readonly number[];
}

/**
 * A plan in which each plugin sends plain rows, and the scratch plugin answers the whole query, including all filters.
 */
export interface JoinedPlan {
  readonly mode: "joined";
  /** The root, then the joined datasets in order. */
  readonly parts: readonly JoinedPart[];
  /** The query over the temporary datasets. Their ids are filled in once they exist. */
  readonly residual: { readonly query: Query };
  /** All filters, in the order of `QueryPlan.filters`. */
  readonly filters: readonly PlannedFilter[];
  readonly steps: readonly PlanStep[];
}
