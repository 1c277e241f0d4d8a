import { foldTree } from "../../../plugins/protocol/index.ts";
import { ApiError, type Principal, type Records } from "../../base/index.ts";
import { memberPath } from "../parse/readMembers.ts";
import { referencesOf } from "../parse/parseReference.ts";
import type { Condition, ConditionLeaf, ParsedQuery, Reference } from "../parsedQuery.ts";

/**
 * Finds the source text of a formula that the caller may read. `path` is the path of the member that names the formula.
 */
export type FindFormula = (id: string, path: string) => Promise<string>;

/** Creates a finder of formulas for one caller. @throws {ApiError} RECORD_NOT_FOUND */
export function createFormulaFinder(records: Records, principal: Principal): FindFormula {
  return async (id) => {
    const found = await records.visible("formula", [id], "read", principal);
    const expression = found.get(id)?.expression;
    if (typeof expression === "string") return expression;
    throw new ApiError("RECORD_NOT_FOUND", ["formula", id.slice(0, 100)]);
  };
}

/**
 * Replaces the ids of stored formulas with their source texts.
 * @throws {ApiError} RECORD_NOT_FOUND, MEMBER_INVALID if a source text cannot be parsed
 */
export async function findFormulas(parsed: ParsedQuery, find: FindFormula): Promise<ParsedQuery> {
  const named = async (reference: Reference): Promise<Reference> => {
    const { formulaId, ...rest } = reference;
    if (formulaId === undefined) return reference;
    const path = memberPath(reference.path, "formula_id");
    const formula = await find(formulaId, path);
    const [first] = referencesOf(formula, path);
    const datasetId = reference.datasetId ?? first?.datasetId;
    return { ...rest, formula, isStored: true, datasetId };
  };
  const namedLeaf = async (leaf: ConditionLeaf): Promise<Condition> => {
    if (!("operands" in leaf)) return { ...leaf, reference: await named(leaf.reference) };
    const operands = leaf.operands.map(async (each) =>
      "reference" in each ? { reference: await named(each.reference) } : each,
    );
    return { ...leaf, operands: await Promise.all(operands) };
  };
  const namedIn = (condition: Condition): Promise<Condition> =>
    foldTree<ConditionLeaf, Promise<Condition>>(condition, {
      leaf: namedLeaf,
      and: async (members) => ({ and: await Promise.all(members) }),
      or: async (members) => ({ or: await Promise.all(members) }),
    });
  const { groupLimit } = parsed;
  return {
    ...parsed,
    measures: await Promise.all(parsed.measures.map(named)),
    dimensions: await Promise.all(parsed.dimensions.map(named)),
    where: await Promise.all(parsed.where.map(namedIn)),
    having: await Promise.all(parsed.having.map(namedIn)),
    ...(groupLimit && {
      groupLimit: { ...groupLimit, per: await Promise.all(groupLimit.per.map(named)) },
    }),
    order: await Promise.all(
      parsed.order.map(async (item) => ({ ...item, reference: await named(item.reference) })),
    ),
  };
}
