/** The rights on a record; each includes the rights before it. */
export const rights = ["read", "use", "modify", "own"] as const;
export type Right = (typeof rights)[number];

/** Kinds of key pairs: `api` and `login` act as their user, the others only as far as they say. */
export const authorizationTypes = ["api", "login", "embed", "sso", "temporary"] as const;
/** `share`: no token, but the key of a private link. */
export type AuthorizationType = (typeof authorizationTypes)[number] | "share";

/** Who makes a call: made by `authenticate` from key and token, never from anything else in the body. */
export interface Principal {
  readonly authorizationId: string;
  readonly authorizationType: AuthorizationType;
  readonly userId: string;
  /** The call came with the session of a page; absent for key pairs. */
  readonly isSession?: boolean;
  /** May only add a second factor, which its organization demands. */
  readonly lacksFactor?: boolean;
  readonly organizationId: string;
  readonly organizationRole: "member" | "editor" | "owner";
  /** Users of different suborganizations see nothing of one another. */
  readonly suborganization?: string | null;
  readonly name: string;
  readonly email: string;
  /** The overrides that an owner of the organization set for the user. */
  readonly own?: OwnOverrides;
  /** Features that the key was given, such as `flag_mcp_write`; absent for none. */
  readonly features?: ReadonlySet<string>;
  /** Removed features, such as `flag_export`, each with who removed it; absent if there are none. */
  readonly removedFeatures?: ReadonlyMap<string, "token" | "user" | "issuer">;
  /** The restriction of a token of type embed, sso or temporary; absent for api and login. */
  readonly restriction?: Restriction;
}

/** The id of no user. */
export const nobody = "00000000-0000-0000-0000-000000000000";

/** Who calls without key and token: no user, in no organization. */
export const anonymous: Principal = {
  authorizationId: nobody,
  authorizationType: "temporary",
  userId: nobody,
  organizationId: nobody,
  organizationRole: "member",
  name: "",
  email: "",
};

/** The restriction of an embed token. Everything that it does not name is closed. */
export interface Restriction {
  /** The user who issued the token. It reaches nothing that its issuer does not reach at the time of the call. */
  readonly issuer: Principal;
  readonly role: "viewer" | "designer" | "owner";
  /** Datasets and dashboards by id, each with the right that was given. */
  readonly securables: ReadonlyMap<string, Right>;
  /** Collections by id, with the right given on what is in them. */
  readonly collections: ReadonlyMap<string, Right>;
  /** The integration of a token of type sso, whose records are in reach too. */
  readonly integrationId: string | undefined;
  /** Applied to every query of the dataset that each names. */
  readonly filters: readonly RowFilter[];
  /** Parameters of the token, and parameters of its user that the token does not name. */
  readonly parameters: ReadonlyMap<string, ParameterOverride>;
  /** Ids of columns that do not exist for this token. */
  readonly hiddenColumns: ReadonlySet<string>;
  readonly accountOverrides: ReadonlyMap<string, AccountOverride>;
  /** Which published version of a dashboard is shown; null for the latest. */
  readonly environment: string | null;
  /** The time zone and the language of its queries that name none. */
  readonly timezoneId?: string | undefined;
  readonly localeId?: string | undefined;
  /** The look that the token gives to dashboards; absent for none. */
  readonly look?: {
    readonly theme: unknown;
    readonly themeId: string | null;
    readonly css: string | null;
  };
  /** Facts about the user for plugins: metadata of the token, then of its user. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
}

/** The overrides of a user, which apply to all its calls. Overrides of a token take precedence. */
export interface OwnOverrides {
  readonly parameters: ReadonlyMap<string, ParameterOverride>;
  readonly accountOverrides: ReadonlyMap<string, AccountOverride>;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** The user who set them. Undefined when that user is deleted: then nobody vouches for the accounts. */
  readonly issuer: Principal | undefined;
}

/** One row-level filter, as a token, a filter group or a share carries it. */
export interface RowFilter {
  /** `having` in filters of tokens alone: `addHavingFilters` applies it. */
  readonly clause: "where" | "having";
  readonly origin: "global";
  readonly securable_id: string;
  readonly column_id: string;
  readonly expression: string;
  /** A value, a list, or a parameter `{parameter, type, value?}`; absent for null tests. */
  readonly value?: unknown;
  /** Where the filter comes from, for whoever explains an answer; never of the wire. */
  readonly setBy?: "token" | "filter_group" | "share";
}

/** The override of one parameter. */
export interface ParameterOverride {
  readonly value?: unknown;
  /** Whether scheduled runs keep this value. */
  readonly sticky: boolean;
  /** The value is never shown. */
  readonly sensitive: boolean;
  /** Filters by this parameter do not apply. */
  readonly clear: boolean;
}

/** Members of a connection that a token replaces; those of one of its datasets come before those of the whole. */
export interface AccountOverride extends ConnectionOverride {
  readonly datasets?: Readonly<Record<string, ConnectionOverride>>;
}
export interface ConnectionOverride {
  readonly host?: string;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly schema?: string;
  /** For one dataset: the table that is asked in its place. */
  readonly table?: string;
  readonly base_url?: string;
  readonly properties?: Readonly<Record<string, string>>;
}
