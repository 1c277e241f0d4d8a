import Type from "typebox";
import { isObject, memberNames } from "../../base/index.ts";

/** File formats that schedules can send. */
const exportFormats = ["pdf", "png"] as const;
const themes = ["light", "dark"];
const [leastWidth, mostWidth] = [320, 4_000];

/** The options of the file that a schedule sends. */
export const ExportForm = Type.Object(
  {
    type: Type.Optional(
      Type.Enum([...exportFormats], {
        type: "string",
        description: "Format of the file. Absent: `pdf`.",
      }),
    ),
    theme: Type.Optional(
      Type.Enum(themes, { type: "string", description: "The look of the file. Absent: `light`." }),
    ),
    width: Type.Optional(
      Type.Integer({
        minimum: leastWidth,
        maximum: mostWidth,
        description: `Width of the file in pixels, from ${leastWidth} to ${mostWidth}.`,
      }),
    ),
  },
  { additionalProperties: false, description: "The options of the file that a schedule sends." },
);

/** Returns the problem with a schedule's export options; undefined for valid options. */
export function exportFormProblem(value: unknown): string | undefined {
  const given = isObject<keyof typeof ExportForm.properties>(value) ? value : {};
  const {
    type = "pdf",
    theme = "light",
    width = leastWidth,
  }: Partial<Record<string, unknown>> = given;
  const known: readonly string[] = memberNames(ExportForm);
  const other = Object.keys(given).find((member) => !known.includes(member));
  if (other !== undefined)
    return `have only ${known.slice(0, -1).join(", ")} and ${known.at(-1)}, not ${other.slice(0, 100)}`;
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
