import type { Action } from "../../../base/index.ts";

/** A feature that `feature_overrides` of users and tokens can remove or add. */
export interface FeatureFlag {
  /**
   * `on`: callers have the feature unless `!` removes it. `off`: a key has it only if its `feature_overrides` add it.
   * `none`: the flag has no effect, because this host has no such feature.
   */
  readonly usual: "on" | "off" | "none";
  /**
   * The allowed actions, as words that follow "may". If `usual` is `none`, the name of the feature that this host
   * lacks.
   */
  readonly allows: string;
  /** Actions that fail without the feature, by resource. */
  readonly closes: Readonly<Record<string, readonly Action[]>>;
  /** Other calls that fail without the feature, in words for the documentation. */
  readonly otherCalls?: string;
  /** What happens to existing work and links when the feature is removed. */
  readonly existing?: string;
}

const creation = { create: ["create"] } as const;

/**
 * The flags of `feature_overrides`. All except `flag_mcp_write` have established names and meanings. They apply to the
 * API, MCP, the console, embedded pages and scheduled work.
 */
export const featureFlags = {
  flag_alerting: {
    usual: "on",
    allows: "create and manage alerts",
    closes: {
      alert: [
        "create",
        "update",
        "validate",
        "associate",
        "dissociate",
        "test",
        "backtest",
        "preview",
      ],
    },
    otherCalls: "linking an alert from another record; `resend` of an alert's message",
    existing:
      "an alert stops at its next evaluation and says why; queued messages are not sent; its user can still read and delete it",
  },
  flag_export: {
    usual: "on",
    allows: "export rows and pictures, and send dashboards on a schedule",
    closes: { export: ["create", "get"], dataexport: creation.create },
    otherCalls:
      "adding a schedule to a dashboard, changing the schedule, its channels or the format of its file; `resend` of a file",
    existing:
      "a schedule that sends a dashboard stops and says why; queued files are not sent; links to files stop working; files can be deleted",
  },
  flag_private_sharing: {
    usual: "on",
    allows: "share records with users, groups and integrations, and by private links",
    closes: { share: ["create", "validate", "associate", "dissociate"] },
    otherCalls:
      "linking datasets, dashboards, collections, accounts, formulas, integrations and groups with users, groups or integrations, and giving a record to another owner",
    existing:
      "private links and public data of this user stop working; shares with users and groups stay until an owner of the record removes them",
  },
  flag_create_datasets: {
    usual: "on",
    allows: "create datasets",
    closes: { dataprovider: creation.create },
    otherCalls: "`create` of `securable` with type dataset, and a push that creates a dataset",
  },
  flag_acceleration: {
    usual: "on",
    allows: "create and manage accelerations",
    closes: { acceleration: ["create", "update", "validate", "associate", "dissociate"] },
    otherCalls: "linking an acceleration from a dataset",
    existing:
      "copying continues: the copies belong to the dataset, whose owners can stop the copying",
  },
  flag_version_history: {
    usual: "on",
    allows: "see and publish earlier versions of dashboards",
    closes: { securableversion: ["get", "update", "validate"] },
    otherCalls: "including versions in a search of dashboards",
    existing: "saving a dashboard still keeps versions, for users who may see them",
  },
  flag_theming: {
    usual: "on",
    allows: "create themes, and choose the theme of a dashboard",
    closes: { theme: ["create", "update", "delete", "validate"] },
    otherCalls: "saving a dashboard with a different theme, and issuing a token with a theme",
  },
  flag_css_inject: {
    usual: "on",
    allows: "set the CSS of dashboards",
    closes: {},
    otherCalls: "saving a dashboard with different CSS, and issuing a token with CSS",
  },
  flag_ai_chart_generator: {
    usual: "on",
    allows: "have a model create charts and formulas",
    closes: {
      aichart: creation.create,
      aiprompt: creation.create,
      iqmessage: creation.create,
      iqformula: creation.create,
      aimessage: creation.create,
    },
  },
  flag_add_ai_items: {
    usual: "on",
    allows: "have a model write summaries, answers and descriptions",
    closes: {
      aisummary: creation.create,
      aiprompt: creation.create,
      iqmessage: creation.create,
      aimessage: creation.create,
      generate_descriptions: creation.create,
    },
  },
  flag_mcp_write: {
    usual: "off",
    allows: "use the MCP tools that change something",
    closes: {},
    otherCalls:
      "the tools `create_alert` and `save_to_dashboard`, until a key or token adds the flag",
  },
  flag_commenting: { usual: "none", allows: "comments on dashboards", closes: {} },
  flag_opendataboard: { usual: "none", allows: "a board of open data", closes: {} },
  flag_tour: { usual: "none", allows: "a tour of the editor", closes: {} },
} satisfies Readonly<Record<string, FeatureFlag>>;

export type FeatureName = keyof typeof featureFlags;

/** The flags, by name. */
export const featuresByName: ReadonlyMap<string, FeatureFlag> = new Map(
  Object.entries(featureFlags),
);
