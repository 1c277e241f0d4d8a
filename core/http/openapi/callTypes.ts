import Type, { type TSchema } from "typebox";
import { arrowType, type NamedSchemas } from "../../base/index.ts";
import type { Declaration } from "../../resources/index.ts";
import { accountId, accountOperations } from "./accountPaths.ts";
import { componentSchemas } from "./componentSchemas.ts";
import { describeMembers } from "./describeMembers.ts";
import { describedActions, operationOf } from "./operationOf.ts";
import { pascal } from "./reference.ts";
import { querySchemas } from "../../queries/index.ts";
import { recordSchema } from "./recordSchemas.ts";
import type { ServiceOperation } from "./serviceSchemas.ts";
import { typeOf } from "./typeOf.ts";

/** The first line of each generated file. */
const mark = "// Written by `npm run calls` from the declarations.\n";

/** Removes the parts of a TypeBox schema that are not part of its JSON. */
const plain = (schema: unknown): unknown => JSON.parse(JSON.stringify(schema));

const noteOf = (schema: { readonly description?: string }): string => schema.description ?? "";

/** Returns the type of the answers that are not JSON: files arrive as bytes, and text as a string. */
function otherAnswerOf(otherType: ServiceOperation["otherType"]): string {
  switch (otherType?.mediaType) {
    case undefined:
    // The client requests Arrow only as a stream.
    case arrowType:
      return "";
    case "application/octet-stream":
      return " | Uint8Array | string";
    default:
      return " | string";
  }
}

function typeOfCall(
  name: string,
  { members, answer, otherType }: ServiceOperation,
  indent: number,
): string {
  const described = (schema: TSchema) => plain(describeMembers(schema, name));
  const space = " ".repeat(indent + 2);
  const given =
    Object.keys(members).length === 0
      ? "{}"
      : typeOf(described(Type.Object(members)), indent + 2, true);
  const other = otherAnswerOf(otherType);
  const json = typeOf(described(answer), indent + 2);
  const answered = ` | ${json}`.endsWith(other) ? json : `${json}${other}`;
  return `{\n${space}readonly members: ${given};\n${space}readonly answer: ${answered};\n${" ".repeat(indent)}}`;
}

/** Returns the type of a record that may have included records as additional members. */
const withIncludes = (record: string): string =>
  record.replace(/\}$/, "  readonly [included: string]: unknown;\n}");

/** Returns the imports of the named types that a file uses from other files. `files` lists the types of each file. */
function importsIn(
  text: string,
  own: string,
  files: ReadonlyMap<string, readonly string[]>,
): string {
  const code = text.replaceAll(/\/\*\*[^]*?\*\//g, "");
  const written = [...files].flatMap(([file, names]) => {
    if (file === own) return [];
    const named = names.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
    return named.length > 0 ? [`import type { ${named.join(", ")} } from "./${file}";\n`] : [];
  });
  return written.length > 0 ? `${written.join("")}\n` : "";
}

function listOf(
  calls: readonly (readonly [name: string, operation: ServiceOperation])[],
  idOf: (name: string) => string,
): string {
  return calls
    .map(([name, operation]) => {
      const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
      const note = `  /** ${operation.summary}. */\n`;
      return `${note}  readonly ${key}: ${typeOfCall(idOf(name), operation, 2)};\n`;
    })
    .join("");
}

/** Splits the named schemas into those that queries use, and all others. */
function sharedTypes(declarations: ReadonlyMap<string, Declaration>) {
  const all = componentSchemas(declarations);
  const used = new Set(Object.keys(querySchemas));
  // A set can grow while it is iterated, so the names in referred schemas are followed too.
  for (const name of used)
    for (const [, other = ""] of JSON.stringify(all[name]).matchAll(/"\$ref":"[^"]*\/(\w+)"/g))
      used.add(other);
  const entries = Object.entries(all);
  return {
    query: Object.fromEntries(entries.filter(([name]) => used.has(name))),
    members: Object.fromEntries(entries.filter(([name]) => !used.has(name))),
  };
}

/** The name of the file with the calls of a resource, without its extension. */
export const fileOf = (resource: string): string =>
  resource.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Writes the types of every API call: one file per resource or service, one for the account, and `calls.ts` with all of
 * them. Returns the contents by file name.
 */
export function callTypes(declarations: ReadonlyMap<string, Declaration>): Map<string, string> {
  const files = new Map<string, string>();
  const described = describedActions(declarations);
  const { query, members: parts } = sharedTypes(declarations);
  const typesIn = new Map<string, readonly string[]>([
    ["query.ts", Object.keys(query)],
    ["members.ts", Object.keys(parts)],
    ...[...declarations.keys()].map((name): [string, string[]] => [
      `${fileOf(name)}.ts`,
      [pascal(name)],
    ]),
  ]);
  for (const [resource, listed] of described) {
    const declaration = declarations.get(resource);
    const calls = listed.flatMap((action) => {
      const operation = operationOf(resource, action, declarations);
      return operation ? [[action, operation] as const] : [];
    });
    const name = pascal(resource);
    const record = declaration
      ? `/** A record of ${resource}, as the API returns it. */\nexport interface ${name} ${withIncludes(typeOf(plain(recordSchema(declaration))))}\n\n`
      : "";
    const written = `${record}/** The calls of ${resource}. */\nexport interface ${name}Calls {\n${listOf(calls, (action) => `${action}${name}`)}}\n`;
    const file = `${fileOf(resource)}.ts`;
    files.set(file, `${mark}${importsIn(written, file, typesIn)}${written}`);
  }
  files.set(
    "ownAccount.ts",
    `${mark}/** Actions of people on their own account, by the path below \`/auth/account/\`. */\nexport interface OwnAccountCalls {\n${listOf(Object.entries(accountOperations), accountId)}}\n`,
  );
  const written = (schemas: NamedSchemas) =>
    Object.entries(schemas)
      .map(
        ([name, schema]) =>
          `/** ${noteOf(schema)} */\nexport type ${name} = ${typeOf(plain(describeMembers(schema, name)), 0, true)};\n`,
      )
      .join("\n");
  for (const [file, schemas] of [
    ["query.ts", query],
    ["members.ts", parts],
  ] as const) {
    const text = written(schemas);
    files.set(file, `${mark}${importsIn(text, file, typesIn)}${text}`);
  }
  const resources = [...described.keys()];
  const imports = resources
    .map(
      (resource) => `import type { ${pascal(resource)}Calls } from "./${fileOf(resource)}.ts";\n`,
    )
    .join("");
  const members = resources
    .map((resource) => `  readonly ${resource}: ${pascal(resource)}Calls;\n`)
    .join("");
  files.set(
    "calls.ts",
    `${mark}${imports}\n/** Every call of the API, by resource and action. */\nexport interface Calls {\n${members}}\n`,
  );
  return files;
}
