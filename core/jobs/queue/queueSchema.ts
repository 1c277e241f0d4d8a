/** The schema of the catalog that holds the queue's tables. */
export const queueSchema = "jobs";
