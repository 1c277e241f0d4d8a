import { isObject } from "../../base/index.ts";

/** File formats that schedules can send. */
const exportFormats = ["pdf", "png"] as const;
const themes = ["light", "dark"];
const [leastWidth, mostWidth] = [320, 4_000];

/** Returns the problem with a schedule's export options; undefined for valid options. */
export function exportFormProblem(value: unknown): string | undefined {
  const {
    type = "pdf",
    theme = "light",
    width = leastWidth,
    ...others
  } = isObject(value) ? value : {};
  const [other] = Object.keys(others);
  if (other !== undefined) return `have only type, theme and width, not ${other.slice(0, 100)}`;
  if (!exportFormats.some((each) => each === type))
    return `have type set to one of ${exportFormats.join(", ")}`;
  if (!themes.some((each) => each === theme))
    return `have theme set to one of ${themes.join(", ")}`;
  const isWidth =
    Number.isInteger(width) && Number(width) >= leastWidth && Number(width) <= mostWidth;
  return isWidth
    ? undefined
    : `have width set to a whole number from ${leastWidth} to ${mostWidth}`;
}
