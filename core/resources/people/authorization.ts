import Type, { type TUnsafe } from "typebox";
import { ApiError, authorizationTypes, type Principal, type Members } from "../../base/index.ts";
import {
  createToken,
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
import { featureOverrides, featureWarning, inheritRemovals, warningsOf } from "./featureFields.ts";
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

/** Returns the values of an API token. It acts as its user, who needs no special right to create the token. */
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
 * Returns whether a caller may list and issue keys. API tokens and console sessions may, but a program's login pair may
 * not.
 */
function actsInFull({ authorizationType, isSession }: Principal): boolean {
  return authorizationType === "api" || (authorizationType === "login" && isSession === true);
}

/**
 * Refuses callers who may not issue embed tokens, and who therefore may not see what a token sees either.
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
  // Temporary tokens without a name share a user of the organization.
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
 * Refuses a token's look if its issuer may not give that look to a dashboard.
 * @throws {ApiError} FORBIDDEN
 */
function refuseLook({ css, theme, theme_id }: Values, principal: Principal): void {
  if (css != null) refuseWithout("flag_css_inject", principal, "issue a token with css");
  if ((theme ?? theme_id) != null)
    refuseWithout("flag_theming", principal, "issue a token with a theme");
}

const fields = {
  ...identity,
  type: choice<(typeof authorizationTypes)[number], false>(
    authorizationTypes.filter((type) => type !== "login"),
    { ...once, required: true, nullable: false },
  ),
  description: text(once),
  expiry: instant({
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
    ...number({ ...once, check: checkInactivity }),
    convert: inactivitySeconds,
    schema: Type.Union([Type.Number(), Type.String()]),
    expects: "a number of seconds, or a duration",
  },
  token_hash: tokenHash,
  user_id: uuid({
    nullable: false,
    setBy: "a token of type api acts as the user who creates it; for other types, set username",
  }),
  maker_id: { ...uuid(), hidden: true },
  parent_id: { ...uuid(), hidden: true },
  ssoconfig_id: { ...uuid(), hidden: true },
  username: text({
    ...once,
    length: limits.indexedLength,
    check: (value) => (value === "" ? "be a non-empty string" : undefined),
  }),
  name: text(once),
  email: text(once),
  suborganization: text(once),
  role: choice(["viewer", "designer", "owner"], once),
  access: object(once),
  securables: list(Type.String(), "a list of ids", once),
  filters: list(Type.Unknown(), "a list of filters", { ...once, ...filtersWithoutHidden() }),
  parameter_overrides: sealedObject({ ...once, show: presentParameters }),
  account_overrides: sealedObject(once),
  hidden_columns: list(Type.Unknown(), "a list of column ids", {
    ...once,
    ...hiddenFromItself(),
  }),
  metadata: object(once),
  feature_overrides: featureOverrides(once),
  iq: object(once),
  theme: object(once),
  theme_id: text(once),
  css: text({ ...once, length: limits.cssLength }),
  screenmode: text(once),
  width: number(once),
  height: number(once),
  environment: choice(["production", "acceptance", "development", "qa"], once),
  locale_id: text({
    ...once,
    check: (value) => (isLocale(String(value)) ? undefined : "be a language such as nl or pt-BR"),
  }),
  timezone_id: timeZone(once),
  currency_id: text(once),
  integration_id: uuid(once),
  allowed_origins: list(Type.String(), "a list of origins such as https://app.example.com", {
    ...once,
    check: checkEach(
      (entry) => parseOrigin(entry) !== undefined,
      "origins such as https://app.example.com",
    ),
    convert: (value) => (value as readonly string[]).map(parseOrigin),
  }),
  allowed_addresses: list(Type.String(), "a list of IP addresses and networks", {
    ...once,
    check: checkNetworks,
  }),
  ip: text(),
  factor: { ...text(), hidden: true },
  proved_at: { ...instant(), hidden: true },
  device: { ...text(), hidden: true },
  last_used_at: instant(),
  deleted_at: instant(),
  ...timestamps,
};

/**
 * A key (the id) and a token. They identify the user who makes a call, and how the call is restricted. An authorization
 * never changes after its creation.
 */
export const authorization: Declaration<typeof fields> = {
  name: "authorization",
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
    // Lists omit embed tokens, of which there are many, and other users' tokens. A token's issuer, its user and users
    // who manage that user can delete the token by its id.
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
    onValidate: async (values) => warningsOf(values, "token"),
    async beforeCreate(values, call) {
      const { principal } = call;
      if (principal.restriction) throw new ApiError("FORBIDDEN", ["act with an api token"]);
      refuseLook(values, principal);
      const issued =
        values.type === "api"
          ? { ...issueApi(values, call.context.apiTokenDays), user_id: principal.userId }
          : await issueRestricted(values, call);
      const token = createToken();
      const features = await inheritRemovals(values, call);
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
  shownBeside: { create: featureWarning, validate: featureWarning },
};
