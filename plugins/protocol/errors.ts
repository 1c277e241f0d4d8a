/**
 * The table of errors that a plugin may return: code, status and message. The statuses follow Hasura's connector
 * specification (ndc-spec, error-handling.md), with 429 and 504 added for limits and deadlines.
 */
export const pluginErrors = {
  PLUGIN_MALFORMED: [400, "the request is malformed: %s"],
  PLUGIN_FORBIDDEN: [403, "the credentials were refused: %s"],
  PLUGIN_CONFLICT: [409, "the change conflicts with existing data: %s"],
  PLUGIN_UNKNOWN_DATASET: [422, "there is no dataset %s"],
  PLUGIN_UNKNOWN_COLUMN: [422, "the dataset %s has no column %s"],
  PLUGIN_JOIN_AMBIGUOUS: [422, "rows cannot be joined many-to-one: %s"],
  PLUGIN_INVALID: [422, "the request cannot be carried out: %s"],
  PLUGIN_UNREADABLE: [422, "the data cannot be read: %s"],
  PLUGIN_BUSY: [429, "too many requests: %s"],
  PLUGIN_BUG: [500, "the plugin failed: %s"],
  PLUGIN_NOT_OFFERED: [501, "the plugin does not offer %s"],
  PLUGIN_BAD_ANSWER: [502, "the plugin's answer does not follow the protocol: %s"],
  PLUGIN_SOURCE_FAILED: [502, "the source failed: %s"],
  PLUGIN_TIMEOUT: [504, "the source did not answer in time: %s"],
} as const satisfies Record<string, readonly [status: number, message: string]>;

/** The code of an error that a plugin may return. */
export type PluginErrorCode = keyof typeof pluginErrors;

/**
 * The error that a plugin throws. `code` and `status` are stable; the wording of `message` is not. `details` are
 * inserted into the message.
 */
export class PluginError extends Error {
  override readonly name = "PluginError";
  readonly code: PluginErrorCode;
  readonly status: number;
  readonly details: readonly (string | number)[];

  constructor(
    code: PluginErrorCode,
    details: readonly (string | number)[] = [],
    options?: ErrorOptions,
  ) {
    const [status, message] = pluginErrors[code];
    let index = 0;
    super(
      message.replaceAll("%s", () => String(details[index++])),
      options,
    );
    this.code = code;
    this.status = status;
    this.details = details;
  }
}
