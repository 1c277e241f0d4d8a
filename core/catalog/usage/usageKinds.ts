/** The acts that the host counts, each with the member of an answer that has its number. */
export const usageKinds = {
  view: "view_count",
  question: "question_count",
  export: "export_count",
  model_call: "model_call_count",
} as const;
export type UsageKind = keyof typeof usageKinds;

/** The parts by which usage can be divided, each with its column. */
export const usageParts = {
  month: "month",
  integration: "integration_id",
  suborganization: "suborganization",
  dashboard: "securable_id",
  viewer: "viewer_id",
} as const;
export type UsagePart = keyof typeof usageParts;

/** Number of months for which usage is kept, including the current month. */
export const keptMonths = 25;

/** Returns the month in UTC of a time in milliseconds since 1970, such as `2026-01`. */
export function monthOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7);
}

/** Returns the month that is `count` months before a month. */
export function monthsBefore(month: string, count: number): string {
  const [year, number] = month.split("-").map(Number);
  return monthOf(Date.UTC(year ?? 0, (number ?? 1) - 1 - count));
}
