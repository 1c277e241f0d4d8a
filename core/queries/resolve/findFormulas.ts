import type { Principal, Records } from "../../contracts/index.ts";
import { ApiError } from "../../errors.ts";
import { memberPath } from "../parse/readMembers.ts";
import { referencesOf } from "../parse/parseReference.ts";
import type { Condition, ParsedQuery, Reference } from "../parsedQuery.ts";

/** Finds the text of a formula that the caller may read; `path` is the member that names it. */
type FindFormula = (id: string, path: string) => Promise<string>;

/** Makes a finder of formulas for one caller. @throws {ApiError} RECORD_NOT_FOUND */
export function createFormulaFinder(records: Records, principal: Principal): FindFormula {
  return async (id) => {
    const found = await records.visible("formula", [id], "read", principal);
    const expression = found.get(id)?.expression;
    if (typeof expression === "string") return expression;
    throw new ApiError("RECORD_NOT_FOUND", ["formula", id.slice(0, 100)]);
  };
}

/**
 * Puts the texts of stored formulas in the place of their ids.
 * @throws {ApiError} RECORD_NOT_FOUND, MEMBER_INVALID when a text cannot be parsed
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
  const namedIn = async (condition: Condition): Promise<Condition> => {
    if ("and" in condition) return { and: await Promise.all(condition.and.map(namedIn)) };
    if ("or" in condition) return { or: await Promise.all(condition.or.map(namedIn)) };
    if (!("operands" in condition))
      return { ...condition, reference: await named(condition.reference) };
    const operands = condition.operands.map(async (each) =>
      "reference" in each ? { reference: await named(each.reference) } : each,
    );
    return { ...condition, operands: await Promise.all(operands) };
  };
  return {
    ...parsed,
    measures: await Promise.all(parsed.measures.map(named)),
    dimensions: await Promise.all(parsed.dimensions.map(named)),
    where: await Promise.all(parsed.where.map(namedIn)),
    having: await Promise.all(parsed.having.map(namedIn)),
    order: await Promise.all(
      parsed.order.map(async (item) => ({ ...item, reference: await named(item.reference) })),
    ),
  };
}
