import { recordActions, type Action } from "../../../core/base/index.ts";
import { featureFlags } from "../../../core/identity/access/features/featureFlags.ts";
import { permits } from "../../../core/identity/access/permits.ts";
import { operationOf } from "../../../core/http/openapi/operationOf.ts";
import { pascal } from "../../../core/http/openapi/reference.ts";
import { resourceDescription } from "../../../core/http/openapi/resourceDescription.ts";
import { declarations, type Declaration, type Field } from "../../../core/resources/index.ts";
import { associable, roleOf } from "../../../core/resources/kernel/policy.ts";
import type { Calls } from "../../../core/web/client/index.ts";
import { errorsOf, linkToError } from "./resourceErrors.ts";
import { exampleCallsOf } from "./exampleCalls.ts";
import { needsOf, roleWords } from "./needs.ts";
import { languages, writeCall, type ExampleCall } from "./writeCall.ts";
import { anchorOf, typeOf, writeMembers, writeTable } from "./writeTypes.ts";

/** Returns the link to the record of a resource, or to a named type. */
export function linkToType(name: string): string {
  const resource = [...declarations.keys()].find((each) => pascal(each) === name);
  return resource === undefined
    ? `[${name}](types.md#${anchorOf(name)})`
    : `[${name}](${resource}.md)`;
}

/** Writes the page of a resource or a service. `answerOf` returns the text of the answer to an example. */
export function writeResourcePage(
  resource: keyof Calls,
  answerOf: (call: ExampleCall) => string,
): string {
  const declaration = declarations.get(resource);
  const calls = exampleCallsOf(resource).toSorted((a, b) => rankOf(a.action) - rankOf(b.action));
  return [
    `# ${resource}`,
    resourceDescription(resource, declarations),
    actionsTable(resource, calls, declaration),
    ...(declaration ? recordSections(declaration) : []),
    "## Errors",
    ...errorsSection(resource),
    ...calls.flatMap((call) => exampleSection(call, answerOf(call))),
    "",
  ].join("\n\n");
}

/** Returns the place of an action on a page, where the common actions precede the others. */
export function rankOf(action: string): number {
  const rank = recordActions.findIndex((each) => each === action);
  return rank < 0 ? recordActions.length : rank;
}

function errorsSection(resource: keyof Calls): readonly string[] {
  const common = "[the errors of every call](errors.md#every-call)";
  const rows = errorsOf(resource).map(({ code, status, cause }) => [
    linkToError(code),
    String(status),
    cause,
  ]);
  if (rows.length === 0) return [`Only ${common}.`];
  return [`Besides ${common}:`, writeTable(["error", "status", "typical cause"], rows).trim()];
}

function actionsTable(
  resource: string,
  calls: readonly ExampleCall[],
  declaration: Declaration | undefined,
): string {
  const rows = calls.map(({ action }) => [
    `[${action}](#${anchorOf(action)})`,
    operation(resource, action).summary,
    needs(resource, action, declaration),
    tokenWords(resource, action as Action),
  ]);
  return writeTable(["action", "what it does", "needs", "embed tokens"], rows).trim();
}

function operation(resource: string, action: string) {
  const found = operationOf(resource, action as Action, declarations);
  if (!found) throw new Error(`${resource} has no action ${action}`);
  return found;
}

function needs(resource: string, action: string, declaration: Declaration | undefined): string {
  const own = recordActions.find((each) => each === action);
  const words = (() => {
    if (!declaration || own === undefined) return needsOf(`${resource} ${action}`);
    if (own === "associate" || own === "dissociate") return "[by association](#associations)";
    const role = roleWords[roleOf(declaration, own)];
    const isNew = own === "validate" && declaration.actions.includes("create");
    return isNew ? `${role}; for a new record, as \`create\`` : role;
  })();
  const flags = Object.entries(featureFlags).flatMap(([flag, { closes }]) => {
    const closed: Readonly<Record<string, readonly string[]>> = closes;
    return closed[resource]?.includes(action) === true ? [`\`${flag}\``] : [];
  });
  return [words, ...flags].join("; ");
}

