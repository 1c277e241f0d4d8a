import type { NamedSchemas } from "../../../base/index.ts";
import { AccountOverride, DatasetOverride } from "./accountOverrides.ts";
import { DisplayFilter, TokenFilter } from "./filters.ts";
import { HiddenColumn } from "./hiddenColumns.ts";
import { ParameterOverrideGiven, ParameterOverrideShown } from "./parameters.ts";
import { TokenAccess } from "./tokenReach.ts";

/** The schemas of the members with which a token restricts its calls, by the name in the API description. */
export const tokenSchemas: NamedSchemas = {
  TokenAccess,
  TokenFilter,
  DisplayFilter,
  HiddenColumn,
  ParameterOverride: ParameterOverrideGiven,
  ParameterOverrideShown,
  AccountOverride,
  DatasetOverride,
};
