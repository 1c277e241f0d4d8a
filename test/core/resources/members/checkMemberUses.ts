import type { Association, Field } from "../../../../core/resources/index.ts";
import type { MemberUse, MemberUses } from "./memberUse.ts";

/** The part of a declaration that is compared with the table of uses. */
export interface Members {
  readonly name: string;
  readonly fields: Readonly<Record<string, Pick<Field, "on">>>;
  readonly associations: Readonly<
    Record<string, Pick<Association, "kind" | "roles"> & { readonly key?: string }>
  >;
}

export interface MemberUsesOptions {
  readonly declared: readonly Members[];
  readonly uses: Readonly<Record<string, MemberUses>>;
  /** Returns the text of a file; undefined if it does not exist. */
  readonly read: (file: string) => string | undefined;
}

/** Members that the kernel sets for every record. */
const ofEveryRecord = ["id", "created_at", "updated_at"];

/**
 * Compares a table of uses with the declarations. Returns a message for each declared member that is not listed, and
 * for each listed member that is not declared. Also returns a message for each file that does not exist or does not
 * mention its member.
 */
export function checkMemberUses({ declared, uses, read }: MemberUsesOptions): readonly string[] {
  const problems: string[] = [];
  const known = new Set(declared.map(({ name }) => name));
  for (const name of Object.keys(uses))
    if (!known.has(name)) problems.push(`${name} is listed, but there is no such declaration`);
  for (const one of declared) {
    const listed = uses[one.name] ?? {};
    for (const member of Object.keys(listed))
      if (!Object.hasOwn(one.fields, member))
        problems.push(`${one.name}.${member} is listed, but is not declared`);
    for (const [member, field] of Object.entries(one.fields)) {
      if (ofEveryRecord.includes(member) && field.on.length === 0) continue;
      const use = Object.hasOwn(listed, member) ? listed[member] : undefined;
      const problem = use
        ? problemOf(use, member, one, read)
        : `name the place that ${field.on.length > 0 ? "reads" : "sets"} it, or why it is kept`;
      if (problem !== undefined) problems.push(`${one.name}.${member}: ${problem}`);
    }
  }
  return problems;
}

function problemOf(
  use: MemberUse,
  member: string,
  one: Members,
  read: MemberUsesOptions["read"],
): string | undefined {
  switch (use.kind) {
    case "kept":
      return use.reason.trim().split(/\s+/).length < 4 ? "kept without a reason" : undefined;
    case "linked":
      return isKey(member, one) ? undefined : "no association has this key";
    case "code":
      return problemOfCode(use, member, read(use.file));
    case "test":
      return problemOfTest(use, member, read(use.file));
  }
}

/** Returns whether a declaration has an association with the given foreign key. */
function isKey(member: string, { associations }: Members): boolean {
  return Object.values(associations).some(({ kind, key }) => kind === "one" && key === member);
}

/** Matches the declaration of a field, as `kernel/fields.ts` writes it. */
const declaration =
  /^\w+: (?:uuid|text|flag|number|instant|multilingual|title|object|list|choice|colour|timeZone)\(/;

function problemOfCode(
  { file, code }: Extract<MemberUse, { kind: "code" }>,
  member: string,
  text: string | undefined,
): string | undefined {
  if (text === undefined) return `there is no file ${file}`;
  if (!mentions(code, member)) return `the excerpt ${code} does not mention the member`;
  if (!plain(withoutComments(text)).includes(plain(code))) return `${file} has no code ${code}`;
  return declaration.test(code) ? "a declaration uses no member" : undefined;
}

function problemOfTest(
  { file, title }: Extract<MemberUse, { kind: "test" }>,
  member: string,
  text: string | undefined,
): string | undefined {
  if (text === undefined) return `there is no file ${file}`;
  const [, after] = withoutComments(text).split(JSON.stringify(title));
  if (after === undefined) return `${file} has no test ${JSON.stringify(title)}`;
  const [body = ""] = after.split(/\n\s{0,6}test\(/);
  return mentions(body, member)
    ? undefined
    : `the test ${JSON.stringify(title)} does not mention it`;
}

function mentions(text: string, member: string): boolean {
  return new RegExp(`(?<![\\w$])${member}(?![\\w$])`).test(text);
}

const plain = (text: string): string => text.replaceAll(/\s+/g, "");

/** Returns source text without its comments. Strings and templates are unchanged. */
export function withoutComments(source: string): string {
  return source.replaceAll(
    /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g,
    (_match, kept: string | undefined) => kept ?? "",
  );
}
