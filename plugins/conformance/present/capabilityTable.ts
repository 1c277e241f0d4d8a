import { type CheckReport, type ClaimReport } from "../report.ts";
import { verdictWords } from "./words.ts";

/** Writes the claims of a report as a Markdown table for a plugin's README, with one row per capability. */
export function capabilityTable({ claims }: CheckReport): string {
  const groups = Map.groupBy(claims, ({ claim }) => subjectOf(claim));
  const rows = [...groups].map(([subject, own]) => {
    const words = Map.groupBy(own, ({ verdict }) => verdict);
    const cells = [...words].map(([verdict, same]) =>
      words.size === 1 && own.length === 1
        ? verdictWords[verdict]
        : `${verdictWords[verdict]}: ${same.map(memberOf).join(", ")}`,
    );
    return `| ${subject} | ${cells.join("; ").replaceAll("|", "\\|")} |`;
  });
  return ["| capability | result of `manifold plugin check` |", "|---|---|", ...rows, ""].join(
    "\n",
  );
}

/** Returns the row to which a claim belongs: `filters.operators.like.hierarchy` belongs to `filters like`. */
function subjectOf(claim: string): string {
  const [head = "", kind = "", operator] = claim.split(".");
  if (operator !== undefined && head === "filters") return `filters \`${operator}\``;
  return kind && head !== "wire" ? `${head} ${kind}` : head;
}

const memberOf = ({ claim }: ClaimReport): string => {
  const [head, kind, ...rest] = claim.split(".");
  if (head === "filters" && rest.length > 1)
    return `${rest.slice(1).join(" ")}${kind === "superset" ? " (superset)" : ""}`;
  return rest.join(" ") || kind || claim;
};
