import { randomBytes } from "node:crypto";
import { allowOwner } from "../rights/allow.ts";
import { ApiError } from "../../base/index.ts";
import {
  type Declaration,
  instant,
  number,
  text,
  textIdentity,
  timestamps,
  uuid,
} from "../kernel/index.ts";

const fields = {
  ...textIdentity(() => randomBytes(16).toString("base64url")),
  securable_id: uuid({ description: "The dashboard that the link shows." }),
  locale_id: text({ description: "Language in which the link shows the dashboard." }),
  view_count: number({
    description: "How often the dashboard was opened through the link.",
    nullable: false,
    default: 0,
    withheld: true,
  }),
  query_count: number({
    description: "How many queries the link has caused.",
    nullable: false,
    default: 0,
    withheld: true,
  }),
  last_viewed_at: instant({
    description: "When the dashboard was last opened through the link.",
    withheld: true,
  }),
  user_id: uuid({ description: "The user who created the link.", nullable: false }),
  ...timestamps,
};

/**
 * A private link to one dashboard. Its id, 128 random bits, is the key in the link. Everyone who has the link can open
 * the dashboard, as long as the dashboard and all its datasets are in the Public group.
 */
export const share: Declaration<typeof fields> = {
  name: "share",
  description:
    "A private link to a dashboard. Whoever has the link can read the dashboard without signing in.",
  rights: "The user who created the link has all rights. A visitor with the link can read it.",
  actions: ["create", "get", "delete", "associate", "dissociate", "validate"],
  ownedBy: "user_id",
  fields,
  allow: allowOwner("user_id"),
  associations: {
    Securable: {
      kind: "one",
      resource: "securable",
      key: "securable_id",
      isPart: true,
      roles: ["own", "own"],
    },
    Dashboard: {
      kind: "one",
      resource: "securable",
      key: "securable_id",
      isPart: true,
      roles: ["own", "own"],
    },
    Locale: { kind: "one", resource: "locale", key: "locale_id", roles: ["own", "read"] },
    Statistics: { kind: "many", resource: "sharestatistic", key: "share_id" },
    Owner: { kind: "one", resource: "user", key: "user_id" },
  },
  hooks: {
    async beforeCreate(values, { principal }) {
      return { ...values, user_id: principal.userId };
    },
    async beforeKey({ action, key, target }) {
      if (action === "associate" && key === "securable_id" && target["type"] !== "dashboard")
        throw new ApiError("CONFLICT", ["a share must belong to a dashboard, not to a dataset"]);
    },
  },
};
