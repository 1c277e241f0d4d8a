import { isObject, type ParameterOverride, type RowFilter } from "../../base/index.ts";
import { fillParameter } from "../../queries/index.ts";

/** A filter as shown to the issuer of a token. */
export interface PresentedFilter {
  readonly origin: "token" | "filter_group" | "share";
  readonly clause: RowFilter["clause"];
  readonly column_id: string;
  readonly expression: string;
  /** The value that the filter has for the token now; absent if withheld. */
  readonly value?: unknown;
  readonly parameter?: string;
  /** The reason why the value is absent. */
  readonly withheld?: "sensitive" | "share";
  /** Whether the filter has an effect. False if the token clears the filter's parameter. */
  readonly applies: boolean;
}

/**
 * Presents a row filter with the value that its parameter has for a token. `isShown` is false if the caller may not see
 * the value, because somebody else set it.
 */
export function presentFilter(
  filter: RowFilter,
  parameters: ReadonlyMap<string, ParameterOverride>,
  isShown: boolean,
): PresentedFilter {
  const { clause, column_id, expression, value, setBy = "token" } = filter;
  const name = isObject<"parameter">(value) ? value.parameter : undefined;
  const parameter = typeof name === "string" ? name : undefined;
  const filled = fillParameter(filter, parameters, "filters");
  const isSensitive =
    parameter !== undefined && parameters.get(parameter.replace(/^metadata\./, ""))?.sensitive;
  const withheld = isSensitive ? "sensitive" : isShown ? undefined : "share";
  return {
    origin: setBy,
    clause,
    column_id,
    expression,
    ...(parameter !== undefined && { parameter }),
    ...(withheld && { withheld }),
    ...(!withheld && filled?.value !== undefined && { value: filled.value }),
    applies: filled !== undefined,
  };
}
