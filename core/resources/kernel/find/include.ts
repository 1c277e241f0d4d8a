import type { Knex } from "knex";
import type { Association } from "../association.ts";
import type { Declaration } from "../declaration.ts";
import { findAssociation } from "../findAssociation.ts";
import { refuseClosed } from "../../../identity/index.ts";
import { kindOf, type Members } from "../../../base/index.ts";
import { limits } from "../limits.ts";
import { parseAttributes } from "./attributes.ts";
import { compileOrder, orderBy } from "./order.ts";
import { expectObject, invalidMember, unknownMember, type Scope } from "./scope.ts";
import { compileWhere } from "./where.ts";
import { spend } from "./spend.ts";

/** An include: the records of one level are added to the records of another level. */
export interface Include {
  readonly association: Association;
  /** The resource to whose records the included records are added. */
  readonly holder: Declaration;
  /** The member that contains the included records in the answer. */
  readonly member: string;
  readonly scope: Scope;
  readonly attributes: readonly string[];
  readonly requested: readonly string[];
  readonly where: Knex.Raw | undefined;
  readonly order: Knex.Raw;
  readonly includes: readonly Include[];
  /** Whether parents are omitted if they have no included records. */
  readonly isInner: boolean;
}

const members = [
  "model",
  "as",
  "attributes",
  "where",
  "order",
  "include",
  "separate",
  "jointype",
] as const;

function targetOf(
  scope: Scope,
  item: Members<"model" | "as">,
  path: string,
): [string, Association, Declaration] {
  const { model, as } = item;
  if (typeof model !== "string")
    throw invalidMember(`${path}.model`, `must be a string, not ${kindOf(model)}`);
  if (as !== undefined && typeof as !== "string")
    throw invalidMember(`${path}.as`, `must be a string, not ${kindOf(as)}`);
  const all = Object.entries(scope.declaration.associations);
  const ofModel = all.filter(([, { resource }]) => resource === model.toLowerCase());
  const known = (entries: typeof all) =>
    entries.map(([name, { resource }]) => `${resource} as ${name}`);
  // Authors often name the association itself, such as Datasets, which no resource is called.
  const own = ofModel.length === 0 && as === undefined ? findAssociation(all, model) : undefined;
  if (ofModel.length === 0 && !own) throw unknownMember(`${path}.model ${model}`, known(all));
  const named =
    own ?? findAssociation(ofModel, as ?? model) ?? (as === undefined ? ofModel[0] : undefined);
  if (!named) throw unknownMember(`${path}.as ${as}`, known(ofModel));
  const declaration = scope.declarations.get(named[1].resource);
  if (!declaration) throw new TypeError(`there is no resource ${named[1].resource}`);
  return [...named, declaration];
}

const memberOf = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** Parses the `include` list of a level, down to `limits.includeLevels`. */
export function parseIncludes(parent: Scope, include: unknown, depth = 1): readonly Include[] {
  if (include === undefined) return [];
  if (!Array.isArray(include))
    throw invalidMember(`${parent.path}.include`, `must be a list, not ${kindOf(include)}`);
  if (depth > limits.includeLevels)
    throw invalidMember(
      `${parent.path}.include`,
      `nests deeper than ${limits.includeLevels} levels`,
    );
  return include.map((entry, index) => {
    const path = `${parent.path}.include[${index}]`;
    spend(parent, "includes", path);
    const item: Members<(typeof members)[number]> = expectObject(
      typeof entry === "string" ? { model: entry } : entry,
      path,
      members,
    );
    const { jointype } = item;
    if (jointype !== undefined && jointype !== "inner" && jointype !== "left")
      throw invalidMember(`${path}.jointype`, "must be inner or left");
    const isInner = jointype === "inner";
    const [name, association, declaration] = targetOf(parent, item, path);
    refuseClosed(parent.principal, declaration.name, "get");
    const scope = { ...parent, declaration, alias: `t${depth}`, path };
    const { attributes, requested } = parseAttributes(scope, item.attributes);
    return {
      association,
      holder: parent.declaration,
      member: memberOf(name),
      scope,
      attributes,
      requested,
      where: item.where === undefined ? undefined : compileWhere(scope, item.where),
      order: orderBy(scope.knex, compileOrder(scope, item.order)),
      includes: parseIncludes(scope, item.include, depth + 1),
      isInner,
    };
  });
}
