import { isObject } from "../../base/index.ts";
import { memberDescriptions } from "./memberDescriptions.ts";

/** Members of a JSON schema that list schemas of the same value. */
const variants = ["anyOf", "allOf", "oneOf"] as const;

/** Members of a JSON schema that describe parts of the value. */
type Nesting = "properties" | "items" | "additionalProperties" | "patternProperties";

/**
 * Returns a JSON schema in which every member has a description: its own, or that of `memberDescriptions`. `within` is
 * the name of the schema, or of the operation that it belongs to. A reference has the description of its schema.
 */
export function describeMembers(schema: unknown, within: string): unknown {
  if (!isObject<Nesting>(schema)) return schema;
  const { properties, items, additionalProperties, patternProperties } = schema;
  const described: Record<string, unknown> & Partial<Record<Nesting, unknown>> = { ...schema };
  if (isObject(properties))
    described.properties = Object.fromEntries(
      Object.entries(properties).map(([member, value]) => {
        const inner = describeMembers(value, member);
        if (!isObject<"description">(inner) || inner.description !== undefined || "$ref" in inner)
          return [member, inner];
        const description = memberDescriptions[`${within}.${member}`] ?? memberDescriptions[member];
        return [member, description === undefined ? inner : { ...inner, description }];
      }),
    );
  for (const variant of variants) {
    const list = described[variant];
    if (Array.isArray(list)) described[variant] = list.map((each) => describeMembers(each, within));
  }
  if (isObject(items)) described.items = describeMembers(items, within);
  if (isObject(additionalProperties))
    described.additionalProperties = describeMembers(additionalProperties, within);
  if (isObject(patternProperties))
    described.patternProperties = Object.fromEntries(
      Object.entries(patternProperties).map(([pattern, value]) => [
        pattern,
        describeMembers(value, within),
      ]),
    );
  return described;
}
