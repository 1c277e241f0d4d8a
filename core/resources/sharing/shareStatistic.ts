import { allowThrough } from "../rights/allow.ts";
import { type Declaration, identity, number, text, timestamps } from "../kernel/index.ts";
import { share } from "./share.ts";

const fields = {
  ...identity,
  share_id: text({ nullable: false }),
  day: text({ nullable: false }),
  view_count: number({ nullable: false, default: 0 }),
  query_count: number({ nullable: false, default: 0 }),
  ...timestamps,
};

/** The number of views and queries of a share on one UTC day. The host writes it. */
export const shareStatistic: Declaration<typeof fields> = {
  name: "sharestatistic",
  actions: ["get"],
  fields,
  allow: allowThrough(() => share, "share_id"),
  associations: {
    Share: { kind: "one", resource: "share", key: "share_id" },
  },
};
