import type { TSchema } from "typebox";
import * as protocol from "../../../plugins/protocol/index.ts";
import { type Docs, readDocs } from "./readDocs.ts";

/** A JSON Schema of the draft 2020-12, as data. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly [keyword: string]: unknown;
}

/** The messages of the protocol, and the types of which they consist. */
export interface ProtocolSchemas {
  /** The schema of each named type. A reference to another type consists of `prefix` and the name of that type. */
  readonly types: Readonly<Record<string, JsonSchema>>;
  /** The schema of each message: a reference to a named type or, if the schema has no name, the schema itself. */
  readonly messages: Readonly<Record<protocol.MessageName, JsonSchema>>;
}

/** The tables that explain the values of an enumeration. */
const meanings: Readonly<Record<string, Readonly<Record<string, { readonly meaning: string }>>>> = {
  Operator: protocol.operatorDefinitions,
  Aggregation: protocol.aggregationDefinitions,
  FunctionName: protocol.functionDefinitions,
};

/** The members of a TypeBox schema that its JSON contains. */
interface Raw {
  readonly $defs?: Readonly<Record<string, Raw>>;
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Raw[];
  readonly items?: Raw;
  readonly properties?: Readonly<Record<string, Raw>>;
  readonly patternProperties?: Readonly<Record<string, Raw>>;
  readonly [keyword: string]: unknown;
}

const isSchema = (value: unknown): value is TSchema =>
  typeof value === "object" &&
  value !== null &&
  ["type", "anyOf", "$ref"].some((keyword) => Object.hasOwn(value, keyword));

const rawOf = (schema: TSchema): Raw => JSON.parse(JSON.stringify(schema));

/**
 * Creates the JSON Schemas of the protocol's messages from their TypeBox schemas, with the comments of the sources as
 * descriptions. Every exported schema of `plugins/protocol` becomes a named type. `prefix` precedes the names in
 * references, such as `#/$defs/`.
 * @throws {Error} if two exported schemas are equal, so that a reference to them would be ambiguous
 */
export function createSchemas(prefix: string): ProtocolSchemas {
  const names = namesByText();
  const docs = readDocs();
  const types: Record<string, JsonSchema> = {};
  const convert = (schema: Raw, name?: string): JsonSchema => {
    const known = name === undefined ? names.get(JSON.stringify(schema)) : undefined;
    if (known === undefined) return converted(schema, { docs, prefix, convert, name });
    if (!types[known]) {
      // A placeholder, because types may refer to themselves.
      types[known] = {};
      types[known] = describedType(known, convert(schema, known), docs);
    }
    return { $ref: prefix + known };
  };
  const messages = Object.fromEntries(
    Object.entries(protocol.messages).map(([name, schema]) => {
      const message = convert(rawOf(schema));
      const doc = message.$ref ? undefined : docs.ofType(name)?.text;
      return [name, { ...message, ...(doc !== undefined && { description: doc }) }];
    }),
  ) as Record<protocol.MessageName, JsonSchema>;
  const sorted = Object.entries(types).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { types: Object.fromEntries(sorted), messages };
}

/**
 * Returns the exported name of each schema, keyed by the schema's JSON. Objects cannot be the keys, because TypeBox
 * copies schemas.
 */
function namesByText(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, schema] of Object.entries(protocol)) {
    if (!isSchema(schema)) continue;
    const text = JSON.stringify(rawOf(schema));
    const other = names.get(text);
    if (other !== undefined) throw new Error(`the schemas ${other} and ${name} are equal`);
    names.set(text, name);
  }
  return names;
}

interface Conversion {
  readonly docs: Docs;
  readonly prefix: string;
  readonly name: string | undefined;
  convert(schema: Raw, name?: string): JsonSchema;
}

function converted(schema: Raw, conversion: Conversion): JsonSchema {
  const { convert, prefix, name } = conversion;
  const { $defs, $ref, anyOf, items, properties, patternProperties, ...rest } = schema;
  const [cyclic] = Object.entries($defs ?? {});
  // The schema of a tree names itself. Its own name is the one under which it is exported.
  if (cyclic) return convert(cyclic[1], name ?? cyclic[0]);
  if ($ref !== undefined) return { $ref: prefix + $ref };
  if (anyOf) {
    const values = anyOf.map((each) => each.const);
    const isEnumeration = values.every((value) => typeof value === "string");
    return isEnumeration
      ? { type: "string", enum: values }
      : { anyOf: anyOf.map((each) => convert(each)) };
  }
  const [[, every] = []] = Object.entries(patternProperties ?? {});
  return {
    ...rest,
    ...(items && { items: convert(items) }),
    ...(every && { additionalProperties: convert(every) }),
    ...(properties && { properties: convertMembers(properties, conversion) }),
  };
}

function convertMembers(
  properties: Readonly<Record<string, Raw>>,
  { docs, convert, name }: Conversion,
): Readonly<Record<string, JsonSchema>> {
  const members = docs.ofMembers(Object.keys(properties), name);
  return Object.fromEntries(
    Object.entries(properties).map(([member, schema]) => {
      const doc = members.get(member);
      const text = doc?.text ?? operatorText(member);
      return [
        member,
        {
          ...convert(schema),
          ...(text !== undefined && { description: text }),
          ...(doc && "defaultValue" in doc && { default: doc.defaultValue }),
        },
      ];
    }),
  );
}

/** Describes the entry of an operator in a table of capabilities. */
function operatorText(member: string): string | undefined {
  if (!protocol.isOperator(member)) return undefined;
  return `For the operator \`${member}\`, which passes ${protocol.operatorDefinitions[member].meaning}.`;
}

function describedType(name: string, schema: JsonSchema, docs: Docs): JsonSchema {
  const text = docs.ofType(name)?.text;
  const values = Object.entries(meanings[name] ?? {}).map(
    ([value, { meaning }]) => `- \`${value}\`: ${meaning}`,
  );
  const description = [text, values.join("\n")].filter(Boolean).join("\n\n");
  return { ...schema, ...(description !== "" && { description }) };
}
