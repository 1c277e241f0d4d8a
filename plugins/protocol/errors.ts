import Type, { type Static } from "typebox";
import { namesOf, oneOf, readonlyArray } from "./schemas.ts";

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
export const PluginErrorCode = oneOf(namesOf(pluginErrors));

/**
 * The body of every answer whose status is 400 or higher. It never contains a stack trace or a secret. `code` and
 * `details` may be missing, as in the numbered versions of the protocol; the host then chooses the code by the status.
 */
export const ErrorBody = Type.Object({
  /** The HTTP status again, with a short name of the error. */
  type: Type.Object({
    /** The HTTP status of the answer. */
    code: Type.Integer({ minimum: 400, maximum: 599 }),
    /** A short name of the error, such as its `code`. */
    description: Type.String(),
  }),
  /** A sentence for people. Its wording may change. */
  message: Type.String(),
  /** The stable code of the error. */
  code: Type.Optional(PluginErrorCode),
  /** The values that are inserted into the message, one for each placeholder of the code. */
  details: Type.Optional(readonlyArray(Type.Union([Type.String(), Type.Number()]))),
});
export interface ErrorBody extends Readonly<Static<typeof ErrorBody>> {}

/** Marks the errors of every copy of this module. */
const mark = Symbol.for("@manifold-analytics/plugin/PluginError");

/**
 * The error that a plugin throws. `code` and `status` are stable; the wording of `message` is not. `details` contains
 * the values that are inserted into the message. `instanceof` recognizes the errors of other copies of this package,
 * because a connector in a separate package may use another copy than the host.
 */
export class PluginError extends Error {
  static {
    Object.defineProperty(this.prototype, mark, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== PluginError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return value instanceof Error && mark in value;
  }

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
