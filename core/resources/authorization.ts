import { createHash, randomBytes } from "node:crypto";
import Type from "typebox";
import { ApiError } from "../errors.ts";
import {
  type Declaration,
  type Field,
  identity,
  instant,
  number,
  text,
  timestamps,
  uuid,
} from "./kernel/index.ts";

/** The form in which a token is kept. Tokens are 256 random bits, which no one can guess from a plain hash. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Makes a token of 256 random bits. */
export function createToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The expiry of a token that does not expire. */
export const noExpiry = "9999-12-31T00:00:00.000Z";

const tokenHash: Field = {
  storage: "bytea",
  schema: Type.Unknown(),
  expects: "bytes",
  nullable: false,
  on: [],
  hidden: true,
};

const units = { minute: 1, hour: 60, day: 1_440, week: 10_080, month: 43_200, year: 525_600 };

/** The instant of a text like `24 hours` or of an ISO instant; undefined for any other. */
function parseExpiry(text: string): Date | undefined {
  const duration = /^(\d{1,5}) (minute|hour|day|week|month|year)s?$/.exec(text);
  const minutes = duration && Number(duration[1]) * units[duration[2] as keyof typeof units];
  if (minutes) return new Date(Date.now() + minutes * 60_000);
  const isInstant = /^\d{4}-\d\d-\d\d/.test(text) && Number.isFinite(Date.parse(text));
  return isInstant ? new Date(text) : undefined;
}

/** A pair of key (the id) and token by which a program acts as its user. */
export const authorization: Declaration = {
  name: "authorization",
  actions: ["create", "get", "delete", "validate"],
  fields: {
    ...identity,
    type: text({
      on: ["create"],
      required: true,
      nullable: false,
      check: (value) => (value === "api" ? undefined : "be api, the only type served so far"),
    }),
    description: text({ on: ["create"] }),
    expiry: instant({
      on: ["create"],
      nullable: false,
      default: noExpiry,
      check: (value) =>
        parseExpiry(String(value))
          ? undefined
          : "be an ISO instant, or a duration like 24 hours or 1 year",
      convert: (value) => parseExpiry(String(value)),
    }),
    token_hash: tokenHash,
    user_id: uuid({ nullable: false }),
    inactivity_interval: number(),
    screenmode: text(),
    environment: text(),
    locale_id: text(),
    timezone_id: text(),
    currency_id: text(),
    integration_id: uuid(),
    theme_id: uuid(),
    last_used_at: instant(),
    deleted_at: instant(),
    ...timestamps,
  },
  allow(query, alias, _right, { userId }) {
    query.where(`${alias}.user_id`, userId);
  },
  associations: {
    User: { kind: "one", resource: "user", key: "user_id" },
  },
  withoutRecords: { Integration: "one", Locale: "one", Theme: "one" },
  hooks: {
    async beforeCreate(values, { principal }) {
      if (principal.authorizationType !== "api")
        throw new ApiError("FORBIDDEN", ["act with an api token"]);
      const token = createToken();
      return { ...values, user_id: principal.userId, token_hash: hashToken(token), token };
    },
  },
  shownOnce: ["token"],
};
