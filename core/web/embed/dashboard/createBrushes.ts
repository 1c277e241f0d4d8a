import type { ItemFilters } from "../../charts/index.ts";
import { HostError, type Ask } from "../host/index.ts";
import { createCube, cubeQuestionOf, keyOf, type Clause, type Cube } from "../selections/index.ts";
import { datasetsOf } from "./itemFilters.ts";
import type { OpenItem } from "./openItem.ts";

/** Milliseconds of rest in a brush after which the host is asked. */
const brushPauseMs = 120;

/** The work of a brush over an item, as long as nothing else changes. */
interface BrushPlan {
  readonly id: string;
  /** The rows of the brushed item. */
  readonly rows: readonly unknown[];
  /** Items that are folded from a cube, by as many leading cells of a row. */
  readonly folded: readonly (readonly [OpenItem, Cube, number])[];
  /** Items that the host is asked for. */
  readonly asked: readonly string[];
  /** The rows that were brushed last. */
  brushed: string;
}

export interface BrushesOptions {
  readonly items: ReadonlyMap<string, OpenItem>;
  readonly ask: Ask;
  readonly signal: AbortSignal;
  place(): { readonly timezoneId: string; readonly localeId: string };
  /** The filters of an item without those of a source. */
  filtersFor(itemId: string, without: string): ItemFilters;
  clauseOf(open: OpenItem): Clause | undefined;
  /** Takes the clause of a brush; the items that it filters are shown or asked here. */
  take(itemId: string, clause: Clause, isDone: boolean): void;
  /** Takes the clause of a brush away; items are asked anew. */
  release(itemId: string, isDone: boolean): void;
  askItem(itemId: string): void;
}

/** Drags over pictures, which filter the other items while they go on. */
export interface Brushes {
  /** Asks for the cubes of the items that a brush over one item would filter; the brush itself asks nothing then. */
  prepare(itemId: string): Promise<void>;
  /** Filters the items that are linked to a brushed one: from their cubes at once, others by the host. */
  brush(itemId: string, rows: readonly number[], isDone: boolean): void;
  /** Something else changed: the next frame of a brush finds its items anew. */
  replan(): void;
  /** Forgets all cubes, since their rows are old. */
  forget(): void;
  close(): void;
}

/** Keeps the cubes of a dashboard, and answers brushes from them. */
export function createBrushes(options: BrushesOptions): Brushes {
  const { items, ask, signal } = options;
  /** Cubes by their question; undefined for a cube that loads or cannot be used. */
  const cubes = new Map<string, Cube | undefined>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let plan: BrushPlan | undefined;

  /** The question for the cube of an item under a brush over another one, and where the cube is kept. */
  function cubeFor(brushed: string, linked: string) {
    const [source, open] = [items.get(brushed), items.get(linked)];
    if (!source || !open || open.control || source === open) return undefined;
    const filters = options.filtersFor(linked, brushed);
    if (filters.having.length > 0) return undefined;
    const question = cubeQuestionOf(source.item, open.item, {
      where: filters.where,
      ...options.place(),
    });
    return question && { question, key: JSON.stringify([brushed, linked, question.query]) };
  }

  function linkedTo(id: string): string[] {
    const brushed = items.get(id);
    const named = new Set(brushed ? datasetsOf(brushed.item) : []);
    return [...items].flatMap(([other, { item }]) =>
      other !== id && datasetsOf(item).some((datasetId) => named.has(datasetId)) ? [other] : [],
    );
  }

  /** The items that a brush filters, with the cubes that are there: found once a brush, and when a cube arrives. */
  function planOf(id: string, rows: readonly unknown[]): BrushPlan {
    if (plan?.id === id && plan.rows === rows) return plan;
    const folded: [OpenItem, Cube, number][] = [];
    const asked: string[] = [];
    for (const linked of linkedTo(id)) {
      const found = cubeFor(id, linked);
      const cube = found && cubes.get(found.key);
      const open = items.get(linked);
      if (cube && open) folded.push([open, cube, found.question.brushCount]);
      else asked.push(linked);
    }
    plan = { id, rows, folded, asked, brushed: "" };
    return plan;
  }

  return {
    async prepare(id) {
      const data = items.get(id)?.data();
      if (!data) return;
      for (const linked of linkedTo(id)) {
        const found = cubeFor(id, linked);
        if (!found || cubes.has(found.key)) continue;
        const { key, question } = found;
        const shown = new Set(data.rows.map((row) => keyOf(row.slice(0, question.brushCount))));
        cubes.set(key, undefined);
        try {
          const { data: rows } = await ask(
            "data",
            { action: "get", find: question.query },
            { signal },
          );
          cubes.set(key, createCube(question, Array.isArray(rows) ? rows : [], shown));
          plan = undefined;
        } catch (failure) {
          // A cube only saves questions: without it, the brush asks the host.
          if (!(failure instanceof HostError) && !signal.aborted) throw failure;
        }
      }
    },
    brush(id, rows, isDone) {
      const open = items.get(id);
      const data = open?.data();
      if (!open || !data) return;
      const planned = planOf(id, data.rows);
      const brushed = rows.join();
      // Most frames of a brush move within the marks of the frame before.
      if (!isDone && brushed === planned.brushed) return;
      planned.brushed = brushed;
      if (isDone) plan = undefined;
      open.chooseRows(rows);
      const clause = options.clauseOf(open);
      if (!clause) return options.release(id, isDone);
      options.take(id, clause, isDone);
      for (const [linked, cube, brushCount] of planned.folded) {
        const keys = new Set(rows.map((row) => keyOf((data.rows[row] ?? []).slice(0, brushCount))));
        linked.showLocal(cube.fold(keys));
      }
      clearTimeout(timer);
      const askAll = () => {
        for (const each of planned.asked) options.askItem(each);
      };
      if (isDone) askAll();
      else timer = setTimeout(askAll, brushPauseMs);
    },
    replan() {
      plan = undefined;
    },
    forget() {
      cubes.clear();
      plan = undefined;
    },
    close() {
      clearTimeout(timer);
    },
  };
}
