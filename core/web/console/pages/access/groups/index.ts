// Groups: their people, and the records shared with them.
// May import: core/web/console/language, core/web/console/pages/access/shares, core/web/console/records.
export { groups } from "./groups.ts";
