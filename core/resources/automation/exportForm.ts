import Type from "typebox";
import { isObject, memberNames } from "../../base/index.ts";

/** File formats that schedules can send: pictures of the dashboard, or the rows of its items. */
const exportFormats = ["pdf", "png", "csv", "xlsx"] as const;
const dataFormats = ["csv", "xlsx"] as const;
const mostItems = 50;
const mostRows = 1_000_000;
const themes = ["light", "dark"];
const papers = ["a4", "letter", "fit"] as const;
const orientations = ["portrait", "landscape"] as const;
const [leastWidth, mostWidth] = [320, 4_000];

/** The options of the file that a schedule sends. */
export const ExportForm = Type.Object(
  {
    type: Type.Optional(
      Type.Enum([...exportFormats], {
        type: "string",
        description:
          "`pdf` and `png` show the whole dashboard; `csv` and `xlsx` are one file of rows per item. Absent: `pdf`.",
      }),
    ),
    data: Type.Optional(
      Type.Enum([...dataFormats], {
        type: "string",
        description: "Format of files with the rows of the items, in addition to the picture.",
      }),
    ),
    data_items: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: mostItems,
        description: "Ids of the items whose rows are sent. Absent: all items with rows.",
      }),
    ),
    least_rows: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: mostRows,
        description:
          "Minimum number of rows in all items; with fewer rows, nothing is sent. 1 skips empty dashboards. Absent: 0.",
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
    paper: Type.Optional(
      Type.Enum([...papers], {
        type: "string",
        description:
          "The pages of a PDF; `fit` is a single page that is as large as the dashboard. Absent: the usual paper of the reader's region.",
      }),
    ),
    orientation: Type.Optional(
      Type.Enum([...orientations], {
        type: "string",
        description: "How the pages of a PDF are turned. Absent: `portrait`.",
      }),
    ),
    items: Type.Optional(
      Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
        description: "What a reader chose, by id of the item, as in the export call.",
      }),
    ),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "Values of the dashboard's parameters by name, as in the export call.",
      }),
    ),
    screenmode: Type.Optional(
      Type.String({ description: "The screen whose layout is sent, as in the export call." }),
    ),
  },
  { additionalProperties: false, description: "The options of the file that a schedule sends." },
);

/** Returns the problem with a schedule's export options; undefined for valid options. */
export function exportFormProblem(value: unknown): string | undefined {
  const given = isObject<keyof typeof ExportForm.properties>(value) ? value : {};
  const {
    type = "pdf",
    data = dataFormats[0],
    data_items: dataItems = [""],
    least_rows: leastRows = 0,
    theme = "light",
    width = leastWidth,
    paper = "a4",
    orientation = "portrait",
    items = {},
    parameters = {},
    screenmode = "",
  }: Partial<Record<string, unknown>> = given;
  const known: readonly string[] = memberNames(ExportForm);
  const other = Object.keys(given).find((member) => !known.includes(member));
  if (other !== undefined)
    return `have only ${known.slice(0, -1).join(", ")} and ${known.at(-1)}, not ${other.slice(0, 100)}`;
  if (!exportFormats.some((each) => each === type))
    return `have type set to one of ${exportFormats.join(", ")}`;
  if (!dataFormats.some((each) => each === data))
    return `have data set to one of ${dataFormats.join(", ")}`;
  const areItems =
    Array.isArray(dataItems) &&
    dataItems.length > 0 &&
    dataItems.length <= mostItems &&
    dataItems.every((each) => typeof each === "string");
  if (!areItems) return `have data_items set to a list of 1 to ${mostItems} ids of items`;
  const isCount =
    Number.isInteger(leastRows) && Number(leastRows) >= 0 && Number(leastRows) <= mostRows;
  if (!isCount) return `have least_rows set to a whole number from 0 to ${mostRows}`;
  if (!themes.some((each) => each === theme))
    return `have theme set to one of ${themes.join(", ")}`;
  if (!papers.some((each) => each === paper))
    return `have paper set to one of ${papers.join(", ")}`;
  if (!orientations.some((each) => each === orientation))
    return `have orientation set to one of ${orientations.join(", ")}`;
  if (!isObject(items) || !Object.values(items).every((each) => isObject(each)))
    return "have items set to an object with an object by id of the item, as in the export call";
  if (!isObject(parameters)) return "have parameters set to an object with values by name";
  if (typeof screenmode !== "string") return "have screenmode set to the name of a screen";
  const isWidth =
    Number.isInteger(width) && Number(width) >= leastWidth && Number(width) <= mostWidth;
  return isWidth
    ? undefined
    : `have width set to a whole number from ${leastWidth} to ${mostWidth}`;
}
