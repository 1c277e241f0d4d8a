import type {
  ParameterOverride,
  Principal,
  Restriction,
  RowFilter,
} from "../../core/base/contracts/index.ts";
import { principalOf } from "./plainHost.ts";

/** Returns the principal of an embed token that the user `ada` created, with restrictions chosen by the test. */
export function embedOf(bounds: Partial<Restriction> = {}): Principal {
  return {
    ...principalOf("ada"),
    authorizationType: "embed",
    restriction: {
      issuer: principalOf("ada"),
      role: "viewer",
      securables: new Map(),
      collections: new Map(),
      integrationId: undefined,
      filters: [],
      parameters: new Map(),
      hiddenColumns: new Set(),
      accountOverrides: new Map(),
      environment: null,
      metadata: undefined,
      ...bounds,
    },
  };
}

/** Returns a row filter for the dataset `D`. */
export function rowFilter(column_id: string, expression: string, value?: unknown): RowFilter {
  return {
    clause: "where",
    origin: "global",
    securable_id: "D",
    column_id,
    expression,
    ...(value !== undefined && { value }),
  } as RowFilter;
}

export function override(
  value: unknown,
  flags: Partial<ParameterOverride> = {},
): ParameterOverride {
  return { value, sticky: false, sensitive: false, clear: false, ...flags };
}
