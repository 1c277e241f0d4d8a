// A process of the bench `public`, with one system.
import { serveJobs } from "../strata/serveJobs.ts";
import { createPublicJobs } from "./publicJobs.ts";

serveJobs(createPublicJobs());
