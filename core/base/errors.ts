/**
 * Errors of the API, each with a stable code, a status and a message. Errors of a plugin have codes and statuses of
 * their own (plugins/protocol/errors.ts). One middleware renders both kinds.
 */
export const apiErrors = {
  REQUEST_NOT_JSON: [400, "the body is not JSON: %s"],
  REQUEST_NOT_AN_OBJECT: [
    400,
    "the body must be a JSON object with the members action, key, token and version",
  ],
  REQUEST_TOO_DEEP: [400, "the body must not nest deeper than %s levels"],
  REQUEST_TOO_LARGE: [413, "the body is larger than %s bytes, the maximum for %s"],
  REQUEST_TOO_PACKED: [
    413,
    "the body expands to more than %s times its size when decompressed; send it uncompressed, or split it into several calls",
  ],
  REQUEST_TOO_MANY_VALUES: [413, "the body has more than %s; split it into several calls"],
  REQUEST_TEXT_TOO_LONG: [413, "a string in the body is longer than %s bytes; send a shorter one"],
  REQUEST_MEMBER_TWICE: [400, "the member %s appears twice in the body; send it once"],
  REQUEST_TEXT_INVALID: [400, "%s contains %s, which cannot be stored; remove it or replace it"],
  REQUEST_TIMEOUT: [408, "the body did not arrive within %s; send it again"],
  REQUEST_ENCODING: [
    415,
    "the content encoding %s is not supported; send identity, gzip or deflate",
  ],
  REQUEST_MEDIA_TYPE: [415, "the content type %s is not supported; send application/json"],
  REQUEST_MALFORMED: [
    400,
    "the request must be well-formed HTTP/1.1, with one Content-Length or with Transfer-Encoding: chunked",
  ],
  REQUEST_HEADERS_TOO_LARGE: [431, "the headers are larger than 16 KiB; send shorter ones"],
  REQUEST_ABORTED: [400, "the request ended before its body was complete"],
  REQUEST_FORM_INVALID: [
    400,
    "the form is not valid: %s; send multipart/form-data with a part call, which contains the JSON of the call, and then a part file",
  ],
  PATH_UNKNOWN: [404, "unknown path %s; the API is at /0.1.0/<resource>"],
  METHOD_UNKNOWN: [
    405,
    "the method %s is not supported; send POST (SEARCH, PATCH, DELETE, LINK and UNLINK work too)",
  ],
  RESOURCE_UNKNOWN: [404, "unknown resource %s; the resources are: %s"],
  ACTION_UNKNOWN: [400, "unknown action %s; the actions are: %s"],
  ACTION_NOT_OFFERED: [400, "%s does not support the action %s; it supports: %s"],
  VERSION_UNKNOWN: [400, "version %s is not supported; send 0.1.0"],
  UNAUTHORIZED: [401, "Unauthorized: key and token are missing, wrong or expired"],
  METRICS_UNAUTHORIZED: [
    401,
    "only the operator of the host can read metrics: send the token of MANIFOLD_METRICS as Authorization: Bearer",
  ],
  ORIGIN_REFUSED: [
    403,
    "pages of other origins cannot make this call; make it from a program, or from a page of MANIFOLD_PUBLIC_URL",
  ],
  FORBIDDEN: [403, "this call needs the right to %s"],
  SESSION_CROSS_SITE: [
    403,
    "a session is valid only for the console pages of this host; call the API with key and token from elsewhere",
  ],
  SESSION_NEEDS_HTTPS: [
    403,
    "sessions need https or a loopback address: open the console at an address such as http://localhost, or put an https proxy in front of the host and set MANIFOLD_PUBLIC_URL",
  ],
  SIGN_IN_LINK_INVALID: [
    401,
    "the sign-in link was already used, is older than an hour, or was opened on another machine: sign in another way, or run manifold open on the host's machine to get a new link",
  ],
  PASSWORD_LINK_INVALID: [
    401,
    "the link was already used or has expired: ask for a new one under Forgot your password, or ask an owner of your organization",
  ],
  SECOND_FACTOR_REQUIRED: [
    401,
    "the password is correct, but this user also needs a second factor: %s; docs/SIGN_ON.md describes the second step",
  ],
  SECOND_FACTOR_WRONG: [401, "the second factor is wrong, was already used, or came too late: %s"],
  SECOND_FACTOR_WAIT: [
    429,
    "too many wrong codes: wait as long as Retry-After says, or use a passkey or a recovery code",
  ],
  SECOND_FACTOR_MISSING: [
    403,
    "your organization requires a second factor: add one at /account in the console (POST /auth/account/app/begin), then sign in again",
  ],
  SIGN_IN_STALE: [403, "this call needs a sign-in within the last 10 minutes: %s"],
  PASSKEYS_UNAVAILABLE: [
    409,
    "passkeys need a host name: set MANIFOLD_PUBLIC_URL to an https URL with a domain, or to http://localhost",
  ],
  SIGN_ON_UNKNOWN: [
    404,
    "the single sign-on configuration %s does not exist or is not active; ask an owner of your organization for its address",
  ],
  SIGN_ON_FAILED: [401, "single sign-on failed: %s; start it again"],
  SIGN_ON_REFUSED: [403, "single sign-on was refused: %s"],
  SIGN_ON_PROVIDER_FAILED: [
    502,
    "the sign-on provider could not be reached, or failed; try again, or ask its operator",
  ],
  SOURCE_REFUSED: [
    403,
    "the token cannot be used from %s; use an origin and an address that are allowed by allowed_origins and allowed_addresses of both the token and its organization",
  ],
  ROWS_CLOSED: [
    403,
    "the rows of the dataset %s cannot be read, because a filter that restricts them cannot be applied (%s)",
  ],
  CALLS_TOO_MANY: [
    429,
    "too many calls; the limit is %s per second. Wait as long as Retry-After says",
  ],
  QUOTA_REACHED: [
    429,
    "your organization has reached its quota of %s: %s of at most %s; %s. Wait as long as Retry-After says, or ask the operator of the host to raise the quota %s",
  ],
  QUOTA_FULL: [
    403,
    "your organization has no room for more %s: it has %s of at most %s, and this call adds %s. Delete or replace datasets, or ask the operator of the host to raise the quota %s",
  ],
  QUOTA_TOO_SMALL: [
    413,
    "this call needs %s, but your organization may use at most %s: use smaller datasets, or ask the operator of the host to raise the quota %s",
  ],
  CREDENTIALS_TOO_MANY: [
    429,
    "too many calls with wrong credentials or unreadable bodies came from this address; wait as long as Retry-After says",
  ],
  SIGN_INS_TOO_MANY: [
    429,
    "too many sign-ins with this e-mail address failed: wait as long as Retry-After says, or sign in on a device that you used before, with a passkey, through your organization's provider, or with a recovery code; an owner of the organization can also set a new password",
  ],
  HOST_BUSY: [503, "the host is busy with %s; send the call again after the time in Retry-After"],
  RECORD_NOT_FOUND: [404, "there is no %s %s, or you do not have access to it"],
  MEMBER_MISSING: [400, "%s is required: %s"],
  MEMBER_INVALID: [400, "%s is not valid: %s"],
  MEMBER_UNKNOWN: [400, "%s is unknown; known members: %s"],
  SECRET_AGAIN: [
    400,
    "%s must be entered again in the same call to change %s: a stored secret is sent only to the destination that it was entered for",
  ],
  SECRET_UNCONFIRMED: [
    409,
    "the secrets of the connection %s were confirmed for another address (%s has changed) and are not sent; one of its owners must enter %s again",
  ],
  ROLE_UNKNOWN: [400, "%s does not have the association %s; it has: %s"],
  QUERY_UNKNOWN_COLUMN: [
    400,
    "%s names a column that the dataset %s does not have: %s; it has: %s",
  ],
  QUERY_NOT_SERVED: [400, "%s is part of the grammar but not supported yet: %s"],
  QUERY_NOT_JOINABLE: [400, "the datasets of %s cannot be joined: %s"],
  QUERY_TOO_MANY_ROWS: [
    413,
    "the answer has more than %s rows; request it in pages with limit {by, offset}, or add filters",
  ],
  QUERY_TOO_MANY_COMBINATIONS: [
    413,
    "include_nonoccurring creates %s rows (%s values), but an answer may have at most %s: omit it for a dimension, use longer periods or wider bins, or add filters",
  ],
  QUERY_TOO_MUCH_WORK: [
    413,
    "%s exceeds the budget %s: a call may use at most %s %s, but this call would need %s. To stay within the budget: %s; or split the call",
  ],
  QUERY_TEXTS_TOO_LONG: [
    413,
    "%s are longer than %s bytes in total; request fewer rows or shorter strings",
  ],
  EXPORT_TOO_LARGE: [413, "the export has %s: %s"],
  EXPORT_LINK_ENDED: [
    404,
    "this export link has expired, was revoked or never existed; export again",
  ],
  EXPORT_FILE_LOST: [404, "the exported file is damaged or missing on this host; export again"],
  ACCELERATION_REFUSED: [409, "the dataset %s cannot be accelerated: %s"],
  DATA_TOO_MANY_ROWS: [
    413,
    "properties.data has %s rows, but a call may have at most %s; send several calls",
  ],
  DATA_CELL_INVALID: [422, "properties.data row %s, column %s (%s), counted from 1: %s"],
  FILE_UNREADABLE: [422, "the file %s cannot be read: %s"],
  UPLOAD_TOO_LARGE: [
    413,
    "the file is larger than %s MiB, the maximum of this host: send it compressed or in several files, or ask the operator of the host to raise MANIFOLD_UPLOAD_MB",
  ],
  UPLOADS_TOO_MANY: [
    429,
    "%s uploads are running, the maximum for %s: wait as long as Retry-After says, or ask the operator of the host to raise MANIFOLD_UPLOADS",
  ],
  UPLOADS_FULL: [
    507,
    "the files that %s is uploading need more than %s MiB of disk space: send the file again when other uploads have ended, or ask the operator of the host to raise %s",
  ],
  UPLOAD_DISK_FULL: [
    507,
    "the disk of the host is full, so the file cannot be received: ask the operator of the host to free space in the folder uploads of MANIFOLD_DATA_DIR",
  ],
  UPLOAD_NOT_ADDED: [
    413,
    "the store %s can add a file of at most %s MiB of values to a dataset, or replace its rows with it: send a smaller file, or create a new dataset from it",
  ],
  UPLOAD_OFFSET: [
    409,
    "this host has %s bytes of the upload %s, but the call continues at byte %s: send the bytes from received_bytes on, with that number as properties.offset",
  ],
  UPLOAD_INCOMPLETE: [
    409,
    "this host has %s of the %s bytes of the upload %s: send the bytes from received_bytes on, with that number as properties.offset",
  ],
  SECRET_LOST: [
    409,
    "%s of the %s %s cannot be decrypted, because MANIFOLD_SECRET has changed since it was stored; enter it again (for a plugin, update it with new_secret), or start the host with MANIFOLD_SECRET_PREVIOUS set to the former secret",
  ],
  ASSISTANT_NOT_CONFIGURED: [
    501,
    "no model is configured; set MANIFOLD_AI_URL and MANIFOLD_AI_MODEL, and MANIFOLD_AI_KEY if the endpoint requires one, then restart the host",
  ],
  ASSISTANT_BUDGET_SPENT: [
    429,
    "the assistant's budget is used up: %s; wait as long as Retry-After says, or have %s raised",
  ],
  ASSISTANT_CANNOT: [422, "the assistant cannot do this: %s"],
  ASSISTANT_MODEL_FAILED: [
    502,
    "the model %s; try again, or ask the operator of the host to check the model's endpoint",
  ],
  ASSISTANT_MODEL_SLOW: [
    504,
    "the model did not answer within %s ms; try again, or make the request smaller",
  ],
  CONFLICT: [409, "%s"],
  REQUEST_ID_USED: [
    409,
    "the request_id %s was used for another push within the last day; use a new id for a new push, and repeat an id only with the same body",
  ],
  PUSH_UNDER_WAY: [
    503,
    "the push with the request_id %s is still running; send it again after the time in Retry-After",
  ],
  PUSH_UNCERTAIN: [
    409,
    "the push with the request_id %s was interrupted, and the store does not know whether it contains the rows: query the dataset, then send missing rows with a new id",
  ],
  DRIVER_INSTALLING: [
    503,
    "the host is installing %s for its first use; send the call again after the time in Retry-After",
  ],
  DRIVER_MISSING: [
    501,
    "%s is not installed on this host: %s. The host's operator can run: manifold install %s, or install the package next to the host: npm install %s",
  ],
  CATALOG_UNAVAILABLE: [
    503,
    "the catalog's database does not respond; send the call again after the time in Retry-After. A change may have been made: check before you send it again",
  ],
  CATALOG_FULL: [
    507,
    "the disk of the catalog's database is full; free some space, check whether the change was made, then send the call again",
  ],
  INTERNAL: [
    500,
    "an internal error occurred in the host; quote the request id when you report it",
  ],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ApiErrorCode = keyof typeof apiErrors;

export interface ApiErrorOptions extends ErrorOptions {
  /** Messages for each member, so that clients can mark the invalid field. */
  readonly validation?: Readonly<Record<string, readonly string[]>>;
  /** Seconds after which the call can be sent again, as an integer. */
  readonly retryAfterS?: number;
  /** The number of bytes of an upload that the host has, from which the client can continue. */
  readonly receivedBytes?: number;
  /** Settings for reading a file that can correct the error. */
  readonly remedies?: readonly object[];
}

/** An error of the API. `code` and `status` are stable; the wording of `message` is not. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;
  readonly details: readonly (string | number)[];
  readonly status: number;
  readonly validation: Readonly<Record<string, readonly string[]>> | undefined;
  readonly retryAfterS: number | undefined;
  readonly receivedBytes: number | undefined;
  readonly remedies: readonly object[] | undefined;

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
    this.receivedBytes = options.receivedBytes;
    this.remedies = options.remedies;
  }
}

/** Returns the `code` of a thrown value, as Node and PostgreSQL set it; undefined if the value has no code. */
export function codeOf(failure: unknown): unknown {
  return failure instanceof Error && "code" in failure ? failure.code : undefined;
}

/** Returns the message of a thrown value. A value that is not an Error is converted to a string. */
export function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
