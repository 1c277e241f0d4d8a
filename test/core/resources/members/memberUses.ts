import { automation } from "./automation.ts";
import { later } from "./later.ts";
import type { MemberUses } from "./memberUse.ts";
import { people } from "./people.ts";
import { records } from "./records.ts";
import { sources } from "./sources.ts";

/** The evidence for each member, by declaration. `link <table>` stands for the members of links. */
export const memberUses: Readonly<Record<string, MemberUses>> = {
  ...people,
  ...sources,
  ...records,
  ...automation,
  ...later,
};
