import { apiErrors, type ApiErrorCode } from "../../../core/base/errors.ts";
import type { Calls } from "../../../core/web/client/index.ts";
import { pluginErrors, type PluginErrorCode } from "../../../plugins/protocol/index.ts";
import { apiHelp, pluginHelp } from "./errorHelp.ts";
import { anchorOf } from "./writeTypes.ts";

type Code = ApiErrorCode | PluginErrorCode;

const source = [
  "PLUGIN_FORBIDDEN",
  "PLUGIN_SOURCE_FAILED",
  "PLUGIN_TIMEOUT",
  "PLUGIN_BAD_ANSWER",
] as const;
const query = [
  "QUERY_UNKNOWN_COLUMN",
  "QUERY_NOT_JOINABLE",
  "QUERY_TOO_MANY_ROWS",
  "QUERY_TOO_MUCH_WORK",
  "ROWS_CLOSED",
  ...source,
] as const;
const model = [
  "ASSISTANT_NOT_CONFIGURED",
  "ASSISTANT_BUDGET_SPENT",
  "ASSISTANT_CANNOT",
  "ASSISTANT_MODEL_FAILED",
  "ASSISTANT_MODEL_SLOW",
] as const;
const file = ["EXPORT_TOO_LARGE", ...query] as const;

/** The errors that the actions of a resource return besides those of every call. */
const own: Readonly<Partial<Record<keyof Calls, readonly Code[]>>> = {
  data: [
    "DATA_TOO_MANY_ROWS",
    "DATA_CELL_INVALID",
    "REQUEST_ID_USED",
    "PUSH_UNDER_WAY",
    "PUSH_UNCERTAIN",
    "QUOTA_FULL",
    "QUOTA_REACHED",
    "QUERY_TOO_MANY_COMBINATIONS",
    "QUERY_NOT_SERVED",
    "QUERY_TEXTS_TOO_LONG",
    ...query,
  ],
  export: file,
  dataexport: file,
  plugin: [
    "SECRET_AGAIN",
    "SECRET_LOST",
    "PLUGIN_SOURCE_FAILED",
    "PLUGIN_BAD_ANSWER",
    "QUOTA_REACHED",
  ],
  account: ["SECRET_AGAIN", "SECRET_LOST", "DRIVER_INSTALLING", "DRIVER_MISSING", ...source],
  dataprovider: [
    "SECRET_UNCONFIRMED",
    "SECRET_LOST",
    "DRIVER_INSTALLING",
    "DRIVER_MISSING",
    "PLUGIN_UNKNOWN_DATASET",
    "PLUGIN_UNREADABLE",
    ...source,
  ],
  acceleration: ["ACCELERATION_REFUSED"],
  securable: ["ACCELERATION_REFUSED", ...source],
  channel: ["SECRET_AGAIN", "SECRET_LOST"],
  alert: ["QUOTA_REACHED", ...query],
  ssoconfig: ["SECRET_AGAIN", "SECRET_LOST"],
  aichart: model,
  aiprompt: [...model, ...query],
  iqmessage: [...model, ...query],
  iqformula: model,
  aisummary: [...model, ...query],
  generate_descriptions: model,
};

const helps = new Map<string, readonly [area: string, cause: string]>([
  ...Object.entries(apiHelp).map(([code, [area, cause]]) => [code, [area, cause]] as const),
  ...Object.entries(pluginHelp).map(
    ([code, [cause]]) => [code, ["Plugins and stores", cause]] as const,
  ),
]);
const statuses: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ...apiErrors,
  ...pluginErrors,
};

/** Returns the errors that a resource returns besides those of every call. */
export function errorsOf(
  resource: keyof Calls,
): readonly { readonly code: Code; readonly status: number; readonly cause: string }[] {
  return (own[resource] ?? []).map((code) => ({
    code,
    status: statuses[code]?.[0] ?? 0,
    cause: helps.get(code)?.[1] ?? "",
  }));
}

/** Returns the link to an error on the page of errors. */
export const linkToError = (code: string): string =>
  `[\`${code}\`](errors.md#${anchorOf(helps.get(code)?.[0] ?? "")})`;
