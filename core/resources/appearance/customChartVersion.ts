import { allowThrough } from "../rights/allow.ts";
import {
  type Declaration,
  identity,
  object,
  text,
  timestamps,
  title,
  uuid,
} from "../kernel/index.ts";
import { customChart } from "./customChart.ts";

const fields = {
  ...identity,
  name: title({ description: "Name of the version." }),
  type: text({ description: "The type by which dashboards refer to the chart.", nullable: false }),
  script: text({ description: "The script of the version.", nullable: false, onRequest: true }),
  slots_config: object({ description: "The slots of the version.", onRequest: true }),
  customchart_id: uuid({ description: "The chart of the version.", nullable: false }),
  user_id: uuid({ description: "The user who saved the version." }),
  ...timestamps,
};

/** A saved version of a custom chart. The host creates a version at each save. */
export const customChartVersion: Declaration<typeof fields> = {
  name: "customchartversion",
  description:
    "A saved state of a custom chart. Creating a chart, and changing what it draws, each add one.",
  rights: "A caller has the same rights as on the custom chart.",
  actions: ["get"],
  fields,
  allow: allowThrough(() => customChart, "customchart_id"),
  associations: {
    CustomChart: { kind: "one", resource: "customchart", key: "customchart_id" },
    Modifier: { kind: "one", resource: "user", key: "user_id" },
  },
};
