/** Returns the measure that counts the rows of a dataset. */
export const rowCountOf = (datasetId: string) => ({
  dataset_id: datasetId,
  column_id: "*",
  aggregation: { type: "count" },
});
