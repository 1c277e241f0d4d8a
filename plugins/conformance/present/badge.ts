import { causesOf, type CheckReport } from "../report.ts";
import { causeTitle } from "./causeLines.ts";
import { escapeMarkup } from "./markup.ts";

/**
 * Returns a README badge as SVG. Its text is "manifold", followed by "verified", "nothing proved", or "failed" with the
 * number of different causes of faults. Its title names the causes.
 */
export function badge(report: CheckReport): string {
  const { isPassed, claims } = report;
  const causes = causesOf(report);
  const isProved = claims.some(({ verdict }) => verdict === "proved");
  const word = !isPassed ? failedWords(causes.length) : isProved ? "verified" : "nothing proved";
  const color = !isPassed ? "#b62324" : isProved ? "#1a7f37" : "#6e7781";
  const [left, right] = [70, word.length * 7 + 16];
  const text = (x: number, shown: string) =>
    `<text x="${x}" y="14" fill="#fff" font-family="Verdana,sans-serif" font-size="11" text-anchor="middle">${escapeMarkup(shown)}</text>`;
  const title =
    causes.length > 0 ? `<title>${escapeMarkup(causes.map(causeTitle).join("; "))}</title>` : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="manifold: ${word}">${title}<rect width="${left}" height="20" fill="#444c56"/><rect x="${left}" width="${right}" height="20" fill="${color}"/>${text(left / 2, "manifold")}${text(left + right / 2, word)}</svg>
`;
}

const failedWords = (count: number) => `failed (${count === 1 ? "1 fault" : `${count} faults`})`;
