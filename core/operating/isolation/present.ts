import type { IsolationReport, Leak } from "./isolationReport.ts";

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

/** Formats a report as text for people: the leaks, the gaps, and a summary. */
export function textReport(report: IsolationReport): string {
  const { comparedBy, leaks, gaps, questionCount, datasetCount, recordCount, seed } = report;
  const counts = `${plural(questionCount, "call")} over ${plural(recordCount, "record")}`;
  const how =
    comparedBy === "issuer"
      ? "compared with the rows that the records of the tokens allow"
      : "compared only with each other; set the issuer's key pair to compare more";
  const lines = [
    `${counts}, ${plural(datasetCount, "comparison")} of datasets, seed ${seed}`,
    how,
    ...leaks.flatMap(leakLines),
    ...gaps.map(({ key, datasetId, reason }) => `not compared: ${datasetId} for ${key}: ${reason}`),
    leaks.length > 0
      ? `LEAKS: ${leaks.length}`
      : gaps.length > 0
        ? `no leak found; ${plural(gaps.length, "dataset")} not compared`
        : "no leak",
  ];
  return `${lines.join("\n")}\n`;
}

function leakLines({ key, what, question, seen }: Leak): string[] {
  return [
    "",
    `LEAK  ${key}`,
    `  ${what}`,
    `  call  POST /0.1.0/${question.resource}`,
    `        ${JSON.stringify(question.body)}`,
    `  seen  ${JSON.stringify(seen)}`,
    "",
  ];
}
