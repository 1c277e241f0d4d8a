import type { CheckReport, ClaimReport, Finding } from "../report.ts";
import type { CheckedTarget } from "./checkedTarget.ts";
import { curlOf } from "./curlOf.ts";
import { escapeMarkup } from "./markup.ts";
import { summaryOf, verdictWords } from "./words.ts";

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1b1f24}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #d8dee4;
vertical-align:top}pre{background:#f6f8fa;padding:.6rem;overflow:auto;font-size:13px}.wrong{color:#a40e26}
.proved{color:#116329}`;

/** Writes a report as a single HTML page without scripts or external resources. */
export function htmlReport(report: CheckReport, target: CheckedTarget): string {
  const text = escapeMarkup;
  const found = [
    ...report.findings.map((finding) => ["rows", finding] as const),
    ...report.claims.flatMap(({ claim, findings }) =>
      findings.map((finding) => [claim, finding] as const),
    ),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Conformance of ${text(target.name)}</title>
<style>${style}</style></head><body>
<h1>Conformance of ${text(target.name)}</h1>
<p class="${report.isPassed ? "proved" : "wrong"}">${text(summaryOf(report))}</p>
<p>Protocol ${text(target.protocolVersion)}, seed ${report.seed}, ${text(report.checkedAt)}.</p>
${found.map(([claim, finding]) => findingSection(claim, finding, target)).join("\n")}
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

function findingSection(claim: string, finding: Finding, target: CheckedTarget): string {
  const { does, expected, answered } = finding;
  const parts = [
    expected && `expected ${JSON.stringify(expected)}`,
    answered && `answered ${JSON.stringify(answered)}`,
    curlOf(finding, target),
  ];
  const shown = parts.filter((part) => part !== undefined).join("\n");
  return `<h2 class="wrong">${escapeMarkup(claim)}: it ${escapeMarkup(does)}</h2><pre>${escapeMarkup(shown)}</pre>`;
}
