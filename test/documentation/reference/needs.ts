import type { Role } from "../../../core/resources/kernel/role.ts";

/** The roles of declarations in words that follow "needs". */
export const roleWords: Readonly<Record<Role, string>> = {
  read: "*read*",
  use: "*use*",
  modify: "*modify*",
  own: "*own*",
  organizationMember: "member of the organization",
  organizationEditor: "editor of the organization",
  organizationOwner: "owner of the organization",
};

const ownConversation = "*read* on the dataset; *own* on the conversation";
const eachDataset = "*read* on each dataset of the query";

/** What the actions that no declaration describes need. */
const needs: Readonly<Record<string, string>> = {
  "data create": "*own* on the dataset; nothing for a new dataset",
  "data update": "*own* on the dataset",
  "data validate": "nothing",
  "data get": eachDataset,
  "data explain": eachDataset,
  "export create": "*read* on each dataset, or on the dashboard",
  "export get": "lists only the caller's own exports",
  "export delete": "the caller's own export",
  "dataexport create": eachDataset,
  "dataprovider get": "*use* on the connection",
  "dataprovider create": "*use* on the connection",
  "hierarchy get": "*read* on the column",
  "hierarchy update": "*modify* on the column",
  "job get": roleWords.organizationOwner,
  "job update": roleWords.organizationOwner,
  "usage get": `${roleWords.organizationOwner}; owners of a suborganization see only its usage`,
  "organization explain": "a user of the organization",
  "securable explain": "*read*; *own* for everything but the caller's right",
  "user invite": "*own*; owner of the organization",
  "user explain": "*own*; omits other users",
  "authorization list": "owner of the organization; lists only the caller's own",
  "authorization explain": "the issuer of the token",
  "ssoconfig explain": "*own*",
  "ssoconfig test": "*own*",
  "plugin explain": "*read*",
  "plugin test": "*own*; *use* on the connection",
  "channel test": "*own*",
  "alert test": "*own*, or the rights to create the alert",
  "alert preview": "*own*, or the rights to create the alert",
  "alert backtest": "*own*, or the rights to create the alert",
  "delivery resend": "*own*",
  "generate_descriptions create": "*modify* on the datasets",
  "aichart create": "*read* on the dataset",
  "aiprompt create": ownConversation,
  "iqmessage create": ownConversation,
  "iqformula create": "*read* on the dataset",
  "aisummary create": eachDataset,
};

/**
 * Returns what an action that no declaration describes needs.
 * @throws {Error} for an action that the table lacks
 */
export function needsOf(example: string): string {
  const found = needs[example];
  if (found === undefined) throw new Error(`needs.ts lacks ${example}`);
  return found;
}
