import { isObject, type Members, openVariant } from "../../base/index.ts";

/** Maximum line length of the generated types. */
const lineLength = 100;

const isIdentifier = (name: string) => /^[A-Za-z_]\w*$/.test(name);

/**
 * Writes a JSON schema of the API description as a TypeScript type. Lists and members are readonly, descriptions become
 * comments, and a schema without a known form becomes `unknown`. `indent` is the indentation of the first line. With
 * `isGiven`, for requests, an optional member may also be undefined.
 */
export function typeOf(schema: unknown, indent = 0, isGiven = false): string {
  if (!isObject<"const" | "type" | "enum">(schema)) return "unknown";
  const { $ref, anyOf, allOf, items, properties, patternProperties } = schema;
  if (typeof $ref === "string") return $ref.slice($ref.lastIndexOf("/") + 1);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum))
    return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  if (Array.isArray(anyOf)) return unionOf(anyOf, indent, isGiven);
  if (Array.isArray(allOf)) return allOf.map((each) => typeOf(each, indent, isGiven)).join(" & ");
  switch (schema.type) {
    case "array": {
      const item = typeOf(items, indent, isGiven);
      return /^[\w.]+$/.test(item) ? `readonly ${item}[]` : `ReadonlyArray<${item}>`;
    }
    case "object":
      if (isObject(properties) && Object.keys(properties).length > 0)
        return objectOf(schema, properties, indent, isGiven);
      if (isObject(patternProperties))
        return `Readonly<Record<string, ${typeOf(Object.values(patternProperties)[0], indent, isGiven)}>>`;
      return "Readonly<Record<string, unknown>>";
    case "integer":
      return "number";
    case "string":
    case "number":
    case "boolean":
    case "null":
      return schema.type;
    default:
      return "unknown";
  }
}

function unionOf(options: readonly unknown[], indent: number, isGiven: boolean): string {
  const known = options.filter((each) => !(isObject(each) && each[openVariant] === true));
  const types = known.map((each) => typeOf(each, indent, isGiven));
  const written = [...new Set(types.flatMap(parts))];
  return written.includes("unknown") ? "unknown" : written.join(" | ");
}

/** Splits a union into its variants, except for unions inside the braces of an object type. */
function parts(type: string): string[] {
  return /[{<&]/.test(type) ? [type] : type.split(" | ");
}

function objectOf(
  schema: Members<"required" | "additionalProperties">,
  properties: Readonly<Record<string, unknown>>,
  indent: number,
  isGiven: boolean,
): string {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const others = schema.additionalProperties === true ? ["readonly [other: string]: unknown"] : [];
  const write = (within: number) => [
    ...Object.entries(properties).map(([name, value]) => {
      const key = isIdentifier(name) ? name : JSON.stringify(name);
      const type = typeOf(value, within, isGiven);
      const absent = isGiven && type !== "unknown" ? " | undefined" : "";
      return `readonly ${key}${required.includes(name) ? `: ${type}` : `?: ${type}${absent}`}`;
    }),
    ...others,
  ];
  const notes = Object.values(properties).map((value) =>
    isObject<"description">(value) && typeof value.description === "string"
      ? value.description
      : undefined,
  );
  const line = `{ ${write(indent).join("; ")} }`;
  if (!line.includes("\n") && notes.every((note) => !note) && line.length + indent <= lineLength)
    return line;
  const space = " ".repeat(indent + 2);
  const lines = write(indent + 2).map(
    (member, index) => `${commentOf(notes[index], space)}${space}${member};\n`,
  );
  return `{\n${lines.join("")}${" ".repeat(indent)}}`;
}

/** Writes a description as a comment, which may take several lines. */
function commentOf(description: string | undefined, space: string): string {
  if (!description) return "";
  const words = description.replaceAll("*/", "").split(/\s+/);
  const lines = [""];
  for (const word of words) {
    const last = lines[lines.length - 1] ?? "";
    if (last !== "" && space.length + last.length + word.length + 8 > lineLength) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  if (lines.length === 1) return `${space}/** ${lines[0]} */\n`;
  return `${space}/**\n${lines.map((line) => `${space} * ${line}\n`).join("")}${space} */\n`;
}
