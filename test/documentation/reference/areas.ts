import type { Calls } from "../../../core/web/client/index.ts";

/** A group of resources on the index page. */
export interface Area {
  readonly title: string;
  readonly resources: readonly (keyof Calls)[];
}

/** The groups of resources, in the order of the index page. A test compares them with the resources of the host. */
export const areas: readonly Area[] = [
  { title: "Data and queries", resources: ["data", "export", "dataexport"] },
  {
    title: "Sources",
    resources: ["plugin", "account", "dataprovider", "acceleration", "datasetcopy"],
  },
  {
    title: "Datasets and dashboards",
    resources: [
      "securable",
      "securableversion",
      "column",
      "formula",
      "hierarchylevel",
      "hierarchy",
      "collection",
      "tag",
    ],
  },
  {
    title: "Embedding and sharing",
    resources: [
      "authorization",
      "integration",
      "share",
      "sharestatistic",
      "savedview",
      "savedquestion",
      "usage",
      "embedfiltergroup",
    ],
  },
  {
    title: "Alerts and schedules",
    resources: ["alert", "alertevent", "channel", "delivery", "schedule", "exportevent", "job"],
  },
  { title: "People", resources: ["organization", "user", "group", "ssoconfig", "auditevent"] },
  { title: "Appearance", resources: ["theme", "customchart", "customchartversion", "thumbnail"] },
  {
    title: "Assistant",
    resources: [
      "aiprompt",
      "iqmessage",
      "aisummary",
      "aichart",
      "iqformula",
      "generate_descriptions",
      "aiconversation",
      "aimessage",
      "aimessageasset",
    ],
  },
  { title: "Lists", resources: ["country", "locale", "currency", "timezone"] },
];
