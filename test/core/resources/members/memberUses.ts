import { automation } from "./automation.ts";
import { later } from "./later.ts";
import type { MemberUses } from "./memberUse.ts";
import { people } from "./people.ts";
import { records } from "./records.ts";
import { sources } from "./sources.ts";

/** By declaration what reads, or sets, each member; `link <table>` of the members of links. */
export const memberUses: Readonly<Record<string, MemberUses>> = {
  ...people,
  ...sources,
  ...records,
  ...automation,
  ...later,
};
