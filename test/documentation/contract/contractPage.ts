import { declarations } from "../../../core/resources/index.ts";
import type { MemberUse } from "../../core/resources/members/memberUse.ts";
import { memberUses } from "../../core/resources/members/memberUses.ts";
import { wrapProse } from "../../prose/wrapProse.ts";
import { writeTable } from "../reference/writeTypes.ts";
import { differences } from "./differences.ts";

export const contractPage = "docs/CONTRACT.md";

type Kept = Extract<MemberUse, { readonly kind: "kept" }>;

/** Returns the name of a resource; for the members of a link, the names of what it links. */
const titleOf = (name: string): string =>
  name.startsWith("link ") ? `link of ${name.slice(5).replaceAll("_", " and ")}` : `\`${name}\``;

/** Returns who sets a member: callers, or only the host. */
function setBy(resource: string, member: string): string {
  const field = declarations.get(resource)?.fields[member];
  return field && field.on.length === 0 ? "the host" : "callers";
}

/** Lists the members without an effect. Members of one resource with the same reason share a row. */
function keptRows(): string[][] {
  return Object.entries(memberUses).flatMap(([resource, uses]) => {
    const kept = Object.entries(uses).filter(
      (entry): entry is [string, Kept] => entry[1].kind === "kept",
    );
    const groups = Map.groupBy(
      kept,
      ([member, { reason }]) => `${setBy(resource, member)}\n${reason}`,
    );
    return [...groups.values()].map((members) => {
      const [[first, { reason }]] = members as [[string, Kept]];
      const names = members.map(([member]) => `\`${member}\``).join(", ");
      return [titleOf(resource), names, setBy(resource, first), reason];
    });
  });
}

/** Writes the page about what the host does differently from the contract, from the declarations. */
export function writeContractPage(): string {
  const text = [
    "# The contract, and where this host differs",
    "The host implements the resources, members and actions of version 0.1.0 of the API, so that existing clients work unchanged. This page lists every row of the contract that works in another way, and every member that is only stored. All others have an effect: a test names the code that reads each member.",
    "## Other answers",
    writeTable(
      ["in the contract", "here", "why"],
      differences.map(({ what, here, reason }) => [what, here, reason]),
    ).trim(),
    "## Members that are only stored",
    "The host returns these members as they were sent, or as the table says. Its answers and rights do not depend on them; programs that show records or draw charts may read them.",
    writeTable(["resource", "members", "set by", "why it is kept"], keptRows()).trim(),
    "[Members that are stored without an effect](decisions/kept-members.md) says how this list is kept complete.",
  ].join("\n\n");
  return `${wrapProse(contractPage, text).trimEnd()}\n`;
}
