import { openPeople, type People } from "../core/openPeople.ts";
import type { Ids } from "./bindGold.ts";
import { today, type DataModel } from "./models/dataModel.ts";

export interface Evaluated {
  readonly people: People;
  /** Ids of tables, columns and formulas, by name. */
  readonly ids: Ids;
  /** Ids of the tables of each data model. */
  readonly datasets: ReadonlyMap<string, readonly string[]>;
  close(): Promise<void>;
}

const rowsPerCall = 10_000;

/** Opens a host with the tables, links and formulas of the data models. Its clock shows the day of evaluations. */
export async function openEvaluated(
  models: readonly DataModel[],
  settings: Parameters<typeof openPeople>[0],
): Promise<Evaluated> {
  const people = await openPeople({ now: () => today.getTime(), callsPerSecond: 0, ...settings });
  const ids = new Map<string, string>();
  const datasets = new Map<string, readonly string[]>();
  try {
    for (const model of models) datasets.set(model.name, await fill(model, people, ids));
  } catch (failure) {
    await people.close();
    throw failure;
  }
  return { people, ids, datasets, close: people.close };
}

async function fill(
  { tables, links, formulas }: DataModel,
  { owner }: People,
  ids: Map<string, string>,
): Promise<readonly string[]> {
  for (const { name, title, description, columns, rows } of tables) {
    const { rows: made } = await owner.create<{
      rows: { id: string; columns: { id: string; source_name: string }[] }[];
    }>("data", {
      type: "create",
      data: rows.slice(0, rowsPerCall),
      options: { header: columns.map((column) => column.name), name: { en: title } },
    });
    const [dataset] = made;
    if (!dataset) throw new Error(`the push of ${name} created no dataset`);
    ids.set(name, dataset.id);
    for (let start = rowsPerCall; start < rows.length; start += rowsPerCall)
      await owner.create("data", {
        type: "append",
        securable_id: dataset.id,
        data: rows.slice(start, start + rowsPerCall),
      });
    await owner.update("securable", dataset.id, { description: { en: description } });
    for (const column of columns) {
      const id = dataset.columns.find((each) => each.source_name === column.name)?.id ?? "";
      ids.set(`${name}.${column.name}`, id);
      await owner.update("column", id, {
        name: { en: column.title },
        ...(column.description !== undefined && { description: { en: column.description } }),
        ...(column.context !== undefined && { ai_context: column.context }),
        ...(column.isDate === true && { subtype: "date" }),
      });
    }
  }
  const idOf = (name: string) => ids.get(name) ?? "";
  for (const [one, other] of links)
    await owner.associate("column", idOf(one), { role: "Joins", id: idOf(other) });
  for (const { name, table, title, description, expression } of formulas) {
    const { id } = await owner.create<{ id: string }>("formula", {
      name: { en: title },
      description: { en: description },
      expression: expression.replaceAll(
        /\{(\w+)\.(\w+)\}/g,
        (_, of: string, column: string) => `{${idOf(of)}:${idOf(`${of}.${column}`)}}`,
      ),
    });
    await owner.associate("securable", idOf(table), { role: "Formulas", id });
    ids.set(`${table}.${name}`, id);
  }
  return tables.map(({ name }) => idOf(name));
}
