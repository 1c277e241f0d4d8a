import { featuresByName } from "../../../../../core/identity/access/index.ts";

/** Generates the rows of the flag table in the documentation from the code. */
export function featureRows(): readonly string[] {
  return [...featuresByName].map(([flag, { usual, allows, closes, otherCalls, existing }]) => {
    const closed = Object.entries(closes).map(
      ([resource, actions]) => `\`${resource}\` ${actions.join(", ")}`,
    );
    const refused = [...closed, ...(otherCalls === undefined ? [] : [otherCalls])].join("; ");
    const state = usual === "none" ? "no effect here" : usual;
    return `| \`${flag}\` | ${state} | ${allows} | ${refused || "nothing"} | ${existing ?? ""} |`;
  });
}