function tokenWords(resource: string, action: Action): string {
  const may = (role: "viewer" | "designer" | "owner") =>
    permits({ authorizationType: "embed", restriction: { role } as never }, resource, action);
  if (may("viewer")) return "yes";
  if (may("designer")) return "designer, owner";
  return may("owner") ? "owner" : "no";
}

function recordSections(declaration: Declaration): readonly string[] {
  const { name, fields, inputs = {}, rights, inert = {} } = declaration;
  const shown = Object.entries(fields).filter(([, field]) => !field.hidden);
  const set = [...shown, ...Object.entries(inputs)].filter(([, { on }]) => on.length > 0);
  const read = shown.filter(([, { on }]) => on.length === 0);
  const ignored = Object.keys(inert).map((member) => `\`${member}\``);
  const links = associationRows(declaration);
  const isChangeable = declaration.actions.includes("update");
  const others = Object.entries(declaration.associations).filter(([, { roles }]) => !roles);
  return [
    ...(set.length > 0 ? ["## Members that you set"] : []),
    ...(set.length > 0 && !isChangeable ? ["`create` sets them, and no action changes them."] : []),
    ...(set.length > 0 ? [settableTable(set, isChangeable)] : []),
    ...variantsTable(declaration),
    ...(ignored.length > 0
      ? [`Accepted for older clients, without effect: ${ignored.join(", ")}.`]
      : []),
    "## Members that the host sets",
    writeTable(
      ["member", "type", "meaning"],
      [
        ...read.map(([member, field]) => [`\`${member}\``, fieldType(field), meaningOf(field)]),
        ...computedRows(declaration),
      ],
    ).trim(),
    "## Rights",
    rights,
    ...(links.length > 0 || others.length > 0 ? ["## Associations"] : []),
    ...(links.length > 0
      ? [
          writeTable(
            [
              "role",
              "with",
              `needs on the ${name}`,
              "needs on the other record",
              "properties of the link",
            ],
            links,
          ).trim(),
        ]
      : []),
    ...(others.length > 0
      ? [
          `Only for \`include\`: ${others.map(([role, { resource }]) => `\`${role}\` ([${resource}](${resource}.md))`).join(", ")}.`,
        ]
      : []),
  ];
}

const fieldType = (
  { storage, schema, described, nullable }: Field,
  where: "given" | "shown" = "shown",
) => {
  const own = (where === "shown" ? described?.shown : undefined) ?? described?.given ?? schema;
  const kinds: Readonly<Record<string, string>> = {
    uuid: "id",
    "timestamp with time zone": "instant",
  };
  const words = kinds[storage] ?? typeOf(own, linkToType);
  return nullable ? `${words}, or null` : words;
};

function meaningOf({ description = "", secret, sealed, show, withheld }: Field): string {
  return [
    description,
    ...(secret ? ["Never returned."] : []),
    ...(sealed && !show ? ["Answers show only the names of its members."] : []),
    ...(withheld ? ["Null for embed tokens and under row filters."] : []),
  ].join(" ");
}

function settableTable(set: readonly (readonly [string, Field])[], isChangeable: boolean): string {
  const hasDefaults = set.some(([, field]) => defaultOf(field) !== "");
  const rows = set
    .toSorted(([, a], [, b]) => Number(b.required ?? false) - Number(a.required ?? false))
    .map(([member, field]) => [
      `\`${member}\`${field.required ? " (required)" : ""}`,
      fieldType(field, "given"),
      ...(hasDefaults ? [defaultOf(field)] : []),
      [meaningOf(field), ...(isChangeable ? onlyIn(field) : [])].join(" "),
    ]);
  const head = ["member", "type", ...(hasDefaults ? ["default"] : []), "meaning"];
  return writeTable(head, rows).trim();
}

/** Says which action sets a member that a create and an update do not both set. */
const onlyIn = ({ on }: Field): readonly string[] =>
  on.includes("create") && on.includes("update") ? [] : [`Only in \`${on.join(", ")}\`.`];

