import { isObject } from "../../base/index.ts";

/** Formats of the files that schedules send. */
const exportFormats = ["pdf", "png"] as const;
const themes = ["light", "dark"];
const [leastWidth, mostWidth] = [320, 4_000];

/** Says what is wrong with the form of the file that a schedule sends; undefined for a valid one. */
export function exportFormProblem(value: unknown): string | undefined {
  const {
    type = "pdf",
    theme = "light",
    width = leastWidth,
    ...others
  } = isObject(value) ? value : {};
  const [other] = Object.keys(others);
  if (other !== undefined) return `have type, theme and width, and no ${other.slice(0, 100)}`;
  if (!exportFormats.some((each) => each === type))
    return `have one of ${exportFormats.join(", ")} as type`;
  if (!themes.some((each) => each === theme)) return `have one of ${themes.join(", ")} as theme`;
  const isWidth =
    Number.isInteger(width) && Number(width) >= leastWidth && Number(width) <= mostWidth;
  return isWidth ? undefined : `have a whole number from ${leastWidth} to ${mostWidth} as width`;
}
