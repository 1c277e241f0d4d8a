import { ApiError, type ResourceRow } from "../../base/index.ts";
import type { KeyChange, Values } from "../kernel/index.ts";

/**
 * Returns what to set with the key of a record's original: a record is a variant while it has one.
 * @throws {ApiError} CONFLICT for an original of another type, for the record itself, and for a variant as original
 */
export function markVariant({
  action,
  key,
  holder,
  target,
}: KeyChange<ResourceRow<"securable">>): Values {
  if (key !== "original_id") return {};
  if (action === "dissociate") return { is_variant: false };
  if (holder.type !== target["type"] || holder.id === target.id || target["is_variant"] === true)
    throw new ApiError("CONFLICT", [
      "a variant is of another record of the same type that is not a variant itself",
    ]);
  return { is_variant: true };
}