/** Returns the default of a member: a value, or a dash for a member that is null or that the host chooses. */
function defaultOf({ default: given, required }: Field): string {
  if (required || given === undefined) return "";
  const value: unknown = typeof given === "function" ? given() : given;
  if (value instanceof Date) return "the present";
  return typeof value === "object" || typeof value === "boolean" || typeof value === "number"
    ? `\`${JSON.stringify(value)}\``
    : `\`${String(value)}\``;
}

function variantsTable({ variants }: Declaration): readonly string[] {
  if (!variants) return [];
  const rows = Object.entries(variants.members).flatMap(([value, members]) =>
    Object.entries(members).map(([member, schema]) => [
      `\`${value}\``,
      `\`${member}\``,
      typeOf(schema, linkToType),
    ]),
  );
  return [
    `By \`${variants.by}\`, a create requires:`,
    writeTable([`\`${variants.by}\``, "member", "type"], rows).trim(),
  ];
}

const describe = (schema: object): string =>
  "description" in schema ? String(schema.description) : "";

function computedRows({ computed, shownOnce = [], shownBeside = {} }: Declaration): string[][] {
  const besides = Object.entries(shownBeside);
  const names = new Set(besides.flatMap(([, members]) => Object.keys(members)));
  const beside = [...names].map((member) => {
    const within = besides.filter(([, members]) => member in members);
    const schema = within[0]?.[1][member] ?? {};
    const actions = within.map(([action]) => `\`${action}\``).join(" and ");
    return [
      `\`${member}\``,
      typeOf(schema, linkToType),
      `${describe(schema)} Only in the answer of ${actions}.`,
    ];
  });
  return [
    ...Object.entries(computed?.schemas ?? {}).map(([member, schema]) => [
      `\`${member}\``,
      typeOf(schema, linkToType),
      describe(schema),
    ]),
    ...shownOnce.map((member) => [
      `\`${member}\``,
      "string",
      "Only in the answer of `create`, and never again.",
    ]),
    ...beside,
  ];
}

function associationRows(declaration: Declaration): string[][] {
  return associable(declaration).map(([role, association]) => {
    const [own, other] = association.roles;
    const link = association.kind === "through" ? association.link : undefined;
    const properties = [
      ...(link?.flags ?? []),
      ...(link?.choice ? [link.choice.member] : []),
      ...Object.keys(link?.fields ?? {}),
    ];
    return [
      `\`${role}\``,
      `[${association.resource}](${association.resource}.md)`,
      roleWords[own],
      roleWords[other],
      properties.map((each) => `\`${each}\``).join(", "),
    ];
  });
}

const fenced = (language: string, text: string) => `\`\`\`${language} reference\n${text}\n\`\`\``;

function exampleSection(call: ExampleCall, answer: string): readonly string[] {
  const { resource, action } = call;
  const { summary, members, answer: schema, otherType } = operation(resource, action);
  const isCommon = declarations.has(resource) && recordActions.some((each) => each === action);
  const given = writeMembers(
    { type: "object", properties: members, required: requiredOf(members) },
    action,
    linkToType,
  );
  const answered = writeMembers(schema, `${action}${pascal(resource)}`, linkToType);
  const tables = isCommon
    ? []
    : [
        ...(given === "" ? [] : [given.trim()]),
        ...(answered === "" ? [] : ["The answer:", answered.trim()]),
        ...(otherType ? [`With \`Accept: ${otherType.mediaType}\`: ${otherType.description}`] : []),
      ];
  return [
    `## ${action}`,
    `${summary}.`,
    ...tables,
    ...languages.map((language) => fenced(language, writeCall[language](call))),
    "The host answers:",
    fenced(call.isText ? "text" : "json", answer),
  ];
}

/** TypeBox marks optional members by a symbol that JSON omits. */
function requiredOf(members: Readonly<Record<string, object>>): readonly string[] {
  return Object.entries(members).flatMap(([name, schema]) => ("~optional" in schema ? [] : [name]));
}
