import { ApiError, type ResourceRow } from "../../base/index.ts";
import type { KeyChange, Values } from "../kernel/index.ts";

/**
 * Returns the values to set together with the foreign key of a record's original. A record is a variant as long as it
 * has an original.
 * @throws {ApiError} CONFLICT if the original has another type, is the record itself, or is a variant
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
      "the original of a variant must be another record of the same type that is not a variant itself",
    ]);
  return { is_variant: true };
}
