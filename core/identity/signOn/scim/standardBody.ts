import { isObject } from "../../../base/index.ts";

const booleans = ["active", "primary"];

/**
 * Converts a body to the form of the standard. Entra ID writes booleans as strings (`"False"`), and a manager as the
 * string of the manager's id. All other values stay unchanged.
 */
export function standardBody(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(standardBody);
  if (!isObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([member, value]) => [member, standardValue(member, value)]),
  );
}

/**
 * Converts the value of an attribute to the form of the standard. `attribute` is a member name, or the end of a path.
 */
export function standardValue(attribute: string, value: unknown): unknown {
  const name = attribute.toLowerCase();
  if (booleans.includes(name)) return booleanOf(value);
  if (name === "manager" && typeof value === "string") return { value };
  return standardBody(value);
}

/** Converts a boolean. Entra ID may send a boolean as a list with one entry. */
function booleanOf(value: unknown): unknown {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const given = isObject<"value">(only) ? only.value : only;
  if (typeof given === "boolean") return given;
  const text = typeof given === "string" ? given.toLowerCase() : "";
  return text === "true" ? true : text === "false" ? false : value;
}
