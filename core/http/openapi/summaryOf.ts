import type { RecordAction } from "../../base/index.ts";

/** The records of each resource in words: one of them, and several. */
const nouns: Readonly<Record<string, readonly [one: string, several: string]>> = {
  organization: ["an organization", "organizations"],
  user: ["a user", "users"],
  authorization: ["a token", "tokens"],
  plugin: ["a plugin", "plugins"],
  account: ["a connection", "connections"],
  securable: ["a dataset or dashboard", "datasets and dashboards"],
  column: ["a column", "columns"],
  group: ["a group", "groups"],
  collection: ["a collection", "collections"],
  integration: ["an integration", "integrations"],
  formula: ["a formula", "formulas"],
  tag: ["a tag", "tags"],
  hierarchylevel: ["a level of a hierarchy", "levels of hierarchies"],
  theme: ["a theme", "themes"],
  customchart: ["a custom chart", "custom charts"],
  customchartversion: ["a version of a custom chart", "versions of custom charts"],
  share: ["a private link", "private links"],
  savedview: ["a saved view", "saved views"],
  savedquestion: ["a saved question", "saved questions"],
  sharestatistic: ["a day of a private link", "the daily use of private links"],
  securableversion: ["a version of a dashboard", "versions of dashboards"],
  schedule: ["a schedule", "schedules"],
  acceleration: ["an acceleration", "accelerations"],
  channel: ["a channel", "channels"],
  alert: ["an alert", "alerts"],
  alertevent: ["an evaluation of an alert", "evaluations of alerts"],
  exportevent: ["a run of a scheduled export", "runs of scheduled exports"],
  datasetcopy: ["a copy of a dataset", "copies of datasets"],
  delivery: ["a message", "messages"],
  thumbnail: ["a picture of a record", "pictures of records"],
  ssoconfig: ["a sign-on configuration", "sign-on configurations"],
  aiconversation: ["a conversation with the assistant", "conversations with the assistant"],
  aimessage: ["a message of a conversation", "messages of conversations"],
  aimessageasset: ["an attachment of a message", "attachments of messages"],
  country: ["a country", "countries"],
  locale: ["a language", "languages"],
  currency: ["a currency", "currencies"],
  timezone: ["a time zone", "time zones"],
  embedfiltergroup: ["a filter group", "filter groups"],
  auditevent: ["an event in the audit log", "events in the audit log"],
};

/**
 * For each common action, a function that says what the action does. Its arguments are the words for one record and for
 * several records.
 */
const sentences: Readonly<Record<RecordAction, (one: string, several: string) => string>> = {
  create: (one) => `Creates ${one}`,
  get: (_, several) => `Lists ${several}`,
  update: (one) => `Changes ${one}`,
  delete: (one) => `Deletes ${one}`,
  associate: (one) => `Associates ${one} with another record`,
  dissociate: (one) => `Removes the association between ${one} and another record`,
  validate: (one) => `Checks whether ${one} could be created or changed, without changing anything`,
};

/**
 * Returns the summary of a common action on the records of a resource.
 * @throws {Error} for a resource without words
 */
export function summaryOf(resource: string, action: RecordAction): string {
  const words = nouns[resource];
  if (!words) throw new Error(`summaryOf must have words for ${resource}`);
  return sentences[action](...words);
}
