// A process of the bench `strata`.
import { createJobs } from "./jobs.ts";
import { serveJobs } from "./serveJobs.ts";

serveJobs(createJobs());
