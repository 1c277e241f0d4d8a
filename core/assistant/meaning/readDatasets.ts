import { type DataType, isDataType } from "../../../plugins/protocol/index.ts";
import { isList, isObject, type Members } from "../../base/index.ts";
import { type AssistantCaller, callAs, type OwnHandlers } from "../callAs.ts";
import { plainText } from "./words.ts";
import { localizedText } from "../../web/charts/index.ts";

type TextMember = "name" | "description" | "ai_context";
type ColumnMember =
  | TextMember
  | "expression"
  | "hidden"
  | "id"
  | "joins"
  | "lowestLevel"
  | "missing_since"
  | "order"
  | "type";
type DatasetMember =
  | TextMember
  | "columns"
  | "formulas"
  | "id"
  | "rows"
  | "shared_storage_version"
  | "updated_at";

/** A column that the caller may use. `name` and `description` are in the language of the request. */
export interface KnownColumn {
  readonly id: string;
  readonly name: string;
  readonly type: DataType;
  readonly description: string;
  /** Hints that the dataset's editors wrote for models: synonyms, units and rules. */
  readonly context: string;
  /** The finest level of a datetime column, as a number; 0 if the level is not known. */
  readonly lowestLevel: number;
  readonly isDerived: boolean;
  /** Names from the record, by language. */
  readonly names: Members;
  readonly descriptions: Members;
  /** The columns of other datasets that this column is linked to, if the caller may read them. */
  readonly joins: readonly { readonly columnId: string; readonly datasetId: string }[];
}

/** A formula of a dataset. `context` contains the hints that the dataset's editors wrote for models. */
export interface KnownFormula {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly context: string;
  readonly expression: string;
  readonly names: Members;
  readonly descriptions: Members;
}

/** A dataset as its caller sees it. Everything that is hidden from the caller is absent. */
export interface KnownDataset {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly context: string;
  /** A version key that changes when the rows or the record change. */
  readonly version: string;
  readonly names: Members;
  readonly descriptions: Members;
  readonly columns: readonly KnownColumn[];
  readonly formulas: readonly KnownFormula[];
}

export interface DatasetQuery {
  /** Ids of the datasets to read. Absent: all datasets that the caller may read. */
  readonly ids?: readonly string[] | undefined;
  /** Words that the name or description of a dataset must contain. Absent: any dataset matches. */
  readonly words?: string | undefined;
  readonly language?: string | undefined;
  readonly limit: number;
}

const nameLength = 100;
const descriptionLength = 400;

/**
 * Reads datasets with their columns and formulas through the API, so that the result never exceeds the caller's rights.
 * Datasets that the caller may not read are absent from the result. Strings are cleaned and truncated.
 */
export async function readDatasets(
  { ids, words, language, limit }: DatasetQuery,
  caller: AssistantCaller,
  handlers: OwnHandlers,
): Promise<readonly KnownDataset[]> {
  const where = { type: "dataset", ...(ids && { id: ids }) };
  const match_types = ["name", "description"];
  const found = await callAs(handlers, caller, "securable", "get", {
    find: {
      where,
      ...(words !== undefined && { search: { keyphrase: words, match_types } }),
      include: [
        { model: "Column", include: [{ model: "Column", as: "Joins" }] },
        { model: "Formula" },
      ],
      order: [["created_at", "asc"]],
      limit,
    },
  });
  return rowsOf(found).map((row) => datasetOf(row, language));
}

/** Returns the rows of a `get` answer as objects. */
function rowsOf(answer: unknown): readonly Members<DatasetMember>[] {
  const rows = isObject<"rows">(answer) ? answer.rows : undefined;
  return isList(rows) ? rows.filter(isObject<DatasetMember>) : [];
}

function datasetOf(row: Members<DatasetMember>, language?: string): KnownDataset {
  const {
    id,
    shared_storage_version: version,
    updated_at: changedAt,
    rows,
    columns,
    formulas,
  } = row;
  return {
    ...wordsOf(row, language),
    id: String(id),
    version: JSON.stringify([version, changedAt, rows]),
    columns: childrenOf<ColumnMember>(columns)
      .filter(({ hidden, missing_since: missing }) => hidden !== true && missing == null)
      .toSorted((one, other) => Number(one.order) - Number(other.order))
      .flatMap((column) => {
        const { type } = column;
        if (!isDataType(type)) return [];
        return [
          {
            ...wordsOf(column, language),
            id: String(column.id),
            type,
            lowestLevel: Number(column.lowestLevel ?? 0),
            isDerived: typeof column.expression === "string" && column.expression !== "",
            joins: childrenOf<"id" | "securable_id">(column.joins).flatMap(
              ({ id: columnId, securable_id: datasetId }) =>
                typeof datasetId === "string" ? [{ columnId: String(columnId), datasetId }] : [],
            ),
          },
        ];
      }),
    formulas: childrenOf<TextMember | "id" | "expression">(formulas).map((formula) => ({
      ...wordsOf(formula, language),
      id: String(formula.id),
      // The API returns null if one of the formula's columns is hidden from the caller.
      expression: plainText(formula.expression, descriptionLength),
    })),
  };
}

function wordsOf(row: Members<TextMember>, language?: string) {
  return {
    name: plainText(localizedText(row.name, language ?? "en"), nameLength),
    description: plainText(localizedText(row.description, language ?? "en"), descriptionLength),
    context: plainText(row.ai_context, descriptionLength),
    names: isObject(row.name) ? row.name : {},
    descriptions: isObject(row.description) ? row.description : {},
  };
}

/** Returns the child records that an `include` added to a record. */
function childrenOf<Name extends string>(children: unknown): readonly Members<Name>[] {
  return isList(children) ? children.filter(isObject<Name>) : [];
}
