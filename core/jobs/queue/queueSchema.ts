/** The PostgreSQL schema of the catalog that contains the tables of the queue. */
export const queueSchema = "jobs";
