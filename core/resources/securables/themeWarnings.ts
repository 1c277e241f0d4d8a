import Type from "typebox";
import { isObject, memberNames } from "../../base/index.ts";
import { lightTheme, readColor } from "../../web/charts/index.ts";
import type { Values } from "../kernel/index.ts";
import { ThemeDefinition } from "./themeDefinition.ts";

const known: readonly string[] = memberNames(ThemeDefinition);
const colorMembers = ["background", "itemsBackground", "mainColor"];

/** The `warnings` in the answer of an action that sets a theme. */
export const themeWarning = {
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description: "Members of the theme without effect, each with the reason.",
    }),
  ),
};

/**
 * Returns a warning for each member of a theme that no picture uses: unknown members, which are stored for clients, and
 * values that are not colors.
 */
export function themeWarnings(theme: unknown, path = "theme"): string[] {
  if (!isObject(theme)) return [];
  const members: Values = { ...theme };
  const isColor = (value: unknown) => readColor(value, lightTheme.background) !== undefined;
  const noColor = (at: string) => `${at} has no effect, because it must be a color such as #1a2b3c`;
  const { colors } = members;
  const listed = Array.isArray(colors) ? colors : [];
  return [
    ...Object.keys(members)
      .filter((name) => !known.includes(name))
      .map(
        (name) =>
          `${path}.${name.slice(0, 100)} has no effect; members with an effect: type, ${colorMembers.join(", ")}, colors`,
      ),
    ...colorMembers
      .filter((name) => members[name] != null && !isColor(members[name]))
      .map((name) => noColor(`${path}.${name}`)),
    ...listed.flatMap((each, index) =>
      isColor(each) ? [] : [noColor(`${path}.colors[${index}]`)],
    ),
  ];
}
