import type { MessageName, PluginErrorCode } from "../../../plugins/protocol/index.ts";

/** A route that a plugin serves. */
export interface Operation {
  readonly id: string;
  readonly method: "get" | "post";
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The message in the body. Absent if there is no body. */
  readonly request?: MessageName;
  readonly answer: MessageName;
  /** Whether every plugin serves the route. */
  readonly isRequired: boolean;
  /** The errors that a plugin may return from this route, in addition to the errors of every route. */
  readonly errors: readonly PluginErrorCode[];
}

/** Errors that every route may return. */
export const commonErrors: readonly PluginErrorCode[] = [
  "PLUGIN_FORBIDDEN",
  "PLUGIN_BUSY",
  "PLUGIN_BUG",
];

const sourceErrors: readonly PluginErrorCode[] = ["PLUGIN_SOURCE_FAILED", "PLUGIN_TIMEOUT"];

/** The routes that a plugin of the protocol `manifold-1` serves. */
export const operations: readonly Operation[] = [
  {
    id: "getCapabilities",
    method: "get",
    path: "/capabilities",
    summary: "Returns what the plugin can do",
    description:
      "The host calls this route without credentials, and sends only the clauses that the answer promises. `{}` is the answer of a basic plugin, which returns all rows of a dataset for every query. With `probed: true`, the host also calls POST /capabilities.",
    answer: "CapabilitiesAnswer",
    isRequired: true,
    errors: [],
  },
  {
    id: "probeCapabilities",
    method: "post",
    path: "/capabilities",
    summary: "Returns what the plugin can do with these credentials",
    description:
      "The host calls this route at most once a minute per connection, and only if GET /capabilities returned `probed: true`. The capabilities are a subset of those in GET /capabilities.",
    request: "ProbeRequest",
    answer: "ProbeAnswer",
    isRequired: false,
    errors: ["PLUGIN_MALFORMED", ...sourceErrors],
  },
  {
    id: "listDatasets",
    method: "post",
    path: "/datasets",
    summary: "Lists the datasets that the credentials may see",
    description:
      "The host calls this route when a user selects datasets, and at each synchronization of a stored dataset.",
    request: "DatasetsRequest",
    answer: "DatasetsAnswer",
    isRequired: true,
    errors: ["PLUGIN_MALFORMED", ...sourceErrors],
  },
  {
    id: "query",
    method: "post",
    path: "/query",
    summary: "Answers a query of one dataset",
    description:
      "The answer has one column per entry of `columns`, in that order; a basic plugin sends all columns of the dataset, in the dataset's order. A plugin refuses clauses that it does not promise with 501 and PLUGIN_NOT_OFFERED; the host then fetches plain rows and carries out the clauses itself.",
    request: "QueryRequest",
    answer: "QueryAnswer",
    isRequired: true,
    errors: [
      "PLUGIN_MALFORMED",
      "PLUGIN_UNKNOWN_DATASET",
      "PLUGIN_UNKNOWN_COLUMN",
      "PLUGIN_JOIN_AMBIGUOUS",
      "PLUGIN_INVALID",
      "PLUGIN_UNREADABLE",
      "PLUGIN_NOT_OFFERED",
      ...sourceErrors,
    ],
  },
  {
    id: "authorize",
    method: "post",
    path: "/authorize",
    summary: "Checks the credentials",
    description:
      'The host calls this route when someone connects an account. `auth_url` in the answer names a page where a person must first give consent (OAuth2). A plugin that accepts all credentials answers `{"ok": true}` or 404.',
    request: "AuthorizeRequest",
    answer: "AuthorizeAnswer",
    isRequired: false,
    errors: ["PLUGIN_MALFORMED", ...sourceErrors],
  },
  {
    id: "exchange",
    method: "post",
    path: "/exchange",
    summary: "Exchanges an OAuth2 code for credentials",
    description:
      "The host stores the members of the answer as properties of the account, and sends them with later calls.",
    request: "ExchangeRequest",
    answer: "ExchangeAnswer",
    isRequired: false,
    errors: ["PLUGIN_MALFORMED", "PLUGIN_NOT_OFFERED", ...sourceErrors],
  },
  {
    id: "write",
    method: "post",
    path: "/write",
    summary: "Carries out one change of a stored dataset",
    description:
      "Only for plugins that promise `write`. The change is carried out completely, or the answer is an error and nothing has changed.",
    request: "WriteRequest",
    answer: "WriteAnswer",
    isRequired: false,
    errors: [
      "PLUGIN_MALFORMED",
      "PLUGIN_CONFLICT",
      "PLUGIN_UNKNOWN_DATASET",
      "PLUGIN_UNKNOWN_COLUMN",
      "PLUGIN_INVALID",
      "PLUGIN_NOT_OFFERED",
      ...sourceErrors,
    ],
  },
  {
    id: "getHealth",
    method: "get",
    path: "/health",
    summary: "Returns 200 while the source responds",
    description: "The host calls this route without credentials, and reads only the status.",
    answer: "HealthAnswer",
    isRequired: false,
    errors: [...sourceErrors],
  },
];
