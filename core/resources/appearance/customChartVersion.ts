import { allowThrough } from "../rights/allow.ts";
import {
  type Declaration,
  identity,
  multilingual,
  object,
  text,
  timestamps,
  uuid,
} from "../kernel/index.ts";
import { customChart } from "./customChart.ts";

const fields = {
  ...identity,
  name: multilingual(),
  type: text({ nullable: false }),
  script: text({ nullable: false, onRequest: true }),
  slots_config: object({ onRequest: true }),
  customchart_id: uuid({ nullable: false }),
  user_id: uuid(),
  ...timestamps,
};

/** A saved version of a custom chart. The host creates a version at each save. */
export const customChartVersion: Declaration<typeof fields> = {
  name: "customchartversion",
  actions: ["get"],
  fields,
  allow: allowThrough(() => customChart, "customchart_id"),
  associations: {
    CustomChart: { kind: "one", resource: "customchart", key: "customchart_id" },
    Modifier: { kind: "one", resource: "user", key: "user_id" },
  },
};
