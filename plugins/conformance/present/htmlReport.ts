import { type Cause, causesOf, type CheckReport, type ClaimReport } from "../report.ts";
import { causeTitle, exampleLines, examplesOf } from "./causeLines.ts";
import type { CheckedTarget } from "./checkedTarget.ts";
import { escapeMarkup } from "./markup.ts";
import { summaryOf, verdictWords } from "./words.ts";

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1b1f24}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #d8dee4;
vertical-align:top}pre{background:#f6f8fa;padding:.6rem;overflow:auto;font-size:13px}.wrong{color:#a40e26}
.proved{color:#116329}`;

/** Writes a report as a single HTML page without scripts or external resources. */
export function htmlReport(report: CheckReport, target: CheckedTarget): string {
  const text = escapeMarkup;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Conformance of ${text(target.name)}</title>
<style>${style}</style></head><body>
<h1>Conformance of ${text(target.name)}</h1>
<p class="${report.isPassed ? "proved" : "wrong"}">${text(summaryOf(report))}</p>
<p>Protocol ${text(target.protocolVersion)}, seed ${report.seed}, ${text(report.checkedAt)}.</p>
${causesOf(report)
  .map((cause) => causeSection(cause, target))
  .join("\n")}
<h2>Claims</h2><table><thead><tr><th>Claim</th><th>Verdict</th><th>Queries</th><th></th></tr></thead><tbody>
${report.claims.map(claimRow).join("\n")}
</tbody></table>
${report.notes.map((note) => `<p>${text(note)}</p>`).join("\n")}
</body></html>
`;
}

function claimRow({ claim, verdict, queryCount, undistinguished }: ClaimReport): string {
  const why = undistinguished.length > 0 ? `rows also fit: ${undistinguished.join("; ")}` : "";
  const cells = [claim, verdictWords[verdict], String(queryCount), verdict === "wrong" ? "" : why];
  return `<tr class="${verdict}">${cells.map((cell) => `<td>${escapeMarkup(cell)}</td>`).join("")}</tr>`;
}

function causeSection(cause: Cause, target: CheckedTarget): string {
  const claims = cause.claims.map((claim) => `<li>${escapeMarkup(claim)}</li>`).join("");
  const examples = examplesOf(cause).map((example) => {
    const { claim } = example;
    const title = claim === undefined || cause.claims.length < 2 ? "" : `Example: ${claim}`;
    const lines = exampleLines(example, target).join("\n");
    return `${title && `<p>${escapeMarkup(title)}</p>`}<pre>${escapeMarkup(lines)}</pre>`;
  });
  const heading = causeTitle(cause).replace(/^it/, "It");
  return `<h2 class="wrong">${escapeMarkup(heading)}</h2>${claims && `<ul>${claims}</ul>`}${examples.join("")}`;
}
