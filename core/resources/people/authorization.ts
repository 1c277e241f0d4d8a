import Type, { type TUnsafe } from "typebox";
import {
  ApiError,
  authorizationTypes,
  type Principal,
  type Members,
  reference,
} from "../../base/index.ts";
import {
  createToken,
  displayFilterWarnings,
  hashToken,
  invalid,
  longestLifeS,
  noExpiry,
  parseDuration,
  parseExpiry,
  parseOrigin,
  presentParameters,
  reachOf,
  refuseWithout,
  restrict,
  usualLifeS,
} from "../../identity/index.ts";
import { isLocale } from "../../queries/index.ts";
import { themeWarnings } from "../securables/themeWarnings.ts";
import { allowUser } from "../rights/allowUser.ts";
import {
  type Declaration,
  type Field,
  type HookCall,
  type Values,
  choice,
  identity,
  instant,
  limits,
  list,
  number,
  object,
  sealedObject,
  text,
  timeZone,
  timestamps,
  uuid,
} from "../kernel/index.ts";
import { auditSentSecrets } from "./auditSentSecrets.ts";
import { checkEach, checkNetworks } from "./checkNetworks.ts";
import { endUserOf } from "./endUser.ts";
import { featureOverrides, inheritRemovals, tokenWarning, warningsOf } from "./featureFields.ts";
import { describedAccounts, describedParameters } from "./userOverrides.ts";
import { reachWarnings } from "./reachWarnings.ts";
import { refuseOverrideAddresses } from "./refuseOverrideAddresses.ts";
import { filtersWithoutHidden, hiddenFromItself } from "../rights/withoutHidden.ts";

const tokenHash: Field<"bytea", TUnsafe<Buffer>, false> = {
  storage: "bytea",
  schema: Type.Unsafe<Buffer>(Type.Unknown()),
  expects: "bytes",
  nullable: false,
  on: [],
  hidden: true,
};

const once = { on: ["create"] } as const;
const shortestInactivityS = 120;

function inactivitySeconds(value: unknown): number | undefined {
  return typeof value === "string" ? parseDuration(value) : Number(value);
}

function checkInactivity(value: unknown): string | undefined {
  const seconds = inactivitySeconds(value);
  return seconds === 0 || (seconds !== undefined && seconds >= shortestInactivityS)
    ? undefined
    : `be 0 (off), at least ${shortestInactivityS} seconds, or a duration such as 10 minutes`;
}

/**
 * Matches names that suggest limits on what a token may see or do. Ignoring such a member would allow more than the
 * issuer meant.
 */
const ofBounds =
  /filter|access|right|permi|allow|hid|row|column|role|origin|address|network|ip_|expir|overrid|param|securable|dashboard|dataset|collection|environment|user|read|owner/i;

/**
 * Members of embed tokens: the visitor, the permissions, and the look of pages. A token that acts as its user has none
 * of them.
 */
const ofPages = [
  "username",
  "role",
  "access",
  "securables",
  "filters",
  "parameter_overrides",
  "account_overrides",
  "hidden_columns",
  "environment",
  "integration_id",
  "name",
  "email",
  "suborganization",
  "metadata",
  "iq",
  "theme",
  "theme_id",
  "css",
  "screenmode",
  "width",
  "height",
  "locale_id",
  "timezone_id",
  "currency_id",
];

/** Returns the values of an API token. The token acts as its user, so the user needs no special right to create it. */
function issueApi(values: Members<"expiry">, mostDays: number): Values {
  const misplaced = ofPages.find((member) => values[member] != null);
  if (misplaced !== undefined)
    throw invalid(
      `properties.${misplaced}`,
      "is only for the types embed, sso and temporary; a token of type api acts as its user, without restrictions",
    );
  if (mostDays === 0) return values;
  const latest = Date.now() + mostDays * 86_400_000;
  const requested = values.expiry;
  const hasExpiry = requested instanceof Date && requested.toISOString() !== noExpiry;
  if (hasExpiry && requested.getTime() > latest + 60_000)
    throw invalid(
      "properties.expiry",
      `must be at most ${mostDays} days ahead, the limit of this host (MANIFOLD_API_TOKEN_DAYS)`,
    );
  return hasExpiry ? values : { ...values, expiry: new Date(latest) };
}

