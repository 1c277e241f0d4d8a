// Groups: their people, and what these see together.
// May import: core/web/console/language, core/web/console/pages/access/shares, core/web/console/records.
export { groups } from "./groups.ts";
