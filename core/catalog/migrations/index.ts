// The steps of the schema, in order.
// May import: core/catalog/schema; knex.
import { createSchema } from "../schema/index.ts";
import { auditTargets } from "./auditTargets.ts";
import { dashboardStates } from "./dashboardStates.ts";
import { exportNames } from "./exportNames.ts";
import { exportWarnings } from "./exportWarnings.ts";
import { loadProgress } from "./loadProgress.ts";
import { passwordLinks } from "./passwordLinks.ts";
import { savedQuestions } from "./savedQuestions.ts";
import { savedViews } from "./savedViews.ts";
import { uploads } from "./uploads.ts";
import { quietHours } from "./quietHours.ts";
import { usage } from "./usage.ts";
import { usagePerPerson } from "./usagePerPerson.ts";
import { versionTitles } from "./versionTitles.ts";
import type { Migration } from "./migration.ts";

export type { Migration };

/** The first step is the schema of release 0.1.0. A released step never changes; each change is a new step. */
export const migrations: readonly Migration[] = [
  { name: "001Schema", up: createSchema },
  loadProgress,
  uploads,
  exportWarnings,
  usage,
  savedViews,
  exportNames,
  quietHours,
  passwordLinks,
  versionTitles,
  usagePerPerson,
  savedQuestions,
  dashboardStates,
  auditTargets,
];
