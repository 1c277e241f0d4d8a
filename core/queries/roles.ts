import type { ColumnLink, QueriedDataset } from "./queriedDataset.ts";

/** A dataset that a query reaches through a column of another dataset. */
export interface Role {
  readonly datasetId: string;
  /** The linked column from which the joins to the dataset start. */
  readonly via: string;
}

const written = /^(.+?)\s+via\s+(.+)$/;

/** Returns the id by which a query names a dataset in a role. Datasets of the catalog have UUIDs, so it is unique. */
export function roleId({ datasetId, via }: Role): string {
  return `${datasetId} via ${via}`;
}

/** Reads an id that `roleId` has written, or that a person has written in an expression. Undefined for other ids. */
export function readRole(id: string): Role | undefined {
  const [, datasetId, via] = written.exec(id) ?? [];
  return datasetId !== undefined && via !== undefined ? { datasetId, via } : undefined;
}

/**
 * Returns a dataset in a role. Of its links with the dataset of the column `via`, it keeps only those of this column.
 * Its other links lead to datasets in the same role, so that a whole chain of joins can start from the column.
 */
export function inRole(dataset: QueriedDataset, via: string): QueriedDataset {
  const { id, copy, links } = dataset;
  const starts = links.filter(({ otherId }) => otherId === via);
  const owners = new Set(starts.map(({ otherDatasetId }) => otherDatasetId));
  const others = links.filter(({ otherDatasetId }) => !owners.has(otherDatasetId));
  return {
    ...dataset,
    id: roleId({ datasetId: id, via }),
    roleOf: id,
    links: [...starts, ...others.map((link) => leadingTo(link, via))],
    ...(copy && {
      copy: { ...copy, findLive: async () => inRole(await copy.findLive(), via) },
    }),
  };
}

/** Returns a link to the same dataset in a role. */
export function leadingTo(link: ColumnLink, via: string): ColumnLink {
  return { ...link, otherDatasetId: roleId({ datasetId: link.otherDatasetId, via }) };
}
