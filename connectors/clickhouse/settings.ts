import { detailsOf } from "./failure.ts";

/** Settings of a query by name. */
export type Settings = Readonly<Record<string, string | number>>;

/**
 * Returns the settings that determine how every statement is interpreted. `withinProfile` adds `readonly` and the
 * deadline. The connector sets no limits on memory, rows or bytes; only the user's profile does.
 */
export function settingsOf(): Settings {
  return {
    // The server stops the statement when its connection closes.
    cancel_http_readonly_queries_on_client_close: 1,
    timeout_overflow_mode: "throw",
    session_timezone: "UTC",
    // These settings determine how statements are interpreted. A profile may set other values.
    join_use_nulls: 1,
    aggregate_functions_null_for_empty: 0,
    transform_null_in: 0,
    enable_positional_arguments: 1,
    prefer_column_name_to_alias: 0,
    group_by_use_nulls: 0,
    // With these settings, a response is either complete or an error.
    result_overflow_mode: "throw",
    read_overflow_mode: "throw",
    group_by_overflow_mode: "throw",
    sort_overflow_mode: "throw",
    distinct_overflow_mode: "throw",
    skip_unavailable_shards: 0,
    distributed_group_by_no_merge: 0,
    limit: 0,
    offset: 0,
    // A level in a time zone is written as a long expression with all clock changes, so statements may be long.
    max_query_size: 4 * 2 ** 20,
    // With these settings, `JSON.parse` rounds each number only once, and no error appears among the rows.
    output_format_json_quote_64bit_integers: 0,
    output_format_json_quote_64bit_floats: 0,
    output_format_json_quote_decimals: 0,
    output_format_json_quote_denormals: 0,
    http_write_exception_in_output_format: 0,
    wait_end_of_query: 0,
  };
}

/**
 * Returns the settings without the setting that the server has refused. A server refuses a setting that it is too old
 * to know, or that the user's profile fixes. Returns no settings for a user who may not set any (`readonly` = 1), and
 * undefined for other failures.
 */
export function withoutRefused(settings: Settings, failure: unknown): Settings | undefined {
  const { type, message } = detailsOf(failure);
  if (Object.keys(settings).length === 0) return undefined;
  if (type === "READONLY" && message.includes("Cannot modify")) return {};
  if (type !== "UNKNOWN_SETTING" && type !== "SETTING_CONSTRAINT_VIOLATION") return undefined;
  const name = Object.keys(settings).find((each) => new RegExp(`\\b${each}\\b`).test(message));
  if (name === undefined) return undefined;
  const { [name]: _, ...rest } = settings;
  return rest;
}
