import { chooseWords, counted } from "../../../language/index.ts";
import type { Subject } from "./subject.ts";

/** The records and members that a sentence about an event may name. */
export interface Told {
  readonly record: Subject;
  readonly other: Subject | undefined;
  readonly members: string;
  readonly action: string;
}

/** Tells an event after the name of the person who acted, as strings and records in order. */
export type Phrase = (told: Told) => readonly (string | Subject)[];

const other = ({ other: named, record }: Told): Subject => named ?? record;

/** Phrases by action, resource and role of the other record. Either record may be the one that the call named first. */
const links: Readonly<Record<string, Phrase>> = {
  "associate securable Users": (told) => ["shared ", told.record, " with ", other(told)],
  "associate securable Groups": (told) => ["shared ", told.record, " with ", other(told)],
  "associate securable Integrations": (told) => ["shared ", told.record, " with ", other(told)],
  "associate user Securables": (told) => ["shared ", other(told), " with ", told.record],
  "associate group Securables": (told) => ["shared ", other(told), " with ", told.record],
  "associate integration Securables": (told) => ["shared ", other(told), " with ", told.record],
  "dissociate securable Users": (told) => ["stopped sharing ", told.record, " with ", other(told)],
  "dissociate securable Groups": (told) => ["stopped sharing ", told.record, " with ", other(told)],
  "dissociate securable Integrations": (told) => [
    "stopped sharing ",
    told.record,
    " with ",
    other(told),
  ],
  "dissociate user Securables": (told) => ["stopped sharing ", other(told), " with ", told.record],
  "dissociate group Securables": (told) => ["stopped sharing ", other(told), " with ", told.record],
  "dissociate integration Securables": (told) => [
    "stopped sharing ",
    other(told),
    " with ",
    told.record,
  ],
  "associate group Users": (told) => ["added ", other(told), " to ", told.record],
  "associate user Groups": (told) => ["added ", told.record, " to ", other(told)],
  "associate integration Users": (told) => ["added ", other(told), " to ", told.record],
  "dissociate group Users": (told) => ["removed ", other(told), " from ", told.record],
  "dissociate user Groups": (told) => ["removed ", told.record, " from ", other(told)],
  "dissociate integration Users": (told) => ["removed ", other(told), " from ", told.record],
  "associate organization Users": (told) => ["set the role of ", other(told)],
  "associate user Organizations": (told) => ["set the role of ", told.record],
  "associate share Dashboard": (told) => ["created a private link to ", other(told)],
};

/** Phrases by action and resource, or by action alone. */
const events: Readonly<Record<string, Phrase>> = {
  create: ({ record }) => ["created ", record],
  update: ({ record }) => ["changed ", record],
  delete: ({ record }) => ["deleted ", record],
  associate: (told) => ["linked ", told.record, " with ", other(told)],
  dissociate: (told) => ["removed the link of ", told.record, " with ", other(told)],
  test: ({ record }) => ["tested ", record],
  get: ({ record }) => ["read ", record],
  explain: ({ record }) => ["looked at who can see ", record],
  list: () => ["listed embed tokens"],
  preview: ({ record }) => ["previewed the messages of ", record],
  backtest: ({ record }) => ["tried out ", record, " on past data"],
  validate: ({ record }) => ["checked a change of ", record],
  resend: () => ["sent a message again"],
  "create authorization": () => ["issued a token"],
  "delete authorization": () => ["ended a token or session"],
  "explain authorization": ({ record }) => ["looked at what ", record, " sees"],
  "create user": ({ record }) => ["added ", record],
  sign_in_failed: ({ record }) => ["failed to sign in as ", record],
  second_factor_add: () => ["added a second factor"],
  second_factor_remove: ({ record }) => ["removed a second factor of ", record],
  recovery_codes_make: () => ["created new recovery codes"],
  owner_recover: () => ["recovered the access of the owner"],
  sign_in_link_create: ({ record }) => ["created a sign-in link for ", record],
  secret_redirect: ({ record }) => ["sent the secret of ", record, " to another address"],
  chart_approve: ({ record }) => ["approved ", record],
  chart_withdraw: ({ record }) => ["withdrew ", record],
  invitation_create: ({ record }) => ["invited ", record],
  password_link_create: ({ record }) => ["asked for a link to set a new password for ", record],
  password_set: () => ["chose a password with a one-time link"],
};

const members: Readonly<Record<string, string>> = {
  contents: "charts",
  feature_overrides: "features",
  parameter_overrides: "parameters",
  account_overrides: "connection settings",
  custom_metadata: "metadata",
  allowed_addresses: "allowed addresses",
  meta_sync_interval: "synchronization",
  old_password: "old password",
};

const resources: Readonly<Record<string, string>> = {
  account: "connection",
  acceleration: "acceleration",
  alert: "alert",
  authorization: "token",
  channel: "channel",
  collection: "collection",
  column: "column",
  embedfiltergroup: "filter group for embed tokens",
  formula: "formula",
  group: "group",
  hierarchylevel: "level of a hierarchy",
  integration: "integration",
  organization: "organization",
  plugin: "plugin",
  schedule: "schedule",
  savedview: "saved view",
  securable: "dataset or dashboard",
  customchart: "chart",
  share: "private link",
  ssoconfig: "sign-on provider",
  tag: "tag",
  theme: "theme",
  user: "person",
};

/** The strings that the console shows for the audit, by language. */
export const words = chooseWords({
  en: {
    title: "Audit",
    when: "When",
    who: "Who",
    action: "Action",
    resource: "Resource",
    record: "Record",
    changed: "Changed",
    target: "Other record",
    address: "From address",
    request: "Request",
    token: "Token used",
    any: "any",
    anyone: "anyone",
    chooseWho: "Choose a person",
    searchPeople: "Search people",
    nobody: "No people match",
    from: "From",
    to: "To",
    recordHint: "Record ID",
    clear: "Clear filters",
    filters: "Filters",
    none: "No changes recorded yet",
    nothingFound: "No changes match these filters",
    count: (count: number): string => counted(count, "change", "changes"),
    detail: "Change details",
    openRecord: "Open the record",
    openTarget: "Open the other record",
    allOf: "All changes to this record",
    copyRequest: "Copy request ID",
    onlyDone:
      "Only completed changes are listed here. Refused calls are recorded in the host's log.",
    exportCsv: "Export CSV",
    exportJson: "Export JSON",
    exporting: (read: string, count: string): string => `${read} of ${count} changes`,
    stop: "Stop",
    cut: (count: string): string =>
      `The file contains the newest ${count} changes. Narrow the filters to export older ones.`,
    what: "What happened",
    actions: {
      create: "created",
      update: "changed",
      delete: "deleted",
      associate: "shared or linked",
      dissociate: "stopped sharing or linking",
      explain: "looked at",
      test: "tested",
    },
    resources,
    types: { dataset: "dataset", dashboard: "dashboard" },
    members,
    links,
    events,
    some: (kind: string): string => `${/^[aeiou]/i.test(kind) ? "an" : "a"} ${kind}`,
    did: ({ action, record }: Told) => [`${action.replaceAll("_", " ")}: `, record],
    signedIn: () => ["signed in"],
    sawAs: (told: Told) => ["looked at ", told.record, " as ", other(told), " sees it"],
    changedMembers: ({ members: changed, record }: Told) => [`changed ${changed} of `, record],
    ids: "IDs for support",
    deletedPerson: "A deleted person",
  },
});
