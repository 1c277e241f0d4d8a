import { allowThrough } from "../rights/allow.ts";
import { type Declaration, identity, number, text, timestamps } from "../kernel/index.ts";
import { share } from "./share.ts";

const fields = {
  ...identity,
  share_id: text({ description: "The link that was opened.", nullable: false }),
  day: text({ description: "The day in UTC, such as `2026-01-31`.", nullable: false }),
  view_count: number({
    description: "How often the dashboard was opened through the link on this day.",
    nullable: false,
    default: 0,
  }),
  query_count: number({
    description: "How many queries the link caused on this day.",
    nullable: false,
    default: 0,
  }),
  ...timestamps,
};

/** The number of views and queries of a share on one UTC day. The host writes it. */
export const shareStatistic: Declaration<typeof fields> = {
  name: "sharestatistic",
  description: "How often a private link was used on one day.",
  rights: "The user who created the link can read it.",
  actions: ["get"],
  fields,
  allow: allowThrough(() => share, "share_id"),
  associations: {
    Share: { kind: "one", resource: "share", key: "share_id" },
  },
};
