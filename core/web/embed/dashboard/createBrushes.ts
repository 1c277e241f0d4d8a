import { HostError } from "../host/index.ts";
import { keyOf } from "../selections/index.ts";
import { createCube, cubeQueryOf, type Cube } from "./brushCube.ts";
import type { Brushes, BrushesOptions } from "./brushes.ts";
import { datasetsOf } from "./itemFilters.ts";
import type { OpenItem } from "./openItem.ts";

/** Milliseconds without movement after which a brush sends queries to the host. */
const brushPauseMs = 120;

/** The updates that a brush over an item causes. The plan is valid until the dashboard changes in another way. */
interface BrushPlan {
  readonly id: string;
  /** The rows of the brushed item. */
  readonly rows: readonly unknown[];
  /** Items whose rows are folded from a cube, with the number of leading cells that identify a brushed group. */
  readonly folded: readonly (readonly [OpenItem, Cube, number])[];
  /** Ids of the items whose rows are fetched from the host. */
  readonly fetched: readonly string[];
  /** The rows that were brushed last, joined to one string. */
  brushed: string;
}

/** Caches the cubes of a dashboard and answers brushes from them. */
export function createBrushes(options: BrushesOptions): Brushes {
  const { items, callHost, signal } = options;
  /** Cubes by their query; undefined for a cube that is loading or cannot be used. */
  const cubes = new Map<string, Cube | undefined>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let plan: BrushPlan | undefined;

  /**
   * Returns the query for the cube with which a brush over one item updates a linked item, and the cube's key in the
   * cache.
   */
  function cubeFor(brushed: string, linked: string) {
    const [source, open] = [items.get(brushed), items.get(linked)];
    if (!source || !open || open.control || source === open) return undefined;
    const filters = options.filtersFor(linked, brushed);
    if (filters.having.length > 0) return undefined;
    const cubeQuery = cubeQueryOf(source.item, open.item, {
      where: filters.where,
      ...options.readerRegion(),
    });
    return cubeQuery && { cubeQuery, key: JSON.stringify([brushed, linked, cubeQuery.query]) };
  }

  function linkedTo(id: string): string[] {
    const brushed = items.get(id);
    const named = new Set(brushed ? datasetsOf(brushed.item) : []);
    return [...items].flatMap(([other, { item }]) =>
      other !== id && datasetsOf(item).some((datasetId) => named.has(datasetId)) ? [other] : [],
    );
  }

  /**
   * Returns the items that a brush filters, with the cubes available so far. Computed once per brush, and again when a
   * cube arrives.
   */
  function planOf(id: string, rows: readonly unknown[]): BrushPlan {
    if (plan?.id === id && plan.rows === rows) return plan;
    const folded: [OpenItem, Cube, number][] = [];
    const fetched: string[] = [];
    for (const linked of linkedTo(id)) {
      const found = cubeFor(id, linked);
      const cube = found && cubes.get(found.key);
      const open = items.get(linked);
      if (cube && open) folded.push([open, cube, found.cubeQuery.brushCount]);
      else fetched.push(linked);
    }
    plan = { id, rows, folded, fetched, brushed: "" };
    return plan;
  }

  return {
    async prepare(id) {
      const data = items.get(id)?.data();
      if (!data) return;
      for (const linked of linkedTo(id)) {
        const found = cubeFor(id, linked);
        if (!found || cubes.has(found.key)) continue;
        const { key, cubeQuery } = found;
        const shown = new Set(data.rows.map((row) => keyOf(row.slice(0, cubeQuery.brushCount))));
        cubes.set(key, undefined);
        try {
          const { data: rows } = await callHost(
            "data",
            { action: "get", find: cubeQuery.query },
            { signal },
          );
          cubes.set(key, createCube(cubeQuery, Array.isArray(rows) ? rows : [], shown));
          plan = undefined;
        } catch (failure) {
          // Cubes only save queries. Without a cube, the brush queries the host.
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
      // In most frames, a brush covers the marks that it covered in the previous frame.
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
      const loadAll = () => {
        for (const each of planned.fetched) options.loadItem(each);
      };
      if (isDone) loadAll();
      else timer = setTimeout(loadAll, brushPauseMs);
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
