import type { ApiErrorCode } from "../../../core/base/errors.ts";
import type { EngineErrorCode } from "../../../engine/index.ts";
import type { PluginErrorCode } from "../../../plugins/protocol/index.ts";

/** The typical cause of an error, and what to do. Both are sentences. */
export type ErrorHelp = readonly [cause: string, remedy: string];

/** The areas of errors of the API, in the order of the page. */
export const areas = [
  "Every call",
  "Bodies",
  "Signing in",
  "Queries",
  "Data and sources",
  "Quotas",
  "Assistant",
  "The host",
] as const;
type Area = (typeof areas)[number];

/** The errors of the API: the area of the page, the typical cause, and what to do. */
export const apiHelp: Readonly<Record<ApiErrorCode, readonly [Area, ...ErrorHelp]>> = {
  UNAUTHORIZED: [
    "Every call",
    "Key and token are missing, wrong, expired or revoked.",
    "Create a new key pair, or sign in again.",
  ],
  FORBIDDEN: [
    "Every call",
    "The caller lacks a right, a role or a feature, which the message names.",
    "Ask an owner of the record or of the organization for it.",
  ],
  RECORD_NOT_FOUND: [
    "Every call",
    "No record has this id, or the caller cannot see it. Both cases return the same error.",
    "Check the id, and share the record with the caller.",
  ],
  MEMBER_MISSING: [
    "Every call",
    "A required member is absent.",
    "Add the member that the message names.",
  ],
  MEMBER_INVALID: [
    "Every call",
    "A member has a wrong type, or a value that is not allowed.",
    "Correct it as the message says. If several members are wrong, `validation` lists them.",
  ],
  MEMBER_UNKNOWN: [
    "Every call",
    "A name is misspelt, or belongs to another action.",
    "Use one of the names in the message.",
  ],
  RESOURCE_UNKNOWN: [
    "Every call",
    "The path names a resource that does not exist.",
    "Use one of the names in the message.",
  ],
  ACTION_UNKNOWN: [
    "Every call",
    "`action` is missing or misspelt.",
    "Use one of the actions in the message.",
  ],
  ACTION_NOT_OFFERED: [
    "Every call",
    "The resource does not have this action; some records cannot be changed.",
    "Use an action of the message.",
  ],
  VERSION_UNKNOWN: [
    "Every call",
    "`version` names another version of the API.",
    "Send `0.1.0`, or omit the member.",
  ],
  PATH_UNKNOWN: [
    "Every call",
    "The URL has another path than those of the API.",
    "Send calls to `/0.1.0/<resource>`.",
  ],
  METHOD_UNKNOWN: ["Every call", "The request has another method.", "Send POST."],
  CONFLICT: [
    "Every call",
    "The call contradicts the present state, such as a name that is taken or a record that is in use.",
    "Read the message, change that state, and send the call again.",
  ],
  ROLE_UNKNOWN: [
    "Every call",
    "`resource.role` names no association of the record.",
    "Use one of the roles in the message.",
  ],
  CALLS_TOO_MANY: [
    "Every call",
    "The token has sent more calls than `MANIFOLD_CALLS_PER_SECOND` allows.",
    "Wait for the time in `Retry-After`, send fewer calls, or several queries in one call.",
  ],
  HOST_BUSY: [
    "Every call",
    "The host has no memory or thread left for the call, or too many queries of the user already wait.",
    "Send the call again after the time in `Retry-After`.",
  ],
  SOURCE_REFUSED: [
    "Every call",
    "The token, or its organization, allows only other origins or addresses.",
    "Call from an allowed place, or create a token that allows this one.",
  ],
  INTERNAL: [
    "Every call",
    "A fault of the host.",
    "Search the log for the `request_id` of the answer, and report it.",
  ],
  REQUEST_NOT_JSON: [
    "Bodies",
    "The body is not valid JSON.",
    "Correct it at the place that the message names.",
  ],
  REQUEST_NOT_AN_OBJECT: ["Bodies", "The body is a list, a string or empty.", "Send an object."],
  REQUEST_TOO_DEEP: ["Bodies", "Lists and objects are nested too deeply.", "Send a flatter body."],
  REQUEST_TOO_LARGE: [
    "Bodies",
    "The body exceeds [the limit of its action](../LIMITS.md).",
    "Split it into several calls, or compress it.",
  ],
  REQUEST_TOO_PACKED: [
    "Bodies",
    "The body expands too much when it is decompressed.",
    "Send it uncompressed, or split it.",
  ],
  REQUEST_TOO_MANY_VALUES: [
    "Bodies",
    "The body has more values than its action allows.",
    "Split it into several calls.",
  ],
  REQUEST_TEXT_TOO_LONG: ["Bodies", "A string of the body is longer than 4 MiB.", "Shorten it."],
  REQUEST_MEMBER_TWICE: [
    "Bodies",
    "The body contains a member twice, often after merging objects as text.",
    "Send it once.",
  ],
  REQUEST_TEXT_INVALID: [
    "Bodies",
    "A string contains a character that the catalog cannot store, such as a null character.",
    "Remove the character.",
  ],
  REQUEST_TIMEOUT: [
    "Bodies",
    "The body arrived too slowly, or not at all.",
    "Send it again on a faster connection.",
  ],
  REQUEST_ENCODING: [
    "Bodies",
    "`Content-Encoding` names another encoding.",
    "Send identity, gzip or deflate.",
  ],
  REQUEST_MEDIA_TYPE: [
    "Bodies",
    "`Content-Type` is not JSON.",
    "Send `Content-Type: application/json`.",
  ],
  REQUEST_MALFORMED: [
    "Bodies",
    "A program or a proxy sends invalid HTTP, such as two lengths.",
    "Correct the program or the proxy.",
  ],
  REQUEST_HEADERS_TOO_LARGE: [
    "Bodies",
    "The headers are too large, often because of cookies.",
    "Send fewer or shorter headers.",
  ],
  REQUEST_ABORTED: [
    "Bodies",
    "The client closed the connection before the end of the body.",
    "Send it again.",
  ],
  SECOND_FACTOR_REQUIRED: [
    "Signing in",
    "The password is right, and the user has a second factor.",
    "Send `code` as well, or use a passkey ([second factors](../SIGN_ON.md#second-factors)).",
  ],
  SECOND_FACTOR_WRONG: [
    "Signing in",
    "The code is wrong, was used before, or is too old.",
    "Send the present code.",
  ],
  SECOND_FACTOR_WAIT: [
    "Signing in",
    "Several codes were wrong.",
    "Wait for the time in `Retry-After`.",
  ],
  SECOND_FACTOR_MISSING: [
    "Signing in",
    "The organization requires a second factor, and the user has none.",
    "Sign in to the console and add one.",
  ],
  SIGN_IN_STALE: [
    "Signing in",
    "The action needs a sign-in within the last ten minutes; API tokens never have one.",
    "Sign in again in the console.",
  ],
  SIGN_IN_LINK_INVALID: [
    "Signing in",
    "A sign-in link works once, for an hour, and on the host's own machine.",
    "Run `manifold open` there to get a new link.",
  ],
  PASSWORD_LINK_INVALID: [
    "Signing in",
    "A link to choose a password works once, within a week for invitations and within an hour for forgotten passwords.",
    "Ask for a new one under *Forgot your password*, or ask an owner of your organization.",
  ],
  SIGN_INS_TOO_MANY: [
    "Signing in",
    "Too many sign-ins with this address failed.",
    "Wait for the time in `Retry-After`, or sign in on a device that you used before.",
  ],
  CREDENTIALS_TOO_MANY: [
    "Signing in",
    "Too many calls from this address failed before the caller was known.",
    "Correct the credentials, and wait for the time in `Retry-After`.",
  ],
  SESSION_CROSS_SITE: [
    "Signing in",
    "A page of another site used the cookie of a session.",
    "Call the API with key and token.",
  ],
  SESSION_NEEDS_HTTPS: [
    "Signing in",
    "The console was opened over http at an address that is not loopback.",
    "Put a proxy with https in front of the host, and set `MANIFOLD_PUBLIC_URL`.",
  ],
  PASSKEYS_UNAVAILABLE: [
    "Signing in",
    "The host has no name to which passkeys can belong.",
    "Set `MANIFOLD_PUBLIC_URL`.",
  ],
  SIGN_ON_UNKNOWN: [
    "Signing in",
    "The link names a single sign-on that was deleted or is not active.",
    "Ask an owner for its address.",
  ],
  SIGN_ON_FAILED: [
    "Signing in",
    "The sign-on took too long, or the provider sent something unexpected.",
    "Start it again. `ssoconfig test` shows what is wrong with a provider.",
  ],
  SIGN_ON_REFUSED: [
    "Signing in",
    "The provider or the organization does not admit this person.",
    "Ask an owner of the organization.",
  ],
  SIGN_ON_PROVIDER_FAILED: [
    "Signing in",
    "The provider did not respond, or failed.",
    "Try again, or ask its operator.",
  ],
  ORIGIN_REFUSED: [
    "Signing in",
    "A page of another origin made a call that only programs and the host's own pages may make.",
    "Make the call from your server.",
  ],
  METRICS_UNAUTHORIZED: [
    "Signing in",
    "Metrics need the operator's token.",
    "Send the token of `MANIFOLD_METRICS`.",
  ],
  QUERY_UNKNOWN_COLUMN: [
    "Queries",
    "The dataset lacks the column, or the column is hidden from the caller.",
    "Use one of the columns in the message.",
  ],
  QUERY_NOT_SERVED: [
    "Queries",
    "The query uses a part of the grammar that no version supports yet.",
    "Write it differently.",
  ],
  QUERY_NOT_JOINABLE: [
    "Queries",
    "The datasets of the query have no link between their columns, or several.",
    "Associate a column of one with a column of the other (`Joins`), or query them separately.",
  ],
  QUERY_TOO_MANY_ROWS: [
    "Queries",
    "The answer has too many rows.",
    "Use `limit` with `offset`, or filters.",
  ],
  QUERY_TOO_MANY_COMBINATIONS: [
    "Queries",
    "`include_nonoccurring` multiplies the values of several dimensions.",
    "Omit it for a dimension, or use longer periods or wider bins.",
  ],
  QUERY_TOO_MUCH_WORK: [
    "Queries",
    "The queries of the call exceed a budget of work.",
    "Follow the advice in the message, or split the call.",
  ],
  QUERY_TEXTS_TOO_LONG: [
    "Queries",
    "The strings of the answer are too long in total.",
    "Request fewer rows.",
  ],
  ROWS_CLOSED: [
    "Queries",
    "A row filter cannot be applied, for example because its column was deleted. The host then returns no rows.",
    "Correct the filter of the token, the share or the filter group. `authorization explain` names it.",
  ],
  EXPORT_TOO_LARGE: [
    "Queries",
    "The file would have too many rows, cells or pages.",
    "Add filters, or choose another format.",
  ],
  EXPORT_LINK_ENDED: [
    "Queries",
    "The link has expired, or its export was deleted.",
    "Export again.",
  ],
  EXPORT_FILE_LOST: ["Queries", "The file is not on this host, or is damaged.", "Export again."],
  DATA_TOO_MANY_ROWS: [
    "Data and sources",
    "The push has more than 10,000 rows.",
    "Send several pushes.",
  ],
  DATA_CELL_INVALID: [
    "Data and sources",
    "A cell does not fit the type of its column.",
    "Correct the cell in the row and column that the message names.",
  ],
  REQUEST_FORM_INVALID: [
    "Bodies",
    "The form of an upload has other parts than `call` and `file`, or is incomplete.",
    "Send the part `call` first, and then the part `file` with a file name.",
  ],
  FILE_UNREADABLE: [
    "Data and sources",
    "The file is damaged, or a value does not have the type of its column.",
    "Correct the file, or change the setting that the message names.",
  ],
  UPLOAD_TOO_LARGE: [
    "Data and sources",
    "The file is larger than `MANIFOLD_UPLOAD_MB`.",
    "Compress or split the file, or have the operator raise the limit.",
  ],
  UPLOADS_TOO_MANY: [
    "Data and sources",
    "As many uploads are running as `MANIFOLD_UPLOADS` allows.",
    "Send the file again later.",
  ],
  UPLOADS_FULL: [
    "Data and sources",
    "The files that are being uploaded use the disk space that the operator allows for them.",
    "Send the file again later, or have the operator raise the limit that the message names.",
  ],
  UPLOAD_DISK_FULL: [
    "Data and sources",
    "The disk of the host is full.",
    "The operator frees space. Then send the file again.",
  ],
  UPLOAD_NOT_ADDED: [
    "Data and sources",
    "The store cannot add so many rows to a dataset in one step.",
    "Split the file, or create a new dataset from it.",
  ],
  UPLOAD_OFFSET: [
    "Data and sources",
    "The call continues an upload at another byte than the host has received.",
    "Continue at `received_bytes`.",
  ],
  UPLOAD_INCOMPLETE: [
    "Data and sources",
    "The host does not have the whole file yet.",
    "Send the rest of the file from `received_bytes` on.",
  ],
  REQUEST_ID_USED: [
    "Data and sources",
    "The `request_id` of the push was used for other rows within a day.",
    "Use a new id for each push.",
  ],
  PUSH_UNDER_WAY: [
    "Data and sources",
    "The first call with this `request_id` is still running.",
    "Send it again after `Retry-After`.",
  ],
  PUSH_UNCERTAIN: [
    "Data and sources",
    "The host stopped during the push, and cannot know whether the rows were stored.",
    "Query the dataset, then push what is missing with a new id.",
  ],
  ACCELERATION_REFUSED: [
    "Data and sources",
    "The dataset cannot be copied, for example because its rows depend on the reader.",
    "Read the message; leave the dataset live, or change it.",
  ],
  SECRET_AGAIN: [
    "Data and sources",
    "The call changes where a stored secret is sent.",
    "Send the secret in the same call.",
  ],
  SECRET_UNCONFIRMED: [
    "Data and sources",
    "The address of a connection changed after its secret was entered.",
    "An owner of the connection enters the secret again.",
  ],
  SECRET_LOST: [
    "Data and sources",
    "The host started with another `MANIFOLD_SECRET`.",
    "Set `MANIFOLD_SECRET_PREVIOUS`, or enter the secret again.",
  ],
  DRIVER_INSTALLING: [
    "Data and sources",
    "The host installs the driver of the connector at its first use.",
    "Send the call again after the time in `Retry-After`.",
  ],
  DRIVER_MISSING: [
    "Data and sources",
    "The driver of the connector is not installed, and the host may not install it.",
    "The operator runs the command in the message.",
  ],
  QUOTA_REACHED: [
    "Quotas",
    "The organization has used up what it may use per minute or day.",
    "Wait for the time in `Retry-After`, or ask the operator ([quotas](../LIMITS.md#quotas)).",
  ],
  QUOTA_FULL: [
    "Quotas",
    "The organization stores as much as it may.",
    "Delete or replace datasets, or ask the operator.",
  ],
  QUOTA_TOO_SMALL: [
    "Quotas",
    "One call needs more than the whole quota.",
    "Use smaller datasets, or ask the operator.",
  ],
  ASSISTANT_NOT_CONFIGURED: [
    "Assistant",
    "The host has no model.",
    "The operator sets the model ([the assistant](../ASSISTANT.md)).",
  ],
  ASSISTANT_BUDGET_SPENT: [
    "Assistant",
    "The user or the organization has used up its tokens.",
    "Wait for the time in `Retry-After`.",
  ],
  ASSISTANT_CANNOT: [
    "Assistant",
    "The request is outside what the assistant does, or needs data that is missing.",
    "Change it as the message says.",
  ],
  ASSISTANT_MODEL_FAILED: [
    "Assistant",
    "The model did not respond, or its response was not usable.",
    "Try again, or ask the operator.",
  ],
  ASSISTANT_MODEL_SLOW: ["Assistant", "The model took too long.", "Try again, or ask for less."],
  CATALOG_UNAVAILABLE: [
    "The host",
    "The database of the catalog restarts, or cannot be reached.",
    "Check whether the change was made, then send the call again.",
  ],
  CATALOG_FULL: [
    "The host",
    "The disk of the catalog's database is full.",
    "The operator frees space.",
  ],
};