/**
 * Returns whether a caller may list and issue keys: API tokens and console sessions may, but the login pair of a
 * program may not.
 */
export function actsInFull({ authorizationType, isSession }: Principal): boolean {
  return authorizationType === "api" || (authorizationType === "login" && isSession === true);
}

/**
 * Refuses callers who may not issue embed tokens. Only callers who may issue tokens may see what a token sees.
 * @throws {ApiError} FORBIDDEN
 */
export function refuseNonIssuer(principal: Principal): void {
  if (!actsInFull(principal) || principal.organizationRole !== "owner")
    throw new ApiError("FORBIDDEN", [
      "act with an api token, or in a session, of an owner of the organization",
    ]);
}

async function issueRestricted(
  values: Members<"expiry" | "username" | "role">,
  call: HookCall,
): Promise<Values> {
  const { principal } = call;
  refuseNonIssuer(principal);
  const now = Date.now();
  const requested = values.expiry;
  const expiry = requested instanceof Date ? requested : new Date(now + usualLifeS * 1000);
  if (expiry.getTime() > now + longestLifeS * 1000 + 60_000)
    throw invalid("properties.expiry", "must be at most one year ahead");
  const narrowed = await restrict(values, { records: call.context.records, principal });
  await refuseOverrideAddresses(values, call);
  // All temporary tokens without a name share one user of the organization.
  const username = typeof values.username === "string" ? values.username : "temporary";
  return {
    ...values,
    ...narrowed,
    expiry,
    username,
    role: values.role ?? "viewer",
    user_id: await endUserOf(username, values, call),
    maker_id: principal.userId,
  };
}

/**
 * Refuses a token with CSS or a theme if its issuer may not set these in a dashboard.
 * @throws {ApiError} FORBIDDEN
 */
function refuseLook({ css, theme, theme_id }: Values, principal: Principal): void {
  if (css != null) refuseWithout("flag_css_inject", principal, "issue a token with css");
  if ((theme ?? theme_id) != null)
    refuseWithout("flag_theming", principal, "issue a token with a theme");
}

/** Returns warnings about a look that pages would not show. */
async function lookWarnings(
  { theme, theme_id }: Values,
  { context: { records }, principal }: HookCall,
): Promise<string[]> {
  const id = typeof theme_id === "string" ? theme_id : undefined;
  const seen =
    id === undefined ? undefined : await records.visible("theme", [id], "read", principal);
  const unknown =
    seen?.size === 0 ? ["theme_id has no effect, because it is not the id of a theme"] : [];
  return [...unknown, ...themeWarnings(theme)];
}

