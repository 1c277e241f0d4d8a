import { randomBytes } from "node:crypto";
import { allowOwner } from "./allow.ts";
import { type Declaration, text, textIdentity, timestamps, uuid } from "./kernel/index.ts";

/** A private link to one dashboard. Its id is the key in the link: 128 random bits. */
export const share: Declaration = {
  name: "share",
  actions: ["create", "get", "delete", "associate", "dissociate", "validate"],
  ownedBy: "user_id",
  fields: {
    ...textIdentity(() => randomBytes(16).toString("base64url")),
    securable_id: uuid(),
    locale_id: text(),
    user_id: uuid({ nullable: false }),
    ...timestamps,
  },
  allow: allowOwner("user_id"),
  associations: {
    Securable: { kind: "one", resource: "securable", key: "securable_id", roles: ["own", "own"] },
    Dashboard: { kind: "one", resource: "securable", key: "securable_id", roles: ["own", "own"] },
    Locale: { kind: "one", resource: "locale", key: "locale_id", roles: ["own", "read"] },
    Owner: { kind: "one", resource: "user", key: "user_id" },
  },
  hooks: {
    async beforeCreate(values, { principal }) {
      return { ...values, user_id: principal.userId };
    },
  },
};
