import type { BoundColumnValue, ExpressionSource } from "../expressions/bindExpression.ts";
import type { BoundValue } from "../expressions/boundValue.ts";
import { columnText } from "../expressions/columnText.ts";
import { EngineError } from "../errors.ts";
import type { ColumnSnapshot, Snapshot } from "../table/snapshot.ts";
import type { PeriodFloor } from "../time/periodFloor.ts";
import { recentPeriodFloor } from "../time/recentPeriods.ts";
import { readZone } from "../time/zone.ts";
import type { Period } from "../types.ts";
import { boundsOf } from "./boundsOf.ts";
import type { BoundColumn } from "./boundPlan.ts";

/** Finds a column of a joined table; see `bindJoins`. */
export type JoinedColumns = (name: string, join: string) => BoundColumnValue;

/** The columns that a plan can read. Lists those that the plan actually reads, in the order of their first use. */
export class PlanSource implements ExpressionSource {
  readonly columns: ColumnSnapshot[] = [];
  readonly snapshot: Snapshot;
  readonly #known = new Map<string, BoundColumnValue>();
  #joined: JoinedColumns | undefined;

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
  }

  /** Sets the source of joined columns. */
  join(joined: JoinedColumns): void {
    this.#joined = joined;
  }

  column(name: string, join: string | undefined): BoundColumnValue {
    const key = join === undefined ? `.${name}` : `${join.length}${join}.${name}`;
    const known = this.#known.get(key);
    if (known) return known;
    const found = join === undefined ? this.#own(name) : this.#joinedColumn(name, join);
    this.#known.set(key, found);
    return found;
  }

  floor(of: BoundValue, period: Period, timezone: string): PeriodFloor {
    const zone = readZone(timezone);
    const bounds = boundsOf(of, this.columns);
    return bounds && bounds.minimum === bounds.minimum
      ? recentPeriodFloor(zone, period, bounds.minimum, bounds.maximum)
      : { kind: "zone", zone, period };
  }

  /** Returns the columns in the form that threads read. */
  boundColumns(): BoundColumn[] {
    return this.columns.map(({ directory, sealedCount, tail }) => ({
      directory,
      sealedCount,
      tail,
    }));
  }

  #own(name: string): BoundColumnValue {
    const column = this.snapshot.columns.get(name);
    if (!column) throw new EngineError("COLUMN_UNKNOWN", [this.snapshot.table, name]);
    const index = this.columns.push(column) - 1;
    const { type } = column.definition;
    if (type !== "text") return { type, of: { kind: "column", column: index } };
    const { dictionary, textCount } = column;
    return { type, of: columnText(dictionary, textCount, { kind: "byCode", column: index }) };
  }

  #joinedColumn(name: string, join: string): BoundColumnValue {
    if (!this.#joined) throw new EngineError("QUERY_PLAN", [`there is no join ${join}`]);
    return this.#joined(name, join);
  }
}
