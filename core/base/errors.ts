/**
 * Errors of the API itself: stable code, status, message. Errors of a plugin keep their own
 * code and status (plugins/protocol/errors.ts); one middleware renders both.
 */
export const apiErrors = {
  REQUEST_NOT_JSON: [400, "the body is not JSON: %s"],
  REQUEST_NOT_AN_OBJECT: [
    400,
    "the body must be a JSON object with the members action, key, token and version",
  ],
  REQUEST_TOO_DEEP: [400, "the body nests deeper than %s levels"],
  REQUEST_TOO_LARGE: [413, "the body is larger than %s bytes, the most that %s takes"],
  REQUEST_TOO_PACKED: [
    413,
    "the body unpacks to more than %s times its size; send it unpacked, or in several calls",
  ],
  REQUEST_TOO_MANY_VALUES: [413, "the body has more than %s; send several calls"],
  REQUEST_TEXT_TOO_LONG: [413, "a text of the body is longer than %s bytes"],
  REQUEST_MEMBER_TWICE: [400, "the member %s appears twice in the body; send it once"],
  REQUEST_TEXT_INVALID: [400, "%s holds %s, which cannot be stored; leave it out or replace it"],
  REQUEST_TIMEOUT: [408, "the body did not arrive within %s; send it again"],
  REQUEST_ENCODING: [
    415,
    "the content encoding %s is not supported; send identity, gzip or deflate",
  ],
  REQUEST_MEDIA_TYPE: [415, "the content type %s is not supported; send application/json"],
  REQUEST_MALFORMED: [
    400,
    "the request is not well-formed HTTP/1.1: send one Content-Length, or Transfer-Encoding: chunked",
  ],
  REQUEST_HEADERS_TOO_LARGE: [431, "the headers are larger than 16 KiB; send shorter ones"],
  REQUEST_ABORTED: [400, "the request ended before its body was complete"],
  PATH_UNKNOWN: [404, "there is nothing at %s; the API is at /0.1.0/<resource>"],
  METHOD_UNKNOWN: [
    405,
    "the method %s is not used here; send POST (SEARCH, PATCH, DELETE, LINK and UNLINK work too)",
  ],
  RESOURCE_UNKNOWN: [404, "there is no resource %s; there are: %s"],
  ACTION_UNKNOWN: [400, "there is no action %s; there are: %s"],
  ACTION_NOT_OFFERED: [400, "%s has no action %s; it has: %s"],
  VERSION_UNKNOWN: [400, "the version %s is not served; send 0.1.0"],
  UNAUTHORIZED: [401, "Unauthorized: key and token are missing, wrong or expired"],
  METRICS_UNAUTHORIZED: [
    401,
    "the metrics are for whoever runs the host: send the header Authorization with Bearer and the token of MANIFOLD_METRICS",
  ],
  ORIGIN_REFUSED: [
    403,
    "pages of other origins may not call this; call it from a program, or from a page of MANIFOLD_PUBLIC_URL",
  ],
  FORBIDDEN: [403, "this needs the right to %s"],
  SESSION_CROSS_SITE: [
    403,
    "a session is for the pages of the console at this host alone: call the API with key and token from elsewhere",
  ],
  SESSION_NEEDS_HTTPS: [
    403,
    "sessions need https, or a loopback address such as http://localhost: open the console there, or put a proxy with https in front and set MANIFOLD_PUBLIC_URL",
  ],
  SIGN_IN_LINK_INVALID: [
    401,
    "the sign-in link was used before, is older than an hour, or was opened on another machine: sign in otherwise, or start the demo again for a new one",
  ],
  SECOND_FACTOR_REQUIRED: [
    401,
    "the password is right, and the user has a second factor: %s; docs/SIGN_ON.md describes the second step",
  ],
  SECOND_FACTOR_WRONG: [401, "the second factor is wrong, was used before, or came too late: %s"],
  SECOND_FACTOR_WAIT: [
    429,
    "too many wrong codes were given: wait as long as Retry-After says, or use a passkey or a recovery code",
  ],
  SECOND_FACTOR_MISSING: [
    403,
    "the organization demands a second factor: add one at /account of the console (POST /auth/account/code/begin), then sign in again",
  ],
  SIGN_IN_STALE: [403, "this needs a sign-in of the last 10 minutes: %s"],
  PASSKEYS_UNAVAILABLE: [
    409,
    "passkeys need a host with a name: set MANIFOLD_PUBLIC_URL to an https address with a domain, or to http://localhost",
  ],
  SIGN_ON_UNKNOWN: [
    404,
    "there is no sign-on %s, or it is not active; ask an owner of your organization for its address",
  ],
  SIGN_ON_FAILED: [401, "the sign-on did not succeed: %s; begin it again"],
  SIGN_ON_REFUSED: [403, "the sign-on was refused: %s"],
  SIGN_ON_PROVIDER_FAILED: [
    502,
    "the provider of the sign-on could not be asked, or failed; try again, or ask who runs it",
  ],
  SOURCE_REFUSED: [
    403,
    "the token may not be used from %s; call from where its allowed_origins and allowed_addresses, and those of its organization, permit",
  ],
  ROWS_CLOSED: [
    403,
    "the rows of the dataset %s are closed: a filter that limits them cannot be applied (%s)",
  ],
  CALLS_TOO_MANY: [429, "too many calls: at most %s a second; wait as long as Retry-After says"],
  QUOTA_REACHED: [
    429,
    "your organization has used %s: %s of at most %s; %s. Wait as long as Retry-After says, or ask whoever runs the host to raise the quota %s",
  ],
  QUOTA_FULL: [
    403,
    "your organization has no room for %s: it has %s of at most %s, and this adds %s. Delete or replace datasets, or ask whoever runs the host to raise the quota %s",
  ],
  QUOTA_TOO_SMALL: [
    413,
    "this call takes %s, and your organization may take at most %s: ask over smaller datasets, or ask whoever runs the host to raise the quota %s",
  ],
  CREDENTIALS_TOO_MANY: [
    429,
    "too many calls with wrong credentials or unreadable bodies came from this address; wait as long as Retry-After says",
  ],
  SIGN_INS_TOO_MANY: [
    429,
    "too many sign-ins with this e-mail address failed: wait for the time in Retry-After, or sign in on a device that you used before, with a passkey, through your organization's provider, or with a recovery code; an owner of the organization can also set a new password",
  ],
  HOST_BUSY: [
    503,
    "the host is busy with %s; send the call again as long after as Retry-After says",
  ],
  RECORD_NOT_FOUND: [404, "there is no %s %s, or it is not yours to see"],
  MEMBER_MISSING: [400, "%s is required: %s"],
  MEMBER_INVALID: [400, "%s is not valid: %s"],
  MEMBER_UNKNOWN: [400, "%s is not known here; there are: %s"],
  SECRET_AGAIN: [
    400,
    "%s must be entered again in the same call to change %s: a stored secret is sent only to the destination that it was entered for",
  ],
  SECRET_UNCONFIRMED: [
    409,
    "the secrets of the connection %s were confirmed for another address (%s has changed) and are not sent: one of its owners must enter %s again",
  ],
  ROLE_UNKNOWN: [400, "%s has no association %s; it has: %s"],
  QUERY_UNKNOWN_COLUMN: [
    400,
    "%s names a column that the dataset %s does not have: %s; it has: %s",
  ],
  QUERY_NOT_SERVED: [400, "%s is part of the grammar but not served yet: %s"],
  QUERY_NOT_JOINABLE: [400, "the datasets of %s cannot be joined: %s"],
  QUERY_TOO_MANY_ROWS: [
    413,
    "the answer has more than %s rows: set limit {by, offset} and ask in pages, or filter",
  ],
  QUERY_TOO_MANY_COMBINATIONS: [
    413,
    "include_nonoccurring makes %s rows (%s values), an answer has at most %s: leave it out of a dimension, take longer periods or wider bins, or filter",
  ],
  QUERY_TOO_MUCH_WORK: [
    413,
    "%s exceeds the budget %s: a call may have at most %s %s, and this brings it to %s. To stay below: %s; or send several calls",
  ],
  QUERY_TEXTS_TOO_LONG: [
    413,
    "%s are longer than %s bytes in all: ask for fewer rows, or for shorter texts",
  ],
  EXPORT_TOO_LARGE: [413, "the export has %s: %s"],
  EXPORT_LINK_ENDED: [
    404,
    "this link opens no file: it expired, was ended, or never existed; export again",
  ],
  EXPORT_FILE_LOST: [
    404,
    "the file of this export is not whole on this host any more; export again",
  ],
  ACCELERATION_REFUSED: [409, "the dataset %s cannot be accelerated: %s"],
  DATA_TOO_MANY_ROWS: [
    413,
    "properties.data has %s rows, a call takes at most %s: send several calls",
  ],
  DATA_CELL_INVALID: [422, "properties.data row %s, column %s (%s), counted from 1: %s"],
  SECRET_LOST: [
    409,
    "%s of the %s %s cannot be opened: MANIFOLD_SECRET has changed since it was stored; enter it anew (the secret of a plugin by an update with new_secret), or start the host with the secret of before",
  ],
  ASSISTANT_NOT_CONFIGURED: [
    501,
    "no model is configured: set MANIFOLD_AI_URL and MANIFOLD_AI_MODEL, and MANIFOLD_AI_KEY if the endpoint asks for one, then start the host again",
  ],
  ASSISTANT_BUDGET_SPENT: [
    429,
    "the budget of the assistant is spent: %s; wait as long as Retry-After says, or have %s raised",
  ],
  ASSISTANT_CANNOT: [422, "the assistant cannot do this: %s"],
  ASSISTANT_MODEL_FAILED: [502, "the model %s; ask again, or ask who runs the host to look"],
  ASSISTANT_MODEL_SLOW: [504, "the model did not answer within %s ms; ask again, or ask for less"],
  CONFLICT: [409, "%s"],
  REQUEST_ID_USED: [
    409,
    "the request_id %s was sent with another push in the last day: send a new id with a new push, and the same one with the same body only",
  ],
  PUSH_UNDER_WAY: [
    503,
    "the push with the request_id %s is under way: send it again as long after as Retry-After says",
  ],
  PUSH_UNCERTAIN: [
    409,
    "the push with the request_id %s was cut off, and the store does not say whether it has its rows: look whether they are there, then send what is missing under a new id",
  ],
  CATALOG_UNAVAILABLE: [
    503,
    "the catalog's database does not answer; send the call again when Retry-After has passed. A change may have been made: look before you send it again",
  ],
  CATALOG_FULL: [
    507,
    "the disk of the catalog's database is full: free some room, look whether the change was made, then send the call again",
  ],
  INTERNAL: [500, "something failed on our side; quote the request id"],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ApiErrorCode = keyof typeof apiErrors;

export interface ApiErrorOptions extends ErrorOptions {
  /** Texts per member, for clients that mark the field. */
  readonly validation?: Readonly<Record<string, readonly string[]>>;
  /** Whole seconds after which the call may be sent again. */
  readonly retryAfterS?: number;
}

/** An error of the API. `code` and `status` are stable, the wording of `message` is not. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;
  readonly details: readonly (string | number)[];
  readonly status: number;
  readonly validation: Readonly<Record<string, readonly string[]>> | undefined;
  readonly retryAfterS: number | undefined;

  constructor(
    code: ApiErrorCode,
    details: readonly (string | number)[] = [],
    options: ApiErrorOptions = {},
  ) {
    const [status, message] = apiErrors[code];
    let index = 0;
    super(
      message.replaceAll("%s", () => String(details[index++])),
      options,
    );
    this.code = code;
    this.details = details;
    this.status = status;
    this.validation = options.validation;
    this.retryAfterS = options.retryAfterS;
  }
}

/** Returns the `code` of what was thrown, as Node and PostgreSQL set it; undefined without one. */
export function codeOf(failure: unknown): unknown {
  return failure instanceof Error && "code" in failure ? failure.code : undefined;
}

/** Returns the message of what was thrown. */
export function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
