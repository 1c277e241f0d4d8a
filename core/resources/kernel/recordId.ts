import type { Declaration } from "./declaration.ts";
import { isStorable } from "./isStorable.ts";
import { limits } from "./limits.ts";
import { isUuid } from "../../base/index.ts";

/** Returns the SQL type of a resource's ids. */
export function idTypeOf({ fields }: Declaration): "uuid" | "text" {
  return fields["id"]?.storage === "text" ? "text" : "uuid";
}

/** Returns whether a value can be an id of a resource. PostgreSQL would refuse a statement with any other value. */
export function isId(declaration: Declaration, value: unknown): value is string {
  if (idTypeOf(declaration) === "uuid") return isUuid(value);
  return typeof value === "string" && value.length <= limits.idLength && isStorable(value);
}