const fields = {
  ...identity,
  type: choice<(typeof authorizationTypes)[number], false>(
    authorizationTypes.filter((type) => type !== "login"),
    {
      description:
        "What the token is for. `api` acts as its user. `embed`, `sso` and `temporary` show data to one reader, within the limits in this record.",
      ...once,
      required: true,
      nullable: false,
    },
  ),
  description: text({ ...once, description: "A note that tells tokens apart in lists." }),
  expiry: instant({
    description:
      "When the token expires: an instant, or a duration such as `24 hours`. The default is that of the type `api`; tokens of the other types expire after a day.",
    ...once,
    nullable: false,
    default: noExpiry,
    check: (value) => {
      const expiry = parseExpiry(String(value));
      if (!expiry) return "be an ISO 8601 instant, or a duration such as 24 hours or 1 year";
      return expiry.getTime() > Date.now() ? undefined : "be in the future";
    },
    convert: (value) => parseExpiry(String(value)),
  }),
  inactivity_interval: {
    ...number({
      description:
        "How long the token may stay unused before it expires: seconds, or a duration. 0 turns the limit off.",
      ...once,
      check: checkInactivity,
    }),
    convert: inactivitySeconds,
    schema: Type.Union([Type.Number(), Type.String()]),
    expects: "a number of seconds, or a duration",
  },
  token_hash: tokenHash,
  user_id: uuid({
    description: "The user for whom the token acts.",
    nullable: false,
    setBy: "a token of type api acts as the user who creates it; for other types, set username",
  }),
  maker_id: uuid({ hidden: true }),
  parent_id: uuid({ hidden: true }),
  ssoconfig_id: uuid({ hidden: true }),
  username: text({
    description:
      "The stable id that your application uses for the reader. Tokens with the same username act as the same user.",
    ...once,
    length: limits.indexedLength,
    check: (value) => (value === "" ? "be a non-empty string" : undefined),
  }),
  name: text({ ...once, description: "Name of the reader." }),
  email: text({ ...once, description: "E-mail address of the reader, for alerts and exports." }),
  suborganization: text({
    ...once,
    description:
      "The part of the organization to which the reader belongs. Its members see only each other.",
  }),
  role: choice(["viewer", "designer", "owner"], {
    ...once,
    description: "What the reader may do with the shared dashboards: view, design or own them.",
  }),
  access: object({
    description:
      "Collections, dashboards and datasets that the token may reach, with the rights on each.",
    ...once,
    described: { given: reference("TokenAccess") },
  }),
  securables: list(Type.String(), "a list of ids", {
    ...once,
    description:
      "Ids of the dashboards and datasets that the token may view and query. `access` can also set rights.",
  }),
  filters: list(Type.Unknown(), "a list of filters", {
    description: "Row filters that apply to every query of the token.",
    ...once,
    ...filtersWithoutHidden(),
    described: { given: Type.Array(reference("TokenFilter")) },
  }),
  parameter_overrides: sealedObject({
    description: "Values of parameters in row filters and dashboards, by parameter name.",
    ...once,
    show: presentParameters,
    described: describedParameters,
  }),
  account_overrides: sealedObject({
    description:
      "Connection settings that replace those of accounts in queries of the token, by account id.",
    ...once,
    described: describedAccounts,
  }),
  hidden_columns: list(Type.Unknown(), "a list of column ids", {
    description: "Ids of columns that the token can neither see nor query.",
    ...once,
    ...hiddenFromItself(),
    described: { given: Type.Array(reference("HiddenColumn")) },
  }),
  metadata: object({
    ...once,
    description: "Facts about the reader that row filters can use as parameters.",
  }),
  feature_overrides: featureOverrides({
    ...once,
    description: "Feature flags to add to those of the role, or to remove from them.",
  }),
  iq: object({
    ...once,
    description:
      "`context`, a string about the reader, is given to the assistant's model with each question. Other members are stored.",
  }),
  theme: object({
    description:
      "Look of dashboards for the reader. It takes precedence over the dashboard's own theme.",
    ...once,
    described: { given: reference("ThemeDefinition") },
  }),
  theme_id: text({ ...once, description: "Id of a stored theme for the reader." }),
  css: text({
    description: "Style sheet for the reader's dashboards.",
    ...once,
    length: limits.cssLength,
  }),
  screenmode: text({
    ...once,
    description:
      "The view of the dashboard to show: `mobile`, `tablet`, `desktop`, `largeScreen` or `fixed`. With any other value, the width of the page decides.",
  }),
  width: number({
    ...once,
    description:
      "Width in pixels of exported pictures whose request sets none. At most 4,000 is used.",
  }),
  height: number({
    ...once,
    description:
      "Height in pixels of exported pictures whose request sets none. At most 4,000 is used.",
  }),
  environment: choice(["production", "acceptance", "development", "qa"], {
    ...once,
    description: "The environment whose published version of a dashboard the reader sees.",
  }),
  locale_id: text({
    description: "Language of the reader, such as `nl`. Queries that set no language use it.",
    ...once,
    check: (value) => (isLocale(String(value)) ? undefined : "be a language such as nl or pt-BR"),
  }),
  timezone_id: timeZone({
    ...once,
    description: "Time zone of the reader. Queries that set no time zone use it.",
  }),
  currency_id: text({
    ...once,
    description:
      "Currency of the reader, as an ISO 4217 code. Amounts whose format contains `$` and whose column has no currency are shown in it; no value is converted.",
  }),
  integration_id: uuid({
    ...once,
    description: "The integration whose dashboards and datasets the token may reach.",
  }),
  allowed_origins: list(Type.String(), "a list of origins such as https://app.example.com", {
    description: "Origins of pages that may use the token. An empty list allows every origin.",
    ...once,
    check: checkEach(
      (entry) => parseOrigin(entry) !== undefined,
      "origins such as https://app.example.com",
    ),
    convert: (value) => (value as readonly string[]).map(parseOrigin),
  }),
  allowed_addresses: list(Type.String(), "a list of IP addresses and networks", {
    description:
      "IP addresses and networks from which the token may be used. An empty list allows every address.",
    ...once,
    check: checkNetworks,
  }),
  ip: text({ description: "The address from which the token was last used." }),
  factor: text({ hidden: true }),
  proved_at: instant({ hidden: true }),
  device: text({ hidden: true }),
  last_used_at: instant({ description: "When the token was last used." }),
  deleted_at: instant({ description: "When the token was revoked. Null for a valid token." }),
  ...timestamps,
};

