import type { FindDataset, QueriedDataset } from "../queriedDataset.ts";
import type { FindFormula } from "../resolve/findFormulas.ts";
import { readRole } from "../roles.ts";

/** What a query read from the catalog while it was parsed, joined and bound. */
export interface LookUps {
  /** The datasets as they were found, even those in which the query only looked for links. */
  readonly datasets: readonly QueriedDataset[];
  /** The source texts of stored formulas, by id. */
  readonly formulas: ReadonlyMap<string, string>;
}

/** The finders of one query, which note what they found. */
export interface WatchedLookUps {
  readonly findDataset: FindDataset;
  readonly findFormula: FindFormula;
  /** Returns what was found so far; undefined if a record could not be found. */
  found(): Promise<LookUps | undefined>;
}

type Finders = Pick<WatchedLookUps, "findDataset" | "findFormula">;

/** Watches the finders of a query. A dataset in a role is noted without its role. */
export function watchLookUps({ findDataset, findFormula }: Finders): WatchedLookUps {
  const datasets = new Map<string, Promise<QueriedDataset>>();
  const formulas = new Map<string, Promise<string>>();
  return {
    findDataset(id, path) {
      const own = readRole(id)?.datasetId ?? id;
      const found = findDataset(own, path);
      datasets.set(own, found);
      if (own === id) return found;
      // The other call fails too, with an error that its caller handles.
      found.catch(() => undefined);
      return findDataset(id, path);
    },
    findFormula(id, path) {
      const found = findFormula(id, path);
      formulas.set(id, found);
      return found;
    },
    async found() {
      try {
        return await allFound([...datasets.values()], [...formulas]);
      } catch {
        // A record that could not be found may appear later, and would then change what the query means.
        return undefined;
      }
    },
  };
}

/** Finds again what a query was bound to, with the caller's present rights. @throws the errors of the finders */
export function lookUpAgain(
  { datasets, formulas }: LookUps,
  path: string,
  { findDataset, findFormula }: Finders,
): Promise<LookUps> {
  return allFound(
    datasets.map(({ id }) => findDataset(id, path)),
    [...formulas.keys()].map((id) => [id, findFormula(id, path)] as const),
  );
}

async function allFound(
  finding: readonly Promise<QueriedDataset>[],
  texts: readonly (readonly [string, Promise<string>])[],
): Promise<LookUps> {
  const [datasets, formulas] = await Promise.all([
    Promise.all(finding),
    Promise.all(texts.map(async ([id, text]) => [id, await text] as const)),
  ]);
  return { datasets, formulas: new Map(formulas) };
}
