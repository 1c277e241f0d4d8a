import { html, type TemplateResult } from "lit";
import { openMenu, type MenuItem } from "../parts/index.ts";
import {
  calculationOf,
  describeFilter,
  isSameCalculation,
  nameOf,
  type ExploredColumn,
  type Grouping,
  type Measure,
  type Question,
  type Shelf,
  nameOfAggregation,
  nameOfCalculation,
  offeredAggregations,
  offeredCalculations,
  phraseOfMeasure,
  questionWords,
  withCapital,
} from "../questions/index.ts";
import type { DraggedColumn } from "./dragColumn.ts";
import { shelfRow, type Chip } from "./shelfRow.ts";
import { words } from "./words.ts";

export interface ShelvesOptions {
  readonly question: Question;
  readonly columns: ReadonlyMap<string, ExploredColumn>;
  /**
   * The shelves that the chart has.
   * @default all shelves
   */
  readonly shelves?: readonly Shelf[];
  /**
   * Names of shelves, for charts whose parts are called otherwise.
   * @default "Rows", "Values", "Colour" and "Filters"
   */
  readonly names?: Readonly<Partial<Record<Shelf, string>>>;
  /** Shown after the columns of the shelf of rows. */
  readonly ranking?: TemplateResult;
  change(question: Question): void;
  onFilter(column: ExploredColumn, index: number): void;
  onDrop(shelf: Shelf, dragged: DraggedColumn): void;
}

const allShelves: readonly Shelf[] = ["rows", "measures", "color", "filters"];

/** The shelves of a question, with a chip for each of their columns. */
export function shelvesView(options: ShelvesOptions): TemplateResult {
  const chipsOf: Readonly<Record<Shelf, readonly Chip[]>> = {
    rows: rowChips(options),
    measures: measureChips(options),
    color: colorChips(options),
    filters: filterChips(options),
  };
  const { shelves = allShelves, names } = options;
  return html`<div class="shelves">
    ${shelves.map((shelf) =>
      shelfRow({
        shelf,
        name: names?.[shelf] ?? words.shelves[shelf],
        chips: chipsOf[shelf],
        ...(shelf === "rows" && options.ranking && { more: options.ranking }),
        onDrop: (dragged) => options.onDrop(shelf, dragged),
        onAdd: (button) => openColumns(button, shelf, options),
      }),
    )}
  </div>`;
}

/** Maximum number of columns in a menu. Wider datasets have a search beside the shelves. */
const mostOffered = 100;

/** Opens the menu of the columns that can be added to a shelf. Those that usually belong there come first. */
function openColumns(
  button: HTMLElement,
  shelf: Shelf,
  { columns, onDrop, names }: ShelvesOptions,
): void {
  const isUsual = ({ type }: ExploredColumn) =>
    shelf === "filters" || (type === "numeric") === (shelf === "measures");
  const usual = [...columns.values()].filter(isUsual);
  const others = [...columns.values()].filter((column) => !isUsual(column));
  const entryOf = (column: ExploredColumn): MenuItem => ({
    label: nameOf(column),
    run: () => onDrop(shelf, { id: column.id, label: nameOf(column) }),
  });
  const count: MenuItem = {
    label: words.countRows,
    run: () => onDrop(shelf, { id: "*", label: words.countRows }),
  };
  openMenu(button, words.addColumnTo(names?.[shelf] ?? words.shelves[shelf]), [
    ...(shelf === "measures" ? [count] : []),
    ...usual.slice(0, mostOffered).map(entryOf),
    ...(others.length > 0 && usual.length > 0 ? (["separator"] as const) : []),
    ...others.slice(0, mostOffered).map(entryOf),
  ]);
}

const replaced = <Entry>(list: readonly Entry[], at: number, entry: Entry | undefined): Entry[] =>
  list.flatMap((each, index) => (index === at ? (entry ? [entry] : []) : [each]));

/** Returns a question without the column at an index of a shelf. */
export function withoutPlace(
  question: Question,
  { shelf, index }: NonNullable<DraggedColumn["from"]>,
): Question {
  if (shelf === "color") return { ...question, color: undefined };
  return { ...question, [shelf]: replaced<unknown>(question[shelf], index, undefined) };
}

function nameOfColumn({ columns }: ShelvesOptions, id: string): string {
  const column = columns.get(id);
  return column ? nameOf(column) : id;
}

