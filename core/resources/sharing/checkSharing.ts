import { ApiError } from "../../base/index.ts";
import { type HookCall, selectAllowed } from "../kernel/index.ts";

/** What a person saves, and about what: a "view" of a "dashboard". */
export interface Saved {
  readonly noun: "view" | "question";
  readonly home: "dashboard" | "dataset";
}

/**
 * Checks that a saved record is about a dashboard or dataset as its kind requires. Only people who may modify the
 * dashboard or dataset share such records with its readers.
 * @throws {ApiError} CONFLICT for a record about the other type, FORBIDDEN
 */
export async function checkSharing(
  { noun, home }: Saved,
  {
    securableId,
    isShared,
  }: { readonly securableId: string | undefined; readonly isShared: boolean },
  { context, principal }: HookCall,
): Promise<void> {
  const { knex, declarations } = context;
  const declaration = declarations.get("securable");
  if (!declaration || securableId === undefined)
    throw new TypeError(`a saved ${noun} must belong to a ${home}`);
  const right = isShared ? "modify" : "read";
  const [found] = await selectAllowed(knex, declaration, [securableId], right, principal);
  if (!found && isShared)
    throw new ApiError("FORBIDDEN", [
      `share a ${noun}; ask someone who may modify the ${home}, or save the ${noun} for yourself`,
    ]);
  const { type } = found ?? {};
  const other = home === "dashboard" ? "dataset" : "dashboard";
  if (found && type !== home)
    throw new ApiError("CONFLICT", [`a ${noun} must belong to a ${home}, not to a ${other}`]);
}
