import Type from "typebox";
import type { Declaration } from "../../resources/index.ts";
import { accountOperations } from "./accountPaths.ts";
import { describedActions, operationOf } from "./operationOf.ts";
import { pascal } from "./reference.ts";
import { querySchemas } from "./querySchemas.ts";
import { recordSchema } from "./recordSchemas.ts";
import type { ServiceOperation } from "./serviceSchemas.ts";
import { typeOf } from "./typeOf.ts";

/** The first line of each generated file. */
const mark = "// Written by `npm run calls` from the declarations.\n";

const queryTypes = Object.keys(querySchemas);

/** Removes the parts of a TypeBox schema that are not part of its JSON. */
const plain = (schema: unknown): unknown => JSON.parse(JSON.stringify(schema));

const noteOf = (schema: { readonly description?: string }): string => schema.description ?? "";

function typeOfCall({ members, answer }: ServiceOperation, indent: number): string {
  const space = " ".repeat(indent + 2);
  const given =
    Object.keys(members).length === 0
      ? "{}"
      : typeOf(plain(Type.Object(members)), indent + 2, true);
  return `{\n${space}readonly members: ${given};\n${space}readonly answer: ${typeOf(plain(answer), indent + 2)};\n${" ".repeat(indent)}}`;
}

/** Returns the type of a record that may have included records as additional members. */
const withIncludes = (record: string): string =>
  record.replace(/\}$/, "  readonly [included: string]: unknown;\n}");

function listOf(calls: readonly (readonly [name: string, operation: ServiceOperation])[]): string {
  return calls
    .map(([name, operation]) => {
      const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
      return `  readonly ${key}: ${typeOfCall(operation, 2)};\n`;
    })
    .join("");
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
    const written = `${record}/** The calls of ${resource}. */\nexport interface ${name}Calls {\n${listOf(calls)}}\n`;
    const named = queryTypes.filter((name) => new RegExp(`\\b${name}\\b`).test(written));
    const imported =
      named.length > 0 ? `import type { ${named.join(", ")} } from "./query.ts";\n\n` : "";
    files.set(`${fileOf(resource)}.ts`, `${mark}${imported}${written}`);
  }
  files.set(
    "ownAccount.ts",
    `${mark}/** Actions of people on their own account, by the path below \`/auth/account/\`. */\nexport interface OwnAccountCalls {\n${listOf(Object.entries(accountOperations))}}\n`,
  );
  const query = Object.entries(querySchemas).map(
    ([name, schema]) =>
      `/** ${noteOf(schema)} */\nexport type ${name} = ${typeOf(plain(schema), 0, true)};\n`,
  );
  files.set("query.ts", `${mark}${query.join("\n")}`);
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
