import { ApiError, type Connections, type Principal, type Records } from "../../base/index.ts";
import { checkStoredQuery } from "../../queries/index.ts";
import type { Values } from "../kernel/index.ts";
import { instanceColumns } from "./alertRule.ts";

export interface CheckOptions {
  readonly records: Records;
  readonly connections: Pick<Connections, "store">;
  /** The user of the alert. */
  readonly principal: Principal;
}

/**
 * Checks the queries of an alert with the rights of its user, who is the caller. Absent members are not checked.
 * @throws {ApiError} the errors of `checkStoredQuery`
 */
export async function checkAlertQueries(values: Values, options: CheckOptions): Promise<void> {
  for (const member of ["query", "recovery"]) {
    const query = values[member] ?? undefined;
    if (query === undefined) continue;
    try {
      await checkStoredQuery(query, `properties.${member}`, options);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      const { code, details, message } = failure;
      throw new ApiError(code, details, { cause: failure, validation: { [member]: [message] } });
    }
  }
}

/**
 * Checks that the columns of `instance_by` are dimensions of the queries.
 * @throws {ApiError} MEMBER_INVALID for a column that is not a dimension
 */
export function checkInstances({ instance_by, query, recovery }: Values): void {
  const ids = Array.isArray(instance_by) ? instance_by.map(String) : [];
  for (const each of [query, ...(recovery ? [recovery] : [])]) {
    const missing = ids[instanceColumns(ids, each).indexOf(-1)];
    if (missing === undefined) continue;
    const problem = `must list columns of the query's dimensions; ${JSON.stringify(missing.slice(0, 100))} is not the column_id of a dimension`;
    throw new ApiError("MEMBER_INVALID", ["properties.instance_by", problem], {
      validation: { instance_by: [problem] },
    });
  }
}
