import { ApiError, type Principal, type ResourceRow } from "../../base/index.ts";
import {
  dataTypeOf,
  type Statement,
  type StatementParameter,
} from "../../../plugins/protocol/index.ts";
import { parseInstant } from "../parse/parseInstant.ts";
import { isParameter, resolveParameter } from "../parse/resolveParameter.ts";

/**
 * Returns the statement of a dataset with the caller's values for its parameters. Undefined if the dataset has no
 * statement. The query fails if the caller's token clears a parameter, because a test cannot be removed from a
 * statement.
 * @throws {ApiError} MEMBER_MISSING for a parameter without a value or default; MEMBER_INVALID for a wrong value
 */
export function statementOf(
  { source_query: text, source_parameters }: ResourceRow<"securable">,
  { restriction, own }: Pick<Principal, "restriction" | "own">,
): Statement | undefined {
  if (!text) return undefined;
  const given = restriction?.parameters ?? own?.parameters ?? new Map<string, never>();
  const parameters = (source_parameters ?? []).map((declared, index) => {
    const path = `source_parameters[${index}]`;
    if (!isParameter(declared)) throw new TypeError(`${path} must be a parameter`);
    const resolved = resolveParameter(declared, given, path);
    const name = String(declared.parameter).replace(/^metadata\./, "");
    if (!resolved)
      throw new ApiError("MEMBER_MISSING", [
        `${path}.value`,
        `a value for the parameter ${JSON.stringify(name)}: the dataset's statement needs one, and the token clears it`,
      ]);
    return [name, statementParameter(resolved.value, resolved.scalarType)] as const;
  });
  return { text, parameters: Object.fromEntries(parameters) };
}

/**
 * Creates a parameter of a statement. The value, or each value of a list, must fit `scalarType`. Datetimes become
 * milliseconds since 1970.
 */
export function statementParameter(value: unknown, scalarType: string): StatementParameter {
  const type = dataTypeOf(scalarType);
  const cellOf = (each: unknown): string | number | null => {
    if (each === null) return null;
    if (type === "hierarchy") return String(each);
    return type === "datetime" ? parseInstant(String(each)) : Number(each);
  };
  return { type, value: Array.isArray(value) ? value.map(cellOf) : cellOf(value) };
}
