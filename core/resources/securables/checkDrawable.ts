import Type from "typebox";
import { ApiError } from "../../base/index.ts";
import type { HookCall, Values } from "../kernel/index.ts";
import { namesOf } from "./namesOf.ts";
import { referredDatasets, reportContents, type KnownColumns } from "./reportContents.ts";

/** The warnings in the answer of a validation. */
export const contentsWarnings = Type.Array(Type.String(), {
  description:
    "Parts of these contents that the dashboard would not show, each with the path of the member.",
});

/**
 * Reports the parts of contents that the caller would not see, for the answer of a validation. A create stores the
 * contents anyway.
 * @throws {ApiError} MEMBER_INVALID, with every problem in `validation`, if nothing could be drawn
 */
export async function checkDrawable(contents: unknown, call: HookCall): Promise<Values> {
  const { isDrawable, warnings } = reportContents(contents, await columnsSeen(contents, call));
  if (isDrawable) return warnings.length > 0 ? { warnings } : {};
  const [first = ""] = warnings;
  throw new ApiError(
    "MEMBER_INVALID",
    ["properties.contents", `nothing in it can be drawn; create would store it anyway: ${first}`],
    { validation: { contents: [...warnings] } },
  );
}

/** Warns a caller who stores contents of the parts that the dashboard will not show. */
export function warnOfContents(
  { contents }: { readonly contents?: unknown },
  warn: HookCall["warn"],
): void {
  if (contents !== undefined && contents !== null) warn?.(reportContents(contents).warnings);
}

/** Returns the columns and formulas of the datasets in contents, as far as the caller sees them. */
async function columnsSeen(
  contents: unknown,
  { context: { records }, principal }: HookCall,
): Promise<KnownColumns> {
  const named = referredDatasets(contents);
  if (named.length === 0) return new Map();
  const datasets = await records.visible("securable", named, "read", principal);
  const ids = [...datasets].flatMap(([id, { type }]) => (type === "dataset" ? [id] : []));
  if (ids.length === 0) return new Map();
  const columns = await records.find("column", { securable_id: ids });
  const seen = await records.visible(
    "column",
    columns.map(({ id }) => id),
    "read",
    principal,
  );
  const links = await records.linked("securable", "Formulas", ids);
  const formulas = await records.visible(
    "formula",
    links.map(({ otherId }) => otherId),
    "read",
    principal,
  );
  return new Map(
    ids.map((id) => [
      id,
      [
        ...columns
          .filter((column) => column.securable_id === id && seen.has(column.id))
          .map((column) => ({
            id: column.id,
            names: [...namesOf(column.name), ...namesOf(column.source_name)],
          })),
        ...links.flatMap(({ ownId, otherId }) => {
          const formula = ownId === id ? formulas.get(otherId) : undefined;
          return formula ? [{ id: otherId, names: namesOf(formula.name) }] : [];
        }),
      ],
    ]),
  );
}
