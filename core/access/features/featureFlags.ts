import type { Action } from "../../contracts/index.ts";

/** One feature that `feature_overrides` of users and tokens take away or add. */
export interface FeatureFlag {
  /**
   * `on`: callers have it until `!` takes it away. `off`: a key has it once its `feature_overrides` add it. `none`: the
   * flag has no effect, since this host has no such feature.
   */
  readonly usual: "on" | "off" | "none";
  /** The use of the feature, as words that follow "may"; for `none`, the name of the missing feature. */
  readonly allows: string;
  /** The actions that the host refuses without it, by resource. */
  readonly closes: Readonly<Record<string, readonly Action[]>>;
  /** Other calls that are refused without it, as words for the documentation. */
  readonly besides?: string;
  /** The effect on work and links that were made earlier. */
  readonly earlier?: string;
}

const asking = { create: ["create"] } as const;

/**
 * The flags of `feature_overrides`. All but `flag_mcp_write` have the names of the field, and close what the field's
 * documentation says that they are for, at every door: the API, MCP, the console, embedded pages and work by the clock.
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
    besides: "linking an alert from the side of another record; `resend` of a message of an alert",
    earlier:
      "an alert stops at its next evaluation and says why, and messages that wait are not sent; its user may still read and delete it",
  },
  flag_export: {
    usual: "on",
    allows: "export rows and pictures, and send dashboards by the clock",
    closes: { export: ["create", "get"], dataexport: asking.create },
    besides:
      "giving a schedule to a dashboard, changing it, its channels and the form of its file; `resend` of a file",
    earlier:
      "a schedule that sends a dashboard stops and says why; files that wait are not sent; links to files no longer open; files can be deleted",
  },
  flag_private_sharing: {
    usual: "on",
    allows: "share records with users, groups, integrations and by private links",
    closes: { share: ["create", "validate", "associate", "dissociate"] },
    besides:
      "linking datasets, dashboards, collections, accounts, formulas, integrations and groups with users, groups or integrations, and giving a record to another owner",
    earlier:
      "private links and public data of this user no longer open; shares with users and groups stay until an owner of the record ends them",
  },
  flag_create_datasets: {
    usual: "on",
    allows: "create datasets",
    closes: { dataprovider: asking.create },
    besides: "`create` of `securable` with type dataset, and a push that makes a new dataset",
  },
  flag_acceleration: {
    usual: "on",
    allows: "create and manage accelerations",
    closes: { acceleration: ["create", "update", "validate", "associate", "dissociate"] },
    besides: "linking an acceleration from the side of a dataset",
    earlier: "copies go on: they belong to the dataset, whose owners can end them",
  },
  flag_version_history: {
    usual: "on",
    allows: "see and publish earlier versions of dashboards",
    closes: { securableversion: ["get", "update", "validate"] },
    besides: "including versions in a search of dashboards",
    earlier: "saving still keeps versions, for those who may see them",
  },
  flag_theming: {
    usual: "on",
    allows: "make themes, and choose the theme of a dashboard",
    closes: { theme: ["create", "update", "delete", "validate"] },
    besides: "saving a dashboard with another theme, and issuing a token with a theme",
  },
  flag_css_inject: {
    usual: "on",
    allows: "set the css of dashboards",
    closes: {},
    besides: "saving a dashboard with other css, and issuing a token with css",
  },
  flag_ai_chart_generator: {
    usual: "on",
    allows: "have a model make charts and formulas",
    closes: {
      aichart: asking.create,
      aiprompt: asking.create,
      iqmessage: asking.create,
      iqformula: asking.create,
      aimessage: asking.create,
    },
  },
  flag_add_ai_items: {
    usual: "on",
    allows: "have a model write summaries, answers and descriptions",
    closes: {
      aisummary: asking.create,
      aiprompt: asking.create,
      iqmessage: asking.create,
      aimessage: asking.create,
      generate_descriptions: asking.create,
    },
  },
  flag_mcp_write: {
    usual: "off",
    allows: "use the tools of MCP that change something",
    closes: {},
    besides: "the tools `create_alert` and `save_to_dashboard`, until a key or token adds the flag",
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
