import { html, nothing, type TemplateResult } from "lit";
import { messageOf, mistakesIn, type Api } from "../../api/index.ts";
import { textOf, withText, writeNumber } from "../../language/index.ts";
import { openForm, rowTable, textField } from "../../parts/index.ts";
import type { ColumnRow } from "./columnRow.ts";
import { nameProblem, problemInWords } from "./expressionProblem.ts";
import { withIds, withNames } from "./expressionText.ts";
import { formulaSignatures, functionSignatures } from "./functionSignatures.ts";
import { words } from "./words.ts";

/** An existing derived column or formula. */
export interface Expressed {
  readonly id: string;
  readonly name: unknown;
  readonly expression: string | null;
}
export interface WriteOptions {
  readonly kind: "column" | "formula";
  readonly datasetId: string;
  readonly columns: readonly ColumnRow[];
  /** The column or formula to edit; absent for a new column or formula. */
  readonly existing?: Expressed;
}

const pauseMs = 250;
const shownRows = 5;
/** Maximum number of columns of an expression that are shown beside its result. */
const mostInputs = 4;
type Row = readonly unknown[];

/**
 * Opens the editor for an expression and evaluates it as the reader types: on some rows, of which it shows the columns
 * and the result, or for a formula on all rows. Creates or changes the column or formula. Returns whether it was
 * stored.
 */
export async function writeExpression(api: Api, options: WriteOptions): Promise<boolean> {
  const { kind, datasetId, columns, existing } = options;
  const isFormula = kind === "formula";
  const state = {
    name: textOf(existing?.name),
    expression: withNames(existing?.expression ?? "", datasetId, columns),
    wrong: "",
    inputs: [] as readonly ColumnRow[],
    rows: [] as readonly Row[],
  };
  const signatures = isFormula ? formulaSignatures : functionSignatures;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let checkCount = 0;
  const stored = () => withIds(state.expression, datasetId, columns);
  const check = async (redraw: () => void): Promise<void> => {
    const mine = ++checkCount;
    const wrong = nameProblem(state.expression, columns, signatures);
    if (wrong !== "" || state.expression.trim() === "") {
      Object.assign(state, { wrong, rows: [] });
      return redraw();
    }
    const inputs = columns.filter(({ id }) => stored().includes(`:${id}}`)).slice(0, mostInputs);
    const find = isFormula
      ? { measures: [{ formula: stored() }], options: { cells: "plain" } }
      : {
          dimensions: [
            ...inputs.map(({ id }) => ({ dataset_id: datasetId, column_id: id })),
            { expression: stored(), dataset_id: datasetId },
          ],
          limit: { by: shownRows },
          options: { cells: "plain", rollup_data: false },
        };
    const outcome = await api
      .call<{ readonly data: readonly Row[] }>("data", "get", { find })
      .then(({ data }) => ({ wrong: "", rows: data, inputs: isFormula ? [] : inputs }))
      .catch((failure: unknown) => ({
        wrong: problemInWords(messageOf(failure), state.expression, datasetId, columns),
        rows: [],
      }));
    if (mine !== checkCount) return;
    Object.assign(state, outcome);
    redraw();
  };
  const write = (redraw: () => void, expression: string): void => {
    state.expression = expression;
    clearTimeout(timer);
    timer = setTimeout(() => void check(redraw), pauseMs);
  };
  const save = async (): Promise<void> => {
    const name = withText(existing?.name, state.name);
    const properties = { name, expression: stored() };
    if (existing) await api.update(kind, existing.id, properties);
    else if (isFormula)
      await api.call("formula", "create", {
        properties,
        associations: [{ role: "Securables", id: datasetId }],
      });
    else
      await api.call("column", "create", {
        properties: {
          ...properties,
          order: Math.max(-1, ...columns.map(({ order }) => order)) + 1,
        },
        associations: [{ role: "Securable", id: datasetId }],
      });
  };
  const title = isFormula ? words.formulaTitle : words.deriveTitle;
  const done = await openForm<true>({
    title: existing ? textOf(existing.name) || title : title,
    isWide: true,
    action: existing ? words.save : isFormula ? words.createFormula : words.create,
    members: ["name"],
    body: ({ mistakeOf, redraw }) =>
      html`${textField({ id: "expression-name", label: words.name, value: state.name, wrong: mistakeOf("name"), onInput: (value) => (state.name = value) })}
        <console-expression
          .value=${state.expression}
          .columns=${columns.filter(({ expression }) => expression === null)}
          .signatures=${signatures}
          .wrong=${state.wrong}
          .onInput=${(value: string) => write(redraw, value)}
        ></console-expression>
        ${
          state.rows.length > 0
            ? html`<div role="status">
                <h3>${isFormula ? words.checkedFormula : words.checked}</h3>
                ${previewTable(state.inputs, state.rows)}
              </div>`
            : nothing
        }`,
    async save() {
      await save().catch((failure: unknown) => {
        if (mistakesIn(failure)["name"] === undefined)
          state.wrong = problemInWords(messageOf(failure), state.expression, datasetId, columns);
        throw failure;
      });
      return true;
    },
  });
  return done === true;
}

/** Renders rows with the columns of an expression and its result. */
const previewTable = (inputs: readonly ColumnRow[], rows: readonly Row[]): TemplateResult =>
  rowTable({
    label: words.result,
    columns: [...inputs.map(({ name }) => textOf(name)), words.result].map((head, at) => ({
      head,
      isNumeric: rows.some((row) => typeof row[at] === "number"),
      cell: (row: Row) => shown(row[at]),
    })),
    rows,
  });

const shown = (value: unknown): string =>
  typeof value === "number" ? writeNumber(value) : String(value ?? "–");
