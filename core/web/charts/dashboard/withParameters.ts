import { objectOf } from "../item/readItem.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns contents with the values of parameters filled in: `{parameter: "metadata.name", type, value}` gets the
 * value of `name`. Overrides in the token take precedence, because the host applies them later.
 */
export function withParameters(contents: Json, parameters: Json | undefined): Json {
  if (!parameters || Object.keys(parameters).length === 0) return contents;
  return objectOf(replaced(contents, parameters));
}

function replaced(value: unknown, parameters: Json): unknown {
  if (Array.isArray(value)) return value.map((each) => replaced(each, parameters));
  if (typeof value !== "object" || value === null) return value;
  const members: Json = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, replaced(each, parameters)]),
  );
  const { parameter } = members;
  if (typeof parameter !== "string") return members;
  const name = parameter.replace(/^metadata\./, "");
  return Object.hasOwn(parameters, name) ? { ...members, value: parameters[name] } : members;
}
