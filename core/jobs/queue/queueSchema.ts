/** The schema of the catalog that contains the queue's tables. */
export const queueSchema = "jobs";
