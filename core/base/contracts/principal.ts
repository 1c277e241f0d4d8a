/** The rights on a record. Each right includes the rights before it. */
export const rights = ["read", "use", "modify", "own"] as const;
export type Right = (typeof rights)[number];

/**
 * Types of key pairs. `api` and `login` have all rights of their user; the other types only have the rights that they
 * name.
 */
export const authorizationTypes = ["api", "login", "embed", "sso", "temporary"] as const;
/**
 * The type of a caller's authorization: the type of its key pair, or `share` for the key of a private link, which has
 * no token.
 */
export type AuthorizationType = (typeof authorizationTypes)[number] | "share";

/** The caller. `authenticate` derives it from key and token, and never from other members of the body. */
export interface Principal {
  readonly authorizationId: string;
  readonly authorizationType: AuthorizationType;
  readonly userId: string;
  /** Whether the call was made with a browser session. Absent for calls with a key pair. */
  readonly isSession?: boolean;
  /** Whether the caller may only add a second factor, because the organization requires one. */
  readonly lacksFactor?: boolean;
  readonly organizationId: string;
  readonly organizationRole: "member" | "editor" | "owner";
  /**
   * The user's suborganization; null or absent for a user of the whole organization. Users of different
   * suborganizations cannot see each other.
   */
  readonly suborganization?: string | null;
  readonly name: string;
  readonly email: string;
  /** Overrides that an owner of the organization has set for the user. */
  readonly own?: OwnOverrides;
  /** Features of the key, such as `flag_mcp_write`; absent if it has none. */
  readonly features?: ReadonlySet<string>;
  /** Removed features, such as `flag_export`, each with the origin of its removal. Absent if none were removed. */
  readonly removedFeatures?: ReadonlyMap<string, "token" | "user" | "issuer">;
  /** The restriction of a token of type embed, sso or temporary; absent for api and login. */
  readonly restriction?: Restriction;
}

/** The UUID of zeros, which is not the id of any user. */
export const nobody = "00000000-0000-0000-0000-000000000000";

/** A caller without key and token. It is not a user and belongs to no organization. */
export const anonymous: Principal = {
  authorizationId: nobody,
  authorizationType: "temporary",
  userId: nobody,
  organizationId: nobody,
  organizationRole: "member",
  name: "",
  email: "",
};

/**
 * The restriction of a token of type embed, sso or temporary. The token can reach only records that its restriction
 * names.
 */
export interface Restriction {
  /** The user who issued the token. The token never has more rights than this user has at the time of the call. */
  readonly issuer: Principal;
  readonly role: "viewer" | "designer" | "owner";
  /** Ids of datasets and dashboards, each with the granted right. */
  readonly securables: ReadonlyMap<string, Right>;
  /** Ids of collections, each with the right that is granted on the contents. */
  readonly collections: ReadonlyMap<string, Right>;
  /** The integration of a token of type sso. The token can also reach the records of this integration. */
  readonly integrationId: string | undefined;
  /** Filters that apply to every query of the datasets they name. */
  readonly filters: readonly RowFilter[];
  /** Parameters of the token, and those parameters of the user that the token does not override. */
  readonly parameters: ReadonlyMap<string, ParameterOverride>;
  /** Ids of columns that are hidden from this token. */
  readonly hiddenColumns: ReadonlySet<string>;
  readonly accountOverrides: ReadonlyMap<string, AccountOverride>;
  /** The environment whose published version of a dashboard is shown; null to show the latest version. */
  readonly environment: string | null;
  /** Time zone for queries that name no time zone. `localeId` is the language for queries that name no language. */
  readonly timezoneId?: string | undefined;
  readonly localeId?: string | undefined;
  /** Currency of amounts whose column names none, as an ISO 4217 code. */
  readonly currencyId?: string | undefined;
  /** The screen whose view of a dashboard is shown, such as `mobile`. */
  readonly screen?: string | undefined;
  /** Size of pictures in pixels, for exports that set none. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** What the issuer tells the assistant about the reader. */
  readonly assistantContext?: string | undefined;
  /** The appearance that the token sets for dashboards. Absent if the token sets none. */
  readonly look?: {
    readonly theme: unknown;
    readonly themeId: string | null;
    readonly css: string | null;
  };
  /**
   * Facts about the user that plugins receive: the user's metadata. Members of the token's metadata replace members
   * with the same name.
   */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
}

/** Overrides of a user, which apply to all of the user's calls. Overrides of a token take precedence. */
export interface OwnOverrides {
  readonly parameters: ReadonlyMap<string, ParameterOverride>;
  readonly accountOverrides: ReadonlyMap<string, AccountOverride>;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /**
   * The user who set the overrides. Undefined if that user was deleted; queries that need an account override then
   * fail.
   */
  readonly issuer: Principal | undefined;
}

/** A row filter of a token, a filter group or a share. */
export interface RowFilter {
  /** The clause to which the filter is added. Only filters of tokens use `having`, which `addHavingFilters` applies. */
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

/** The override of a single parameter: a value, or `clear` to skip the filters that use the parameter. */
export interface ParameterOverride {
  readonly value?: unknown;
  /** Whether scheduled runs of queries also use the value. */
  readonly sticky: boolean;
  /** Whether the value must never be shown. */
  readonly sensitive: boolean;
  /** Whether filters that use this parameter are skipped. */
  readonly clear: boolean;
}

/**
 * Members of a connection that a token or user overrides. `datasets` contains further members by dataset id, which take
 * precedence for that dataset.
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
  /** The table to query instead of the dataset's own table. Only for overrides of one dataset. */
  readonly table?: string;
  readonly base_url?: string;
  readonly properties?: Readonly<Record<string, string>>;
}