/** The errors that come from a plugin, a connector or the store. */
export const pluginHelp: Readonly<Record<PluginErrorCode, ErrorHelp>> = {
  PLUGIN_MALFORMED: [
    "The plugin could not read the request. For the host's own store: a row or a file is malformed.",
    "Correct the rows. If a plugin causes it, check the plugin with `plugin test`.",
  ],
  PLUGIN_FORBIDDEN: [
    "The source refuses the credentials of the connection, or the connection is not active.",
    "Enter valid credentials in the connection.",
  ],
  PLUGIN_CONFLICT: [
    "The change contradicts what the source contains.",
    "Load the data again, and repeat the change.",
  ],
  PLUGIN_UNKNOWN_DATASET: [
    "The table or file was renamed or deleted at the source.",
    "Restore it, or delete the dataset.",
  ],
  PLUGIN_UNKNOWN_COLUMN: [
    "The column was renamed or deleted at the source.",
    "Update the dataset with `update_metadata`, and correct the query.",
  ],
  PLUGIN_JOIN_AMBIGUOUS: [
    "The column that should identify rows has a value twice.",
    "Join on a column with unique values.",
  ],
  PLUGIN_INVALID: [
    "The source understands the request, but cannot carry it out.",
    "Change the query as the message says.",
  ],
  PLUGIN_UNREADABLE: [
    "A file or an answer of the source cannot be read.",
    "Repair the file, or the options with which it is read.",
  ],
  PLUGIN_BUSY: [
    "The source limits requests.",
    "Send the call again after the time in `Retry-After`.",
  ],
  PLUGIN_BUG: [
    "The plugin or the store failed.",
    "Look at the log of the plugin; report a fault of the store.",
  ],
  PLUGIN_NOT_OFFERED: [
    "The plugin lacks the operation.",
    "Use another operation, or accelerate the dataset.",
  ],
  PLUGIN_BAD_ANSWER: [
    "The answer of a plugin breaks the protocol.",
    "Run `plugin test`, and correct the plugin.",
  ],
  PLUGIN_SOURCE_FAILED: [
    "The source cannot be reached, or failed.",
    "Check the address in the connection, the source, and `MANIFOLD_EGRESS_ALLOW`.",
  ],
  PLUGIN_TIMEOUT: [
    "The source was too slow.",
    "Add filters, add an index at the source, or accelerate the dataset.",
  ],
};

