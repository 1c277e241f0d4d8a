import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Comment,
  type Expression,
  type ObjectExpression,
  parseSync,
  Visitor,
} from "oxc-parser";

/** The documentation of a type or member, taken from its comment in the source. */
export interface Doc {
  readonly text: string;
  /** The value of `@default`. Absent if the comment has no `@default`, or if its value is not JSON. */
  readonly defaultValue?: unknown;
}

type MemberDocs = ReadonlyMap<string, Doc | undefined>;

/** The comments of the protocol's schemas. */
export interface Docs {
  /** Returns the documentation of an exported type. */
  ofType(name: string): Doc | undefined;
  /**
   * Returns the documentation of the members of an object schema. `name` is the schema's exported name; without a name,
   * the object is found by its members.
   * @throws {Error} if objects with the same members have different comments
   */
  ofMembers(members: readonly string[], name?: string): MemberDocs;
}

interface Source {
  readonly text: string;
  readonly comments: readonly Comment[];
}

const folder = join(import.meta.dirname, "../../../plugins/protocol");
const keyOf = (members: Iterable<string>) => [...members].toSorted().join(",");

/**
 * Reads the comments of the protocol's sources, so that the generated schemas contain the same explanations that
 * editors show to authors in TypeScript.
 */
export function readDocs(): Docs {
  const typeDocs = new Map<string, Doc>();
  const constDocs = new Map<string, Doc>();
  const objects = new Map<string, readonly [Source, ObjectExpression]>();
  const byName = new Map<string, MemberDocs>();
  const byMembers = new Map<string, MemberDocs[]>();
  const found: (readonly [Source, ObjectExpression])[] = [];
  for (const file of globSync("*.ts", { cwd: folder }).toSorted()) {
    const text = readFileSync(join(folder, file), "utf8");
    const { program, comments } = parseSync(file, text);
    const source = { text, comments };
    for (const statement of program.body) {
      const declaration =
        statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
      const doc = docBefore(source, statement.start);
      if (
        declaration?.type === "TSTypeAliasDeclaration" ||
        declaration?.type === "TSInterfaceDeclaration"
      ) {
        if (doc) typeDocs.set(declaration.id.name, doc);
      } else if (declaration?.type === "VariableDeclaration") {
        const [{ id, init } = {}] = declaration.declarations;
        if (id?.type !== "Identifier" || !init) continue;
        if (doc) constDocs.set(id.name, doc);
        const object = init.type === "ObjectExpression" ? init : objectOf(init);
        if (object) objects.set(id.name, [source, object]);
      }
    }
    new Visitor({
      CallExpression(node) {
        const object = objectOf(node);
        if (object) found.push([source, object]);
      },
    }).visit(program);
  }
  const membersOf = ([source, { properties }]: readonly [Source, ObjectExpression]): MemberDocs =>
    new Map(
      properties.flatMap((property) => {
        if (property.type === "SpreadElement") {
          const { argument } = property;
          const of = argument.type === "MemberExpression" ? argument.object : argument;
          const spread = of.type === "Identifier" ? objects.get(of.name) : undefined;
          return spread ? [...membersOf(spread)] : [];
        }
        const { key } = property;
        if (key.type !== "Identifier") return [];
        return [[key.name, docBefore(source, property.start)] as const];
      }),
    );
  for (const [name, object] of objects) byName.set(name, membersOf(object));
  for (const object of found) {
    const members = membersOf(object);
    const key = keyOf(members.keys());
    byMembers.set(key, [...(byMembers.get(key) ?? []), members]);
  }
  return {
    ofType: (name) => typeDocs.get(name) ?? constDocs.get(name),
    ofMembers(members, name) {
      const named = name === undefined ? undefined : byName.get(name);
      if (named) return named;
      const documented = (byMembers.get(keyOf(members)) ?? []).filter((each) =>
        members.some((member) => each.get(member)),
      );
      const [first, ...others] = documented;
      const differs = others.some((other) =>
        members.some((member) => other.get(member)?.text !== first?.get(member)?.text),
      );
      if (differs)
        throw new Error(`two objects have the members ${members.join(", ")}; export one by name`);
      return first ?? new Map();
    },
  };
}

/** Returns the object literal that a call of `Type.Object` receives. */
function objectOf(node: Expression): ObjectExpression | undefined {
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return undefined;
  const { object, property } = node.callee;
  const isType = object.type === "Identifier" && object.name === "Type";
  if (!isType || property.type !== "Identifier" || property.name !== "Object") return undefined;
  const [members] = node.arguments;
  return members?.type === "ObjectExpression" ? members : undefined;
}

/** Returns the documentation comment that ends directly before a position. */
function docBefore({ text, comments }: Source, start: number): Doc | undefined {
  const comment = comments.findLast(({ end }) => end <= start);
  if (comment?.type !== "Block" || !comment.value.startsWith("*")) return undefined;
  if (text.slice(comment.end, start).trim() !== "") return undefined;
  const lines = comment.value
    .slice(1)
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd());
  const [prose = "", ...tags] = lines.join("\n").trim().split(/^@/m);
  const given = tags.find((tag) => tag.startsWith("default "))?.slice("default ".length);
  return { text: joinLines(prose), ...defaultOf(given) };
}

/** Joins the lines of each paragraph. Each item of a list stays on a separate line. */
function joinLines(prose: string): string {
  return prose.trim().replaceAll(/([^\n])\n(?![\n-])/g, "$1 ");
}

function defaultOf(given: string | undefined): Pick<Doc, "defaultValue"> {
  if (given === undefined) return {};
  try {
    return { defaultValue: JSON.parse(given) };
  } catch {
    return {};
  }
}