function groupingChip(
  options: ShelvesOptions,
  grouping: Grouping,
  put: (grouping: Grouping | undefined) => Question,
): Chip {
  const { columns, change } = options;
  const column = columns.get(grouping.id);
  const name = nameOfColumn(options, grouping.id);
  const isTime = column?.type === "datetime";
  const label =
    grouping.level === undefined || !isTime
      ? name
      : questionWords.labelled(name, questionWords.levels[grouping.level] ?? "");
  const remove = () => change(put(undefined));
  const levels: readonly MenuItem[] = isTime
    ? words.levels.flatMap((text, level) =>
        level > 0 && (!column.lowestLevel || level <= column.lowestLevel)
          ? [
              {
                label: text,
                isChosen: level === grouping.level,
                run: () => change(put({ ...grouping, level })),
              },
            ]
          : [],
      )
    : [];
  return {
    columnId: grouping.id,
    label,
    remove,
    change: (button) =>
      openMenu(button, label, [
        ...levels,
        ...(levels.length > 0 ? (["separator"] as const) : []),
        { label: words.remove(label), run: remove },
      ]),
  };
}

function rowChips(options: ShelvesOptions): Chip[] {
  const { question } = options;
  return question.rows.map((grouping, index) =>
    groupingChip(options, grouping, (next) => ({
      ...question,
      rows: replaced(question.rows, index, next),
    })),
  );
}

function colorChips(options: ShelvesOptions): Chip[] {
  const { question } = options;
  return question.color
    ? [groupingChip(options, question.color, (color) => ({ ...question, color }))]
    : [];
}

function measureChips(options: ShelvesOptions): Chip[] {
  const { question, columns, change } = options;
  return question.measures.map((measure, index): Chip => {
    const put = (next: Measure | undefined) =>
      change({ ...question, measures: replaced(question.measures, index, next) });
    const { id, aggregation } = measure;
    const isCount = id === "*";
    // A formula aggregates its columns itself.
    const isFormula = !isCount && aggregation === "";
    const label = isFormula
      ? nameOfColumn(options, id)
      : phraseOfMeasure(measure, question, columns);
    const isNumber = columns.get(id)?.type === "numeric";
    const choices = isCount || isFormula ? [] : offeredAggregations(isNumber);
    const calculations = calculationItems(measure, options, put);
    const separator = ["separator"] as const;
    return {
      columnId: id,
      label,
      remove: () => put(undefined),
      change: (button) =>
        openMenu(button, label, [
          ...choices.map((each) => ({
            label: nameOfAggregation(each),
            isChosen: each === aggregation,
            run: () => put({ ...measure, aggregation: each }),
          })),
          ...(choices.length > 0 ? separator : []),
          ...(calculations.length > 0
            ? [
                {
                  label: words.calculation,
                  run: () => openMenu(button, words.calculation, calculations),
                },
                ...separator,
              ]
            : []),
          { label: words.remove(label), run: () => put(undefined) },
        ]),
    };
  });
}

/** Returns the choices of what a measure shows: its value, or a calculation; none if there is only the value. */
function calculationItems(
  measure: Measure,
  { question, columns }: ShelvesOptions,
  put: (next: Measure) => void,
): readonly MenuItem[] {
  const offered = offeredCalculations(measure, question, columns);
  if (offered.length === 0) return [];
  const chosen = calculationOf(measure, question, columns);
  const { calculation: _, ...plain } = measure;
  return [
    { label: words.value, isChosen: chosen === undefined, run: () => put(plain) },
    "separator",
    ...offered.map((calculation) => ({
      label: withCapital(nameOfCalculation(calculation)),
      isChosen: isSameCalculation(calculation, chosen),
      run: () => put({ ...measure, calculation }),
    })),
  ];
}

function filterChips(options: ShelvesOptions): Chip[] {
  const { question, columns, change, onFilter } = options;
  return question.filters.map((filter, index): Chip => {
    const column = columns.get(filter.id);
    return {
      columnId: filter.id,
      label: describeFilter(filter, nameOfColumn(options, filter.id)),
      remove: () => change({ ...question, filters: replaced(question.filters, index, undefined) }),
      change: () => {
        if (column) onFilter(column, index);
      },
    };
  });
}
