import { causesOf, type CheckReport, type ClaimReport } from "../report.ts";
import { causeTitle } from "./causeLines.ts";
import { verdictWords } from "./words.ts";

/**
 * Writes the claims of a report as a Markdown table for a plugin's README, with one row per capability. If there are
 * faults, a second table lists their likely causes.
 */
export function capabilityTable(report: CheckReport): string {
  const { claims } = report;
  const groups = Map.groupBy(claims, ({ claim }) => subjectOf(claim));
  const rows = [...groups].map(([subject, own]) => {
    const words = Map.groupBy(own, ({ verdict }) => verdict);
    const cells = [...words].map(([verdict, same]) =>
      words.size === 1 && own.length === 1
        ? verdictWords[verdict]
        : `${verdictWords[verdict]}: ${same.map(memberOf).join(", ")}`,
    );
    return row([subject, cells.join("; ")]);
  });
  const causes = causesOf(report).map((cause) => {
    const paths = cause.claims.map((claim) => `\`${claim}\``).join(", ") || "all rows";
    return row([causeTitle(cause), paths]);
  });
  return [
    "| capability | result of `manifold plugin check` |",
    "|---|---|",
    ...rows,
    ...(causes.length > 0 ? ["", "| fault | claims |", "|---|---|", ...causes] : []),
    "",
  ].join("\n");
}

const row = (cells: readonly string[]) =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;

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