/**
 * A key (the id) and a token. They identify the user who makes a call, and how the call is restricted. An authorization
 * never changes after its creation.
 */
export const authorization: Declaration<typeof fields> = {
  name: "authorization",
  description: "A key and token with which programs and embedded pages call the API.",
  rights:
    "A user has all rights on their own tokens of type `api`. Lists omit all other tokens. The issuer of a token, its user, and owners of its user's organization can delete it by its id. Only owners of the organization, with a token of type `api` or in a session of the console, can create tokens of the other types.",
  actions: ["create", "get", "delete", "validate"],
  fields,
  allow(query, alias, right, principal) {
    const { authorizationId, authorizationType, restriction, userId } = principal;
    if (restriction) {
      if (right !== "read" || authorizationType === "share") query.whereRaw("false");
      else query.where(`${alias}.id`, authorizationId);
      return;
    }
    query.where((own) => {
      own.where(`${alias}.user_id`, userId).where(`${alias}.type`, "api");
      if (right === "read" && !actsInFull(principal)) own.whereRaw("false");
    });
    if (right === "read") return;
    // Lists omit embed tokens, because there are many, and other users' tokens. The token's issuer, its user, and users
    // who manage its user can delete a token by its id.
    query.orWhere(`${alias}.maker_id`, userId).orWhereExists((one) => {
      one
        .select("u.id")
        .from("user as u")
        .whereRaw("u.id = ??.user_id", [alias])
        .where((rule) => allowUser(rule, "u", right, principal));
    });
  },
  associations: {
    User: { kind: "one", resource: "user", key: "user_id" },
    Integration: { kind: "one", resource: "integration", key: "integration_id" },
    Locale: { kind: "one", resource: "locale", key: "locale_id" },
    Theme: { kind: "one", resource: "theme", key: "theme_id" },
  },
  hooks: {
    onValidate: async (values, call) =>
      warningsOf(values, "token", [
        ...displayFilterWarnings(values.filters),
        ...(await lookWarnings(values, call)),
      ]),
    async beforeCreate(values, call) {
      const { principal } = call;
      if (principal.restriction) throw new ApiError("FORBIDDEN", ["act with an api token"]);
      refuseLook(values, principal);
      const issued =
        values.type === "api"
          ? { ...issueApi(values, call.context.apiTokenDays), user_id: principal.userId }
          : await issueRestricted(values, call);
      const token = createToken();
      const features = await inheritRemovals(values, call, [
        ...displayFilterWarnings(values.filters),
        ...(values.type === "api" ? [] : await reachWarnings(values, call)),
        ...(await lookWarnings(values, call)),
      ]);
      return { ...issued, ...features, token_hash: hashToken(token), token };
    },
    async afterCreate(row, call, transaction, values) {
      const { account_overrides: overrides } = values;
      await auditSentSecrets(
        { resource: "authorization", id: row.id },
        overrides,
        call,
        transaction,
      );
    },
    async showCreated({ access }, { context, principal }): Promise<Values> {
      if (access === null || access === undefined) return {};
      return { access: await reachOf(access, context.records, principal) };
    },
  },
  // Old scripts send obsolete members when they create embed tokens. The API accepts and ignores them.
  acceptsUnknown: ({ type }, member) =>
    (type === "embed" || type === "sso" || type === "temporary") && !ofBounds.test(member),
  shownOnce: ["token"],
  shownBeside: { create: tokenWarning, validate: tokenWarning },
};
