import { exampleId, ids, issuer } from "../exampleIds.ts";
import type { ExamplesFor } from "./example.ts";

const user = exampleId("user");
const group = exampleId("group");
const token = exampleId("authorization");
const provider = exampleId("ssoconfig");
const config = { issuer, client_id: "manifold", client_secret: "…" };

export const peopleExamples: ExamplesFor<
  | "organization"
  | "user"
  | "group"
  | "authorization"
  | "ssoconfig"
  | "auditevent"
  | "country"
  | "locale"
  | "currency"
  | "timezone"
> = {
  organization: {
    get: { find: { attributes: ["id", "name", "allowed_addresses"] } },
    validate: { id: ids.organization, properties: { name: { en: "Acme", nl: "Acme" } } },
    update: { id: ids.organization, properties: { name: { en: "Acme", nl: "Acme" } } },
    associate: { id: ids.organization, resource: { role: "Channels", id: ids.hook } },
    dissociate: { id: ids.organization, resource: { role: "Channels", id: ids.hook } },
    explain: {},
  },
  user: {
    validate: { properties: { email: "ada@example.com", name: "Ada" } },
    create: { properties: { email: "ada@example.com", name: "Ada", locale_id: "en" } },
    get: { find: { where: { id: user }, attributes: ["id", "name", "email"] } },
    update: { id: user, properties: { company: "Acme" } },
    associate: {
      id: user,
      resource: { role: "Groups", id: ids.team },
      properties: { flagMember: true },
    },
    dissociate: { id: user, resource: { role: "Groups", id: ids.team } },
    explain: { ids: [user] },
    invite: { id: user },
    delete: { id: user },
  },
  group: {
    validate: { properties: { name: "Sales" } },
    create: {
      properties: { name: "Sales" },
      associations: [{ role: "Users", id: ids.colleague, properties: { flagMember: true } }],
    },
    get: {
      find: {
        where: { id: group },
        attributes: ["id", "name"],
        include: [{ model: "User", attributes: ["id", "name"], order: [["name", "asc"]] }],
      },
    },
    update: { id: group, properties: { name: { en: "Sales", nl: "Verkoop" } } },
    associate: {
      id: group,
      resource: { role: "Securables", id: ids.board },
      properties: { flagUse: true },
    },
    dissociate: { id: group, resource: { role: "Securables", id: ids.board } },
    delete: { id: group },
  },
  authorization: {
    validate: { properties: { type: "embed", username: "ada" } },
    create: {
      properties: {
        type: "embed",
        username: "ada",
        name: "Ada",
        expiry: "1 hour",
        access: {
          dashboards: [{ id: ids.board, rights: "use" }],
          datasets: [{ id: ids.orders, rights: "use" }],
        },
        filters: [
          {
            origin: "global",
            securable_id: ids.orders,
            column_id: ids.region,
            expression: "? = ?",
            value: "North",
          },
        ],
      },
    },
    get: { find: { where: { type: "api" }, attributes: ["id", "type", "description"], limit: 1 } },
    list: { options: { limit: 1 } },
    explain: { id: token },
    delete: { id: token },
  },
  ssoconfig: {
    validate: { properties: { name: "Example", type: "openid", config } },
    create: { properties: { name: "Example", type: "openid", config, active: false } },
    get: { find: { where: { id: provider }, attributes: ["id", "name", "active"] } },
    update: { id: provider, properties: { name: "Example accounts" } },
    explain: { id: provider },
    test: { id: provider },
    delete: { id: provider },
  },
  auditevent: {
    get: {
      find: {
        where: { record_id: ids.board, action: "create" },
        attributes: ["id", "action", "resource", "created_at"],
        limit: 1,
      },
    },
  },
  country: { get: { find: { where: { id: "BE" }, attributes: ["id", "name"] } } },
  locale: { get: { find: { where: { id: "fr-BE" }, attributes: ["id", "name"] } } },
  currency: {
    get: { find: { where: { id: "EUR" }, attributes: ["id", "symbol", "decimals"] } },
  },
  timezone: { get: { find: { where: { id: "Europe/Brussels" }, attributes: ["id", "name"] } } },
};
