/** The rights on a record. Each includes those before it. */
export const rights = ["read", "use", "modify", "own"] as const;
export type Right = (typeof rights)[number];

/** Types of key pairs. `api` and `login` have all rights of their user; the others only what they name. */
export const authorizationTypes = ["api", "login", "embed", "sso", "temporary"] as const;
/** `share` is the key of a private link, which has no token. */
export type AuthorizationType = (typeof authorizationTypes)[number] | "share";

/** The caller. `authenticate` derives it from key and token, and never from other members of the body. */
export interface Principal {
  readonly authorizationId: string;
  readonly authorizationType: AuthorizationType;
  readonly userId: string;
  /** Whether the call uses the session of a page; absent for key pairs. */
  readonly isSession?: boolean;
  /** Whether the caller may only add a second factor, because the organization requires one. */
  readonly lacksFactor?: boolean;
  readonly organizationId: string;
  readonly organizationRole: "member" | "editor" | "owner";
  /** Users of different suborganizations cannot see each other. */
  readonly suborganization?: string | null;
  readonly name: string;
  readonly email: string;
  /** Overrides that an owner of the organization set for the user. */
  readonly own?: OwnOverrides;
  /** Features of the key, such as `flag_mcp_write`; absent if it has none. */
  readonly features?: ReadonlySet<string>;
  /** Removed features, such as `flag_export`, each with who removed it; absent if none were removed. */
  readonly removedFeatures?: ReadonlyMap<string, "token" | "user" | "issuer">;
  /** The restriction of a token of type embed, sso or temporary; absent for api and login. */
  readonly restriction?: Restriction;
}

/** An id that no user has. */
export const nobody = "00000000-0000-0000-0000-000000000000";

/** A caller without key and token, who is no user and belongs to no organization. */
export const anonymous: Principal = {
  authorizationId: nobody,
  authorizationType: "temporary",
  userId: nobody,
  organizationId: nobody,
  organizationRole: "member",
  name: "",
  email: "",
};

/** The restriction of an embed token. The token can reach only what this names. */
export interface Restriction {
  /** The user who issued the token. It never reaches more than its issuer does at the time of the call. */
  readonly issuer: Principal;
  readonly role: "viewer" | "designer" | "owner";
  /** Datasets and dashboards by id, each with the granted right. */
  readonly securables: ReadonlyMap<string, Right>;
  /** Collections by id, each with the right granted on its contents. */
  readonly collections: ReadonlyMap<string, Right>;
  /** The integration of a token of type sso. The token can also reach its records. */
  readonly integrationId: string | undefined;
  /** Filters that apply to every query of the datasets they name. */
  readonly filters: readonly RowFilter[];
  /** Parameters of the token, and those of its user that the token does not override. */
  readonly parameters: ReadonlyMap<string, ParameterOverride>;
  /** Ids of columns that are hidden from this token. */
  readonly hiddenColumns: ReadonlySet<string>;
  readonly accountOverrides: ReadonlyMap<string, AccountOverride>;
  /** The published version of a dashboard to show; null for the latest. */
  readonly environment: string | null;
  /** Time zone and language for queries that name none. */
  readonly timezoneId?: string | undefined;
  readonly localeId?: string | undefined;
  /** The appearance that the token gives to dashboards; absent for none. */
  readonly look?: {
    readonly theme: unknown;
    readonly themeId: string | null;
    readonly css: string | null;
  };
  /** Facts about the user that plugins receive: metadata of the token, then of its user. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
}

/** Overrides of a user, which apply to all of the user's calls. Overrides of a token take precedence. */
export interface OwnOverrides {
  readonly parameters: ReadonlyMap<string, ParameterOverride>;
  readonly accountOverrides: ReadonlyMap<string, AccountOverride>;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** The user who set them. Undefined if that user was deleted: then nobody vouches for the accounts. */
  readonly issuer: Principal | undefined;
}

/** One row filter of a token, a filter group or a share. */
export interface RowFilter {
  /** Only filters of tokens use `having`, which `addHavingFilters` applies. */
  readonly clause: "where" | "having";
  readonly origin: "global";
  readonly securable_id: string;
  readonly column_id: string;
  readonly expression: string;
  /** A value, a list, or a parameter `{parameter, type, value?}`; absent for tests for null. */
  readonly value?: unknown;
  /** The origin of the filter, for explanations of an answer. Never sent in a response. */
  readonly setBy?: "token" | "filter_group" | "share";
}

/** The override of one parameter. */
export interface ParameterOverride {
  readonly value?: unknown;
  /** Whether scheduled runs keep the value. */
  readonly sticky: boolean;
  /** Whether the value must never be shown. */
  readonly sensitive: boolean;
  /** Whether filters with this parameter are skipped. */
  readonly clear: boolean;
}

/**
 * Members of a connection that a token replaces. Members for one dataset take precedence over those for all datasets.
 */
export interface AccountOverride extends ConnectionOverride {
  readonly datasets?: Readonly<Record<string, ConnectionOverride>>;
}
export interface ConnectionOverride {
  readonly host?: string;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly schema?: string;
  /** For one dataset: the table to query instead of its own. */
  readonly table?: string;
  readonly base_url?: string;
  readonly properties?: Readonly<Record<string, string>>;
}
