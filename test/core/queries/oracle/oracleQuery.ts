import type { Aggregation } from "../../../../plugins/protocol/index.ts";
import type { ParameterOverride } from "../../../../core/base/contracts/index.ts";
import type { Condition } from "./conditionSql.ts";
import type { Mention, RowTwin, ValueType } from "./values.ts";

/** A query as clients send it. */
export interface AskedQuery {
  readonly dimensions?: readonly Mention[];
  readonly measures?: readonly Mention[];
  readonly where?: readonly Condition[];
  readonly having?: readonly Condition[];
  readonly order?: readonly (Mention & { readonly order?: string })[];
  readonly limit?: {
    readonly by: number;
    readonly offset?: number;
    readonly per?: readonly Mention[];
  };
  readonly options?: {
    readonly rollup_data?: boolean;
    readonly timezone_id?: string;
    readonly cells?: string;
    readonly paging?: { readonly by: number; readonly offset?: number };
  };
}

/** A formula in SQL: its aggregates by name, and its value, which refers to these names. */
export interface FormulaTwin {
  readonly type: ValueType;
  readonly aggregates: readonly {
    readonly name: Aggregation;
    readonly of?: RowTwin | string;
    readonly fraction?: number;
  }[];
  sql(names: readonly string[]): string;
}

/** A query, together with the SQL for its expressions. */
export interface OracleQuery {
  readonly query: AskedQuery;
  readonly twins: ReadonlyMap<string, RowTwin>;
  readonly formulas: ReadonlyMap<string, FormulaTwin>;
  readonly parameters: ReadonlyMap<string, ParameterOverride>;
}