/** The errors of the engine, which programs see only if they use its files or read the log. */
export const engineHelp: Readonly<Record<EngineErrorCode, ErrorHelp>> = {
  STORE_LOCKED: [
    "Another process uses the data folder.",
    "Stop it, or give each host a folder of its own.",
  ],
  STORE_CLOSED: ["The host is stopping.", "Send the call to a host that runs."],
  STORE_WRITE_FAILED: ["The disk is full or failed.", "Free space, or repair the disk."],
  STORE_OUT_OF_MEMORY: [
    "The rows do not fit the memory of the store.",
    "Give it more memory, or delete datasets.",
  ],
  STORE_BUSY: ["Too many queries wait.", "Send the call again."],
  SNAPSHOT_OPEN: ["A backup or a move is still reading.", "Wait until it has ended."],
  FILE_CORRUPT: ["A file of the store was changed or damaged.", "Restore a backup."],
  FILE_VERSION: [
    "Another version wrote the file.",
    "Start that version, or restore a backup ([versions](../VERSIONS.md)).",
  ],
  TABLE_UNKNOWN: ["The table of the dataset was deleted.", "Push the rows again."],
  TABLE_EXISTS: ["Two pushes create the same table.", "Send the second one again."],
  TABLE_DAMAGED: ["Files of the table are damaged.", "Restore a backup, or replace the rows."],
  COLUMN_UNKNOWN: ["The table lacks the column.", "Use one of its columns."],
  COLUMN_EXISTS: ["The table already has the column.", "Use another name."],
  COLUMN_TYPE: [
    "The values have another type than the column.",
    "Push values of the column's type.",
  ],
  BATCH_MALFORMED: ["The columns of a batch have different lengths or types.", "Report the fault."],
  VALUE_NOT_FINITE: ["A number is infinite or not a number.", "Push finite numbers or null."],
  JOIN_AMBIGUOUS: ["The joined table has a key twice.", "Join on a column with unique values."],
  INGEST_MALFORMED: ["A body has a wrong form.", "Correct it at the byte that the message names."],
  INGEST_CELL: ["A cell does not fit its column.", "Correct the cell."],
  QUERY_CANCELLED: [
    "The client disconnected, or the time was over.",
    "Send the query again with more filters.",
  ],
  QUERY_PLAN: ["A plan contains a step that the engine does not know.", "Report the fault."],
  QUERY_OUT_OF_MEMORY: [
    "The query has too many groups for a worker's memory.",
    "Add filters, or group by fewer columns.",
  ],
  QUERY_TEXTS_LARGE: [
    "Functions return very long strings.",
    "Shorten them, or call them on fewer values.",
  ],
  WORKER_FAILED: ["A thread of the engine stopped.", "Send the call again, and report the fault."],
};
