import type { CheckReport } from "../report.ts";
import { escapeMarkup } from "./markup.ts";

/** Returns a README badge as SVG. Its text is "manifold", followed by "verified", "failed" or "nothing proved". */
export function badge({ isPassed, claims }: CheckReport): string {
  const isProved = claims.some(({ verdict }) => verdict === "proved");
  const word = !isPassed ? "failed" : isProved ? "verified" : "nothing proved";
  const color = !isPassed ? "#b62324" : isProved ? "#1a7f37" : "#6e7781";
  const [left, right] = [70, word.length * 7 + 16];
  const text = (x: number, shown: string) =>
    `<text x="${x}" y="14" fill="#fff" font-family="Verdana,sans-serif" font-size="11" text-anchor="middle">${escapeMarkup(shown)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="manifold: ${word}"><rect width="${left}" height="20" fill="#444c56"/><rect x="${left}" width="${right}" height="20" fill="${color}"/>${text(left / 2, "manifold")}${text(left + right / 2, word)}</svg>
`;
}
