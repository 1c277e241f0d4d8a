import { featuresByName } from "../../../../../core/identity/access/index.ts";

/** The rows of the table of flags in the documentation, made from the table in the code. */
export function featureRows(): readonly string[] {
  return [...featuresByName].map(([flag, { usual, allows, closes, besides, earlier }]) => {
    const closed = Object.entries(closes).map(
      ([resource, actions]) => `\`${resource}\` ${actions.join(", ")}`,
    );
    const refused = [...closed, ...(besides === undefined ? [] : [besides])].join("; ");
    const state = usual === "none" ? "no effect here" : usual;
    return `| \`${flag}\` | ${state} | ${allows} | ${refused || "nothing"} | ${earlier ?? ""} |`;
  });
}
